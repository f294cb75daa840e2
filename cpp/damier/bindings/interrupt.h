// Long native work without the GIL that Ctrl-C can end: called by the main thread, which alone hears it, the work runs
// on a thread of its own while this one listens.

#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <future>
#include <system_error>
#include <utility>

#include "damier/base/error.h"

namespace damier {

// A flag that another thread may raise to end native work early.
struct StopFlag {
    std::atomic<bool> raised = false;
};

inline bool is_main_thread() {
    const auto threading = nanobind::module_::import_("threading");
    return threading.attr("get_ident")().equal(threading.attr("main_thread")().attr("ident"));
}

template <class Work>
auto interruptible(Work&& work, std::atomic<bool>& stop) {
    if (!is_main_thread()) {
        const nanobind::gil_scoped_release release;
        return work(stop);
    }
    std::future<decltype(work(stop))> future;
    try {
        future = std::async(std::launch::async, [&] { return work(stop); });
    } catch (const std::system_error&) {
        throw Error("the system has no thread left to work on");
    }
    const auto ready = [&] {
        const nanobind::gil_scoped_release release;
        return future.wait_for(std::chrono::milliseconds(50)) == std::future_status::ready;
    };
    while (!ready()) {
        if (PyErr_CheckSignals() == 0) continue;
        stop = true;
        {
            const nanobind::gil_scoped_release release;
            future.wait();
        }
        throw nanobind::python_error();
    }
    return future.get();
}

template <class Work>
auto interruptible(Work&& work) {
    std::atomic<bool> stop = false;
    return interruptible(std::forward<Work>(work), stop);
}

}  // namespace damier
