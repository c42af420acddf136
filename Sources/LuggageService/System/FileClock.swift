#if canImport(Glibc)
internal import Glibc
#endif

/// The clock from which the system takes the times of files, and which is behind others by a tick.
enum FileClock {
    /// The present, in seconds since 1970: what happens to a file later has no earlier time.
    static var now: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }
}
