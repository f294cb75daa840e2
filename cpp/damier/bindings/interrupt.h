// Long native work that Ctrl-C can end: the work runs on its own thread without the GIL while this one listens.

#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <future>

namespace damier {

template <class Work>
auto interruptible(Work&& work) {
    std::atomic<bool> stop = false;
    auto future = std::async(std::launch::async, [&] { return work(stop); });
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

}  // namespace damier
