// Long native work without the GIL, which Ctrl-C can end, and the end of the interpreter: called by the main thread,
// which alone hears of them, the work runs on a thread of its own while this one listens.

#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <list>
#include <system_error>
#include <thread>
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

// Work that outlives the call or the main thread. A closing interpreter ends every thread that asks for the GIL, so
// such work is ended first. Made and destroyed with the GIL, which guards the list.
class BackgroundWork {
  public:
    // `end` is called until it says that the work is over, or the work is gone.
    explicit BackgroundWork(std::function<bool()> end) {
        if (closing_) throw Error("Python is closing down");
        here_ = all_.insert(all_.end(), std::move(end));
    }
    ~BackgroundWork() { all_.erase(here_); }
    BackgroundWork(const BackgroundWork&) = delete;
    BackgroundWork& operator=(const BackgroundWork&) = delete;

    static bool is_closing() { return closing_; }
    static void end_all() {
        closing_ = true;
        const auto over = [] {
            bool every = true;
            for (const auto& end : all_) every &= end();
            return every;
        };
        while (!over()) {
            const nanobind::gil_scoped_release release;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }

  private:
    static inline std::list<std::function<bool()>> all_;
    static inline bool closing_ = false;
    std::list<std::function<bool()>>::iterator here_;
};

// What Python 3.14 does to a daemon thread at the end; before, it ended the thread, which C++ does not survive.
[[noreturn]] inline void hang() {
    const nanobind::gil_scoped_release release;
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

template <class Work>
auto interruptible(Work&& work, std::atomic<bool>& stop) {
    if (!is_main_thread()) {
        if (BackgroundWork::is_closing()) hang();
        const BackgroundWork running([&] {
            stop = true;
            return false;
        });
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
