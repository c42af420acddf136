internal import Glibc

/// The clock from which the kernel takes file times; it is up to a tick behind the other clocks.
enum FileClock {
    /// The current time in seconds since 1970: later changes to a file get no earlier time.
    static var now: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }
}
