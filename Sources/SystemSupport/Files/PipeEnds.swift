internal import CLinux

/// The two ends of a pipe, neither of which a program inherits by chance.
package struct PipeEnds {
    package let reading: Int32
    package let writing: Int32

    /// Opens a pipe; if the system has none to give, `errno` says why.
    package init?() {
        var (reading, writing): (Int32, Int32) = (-1, -1)
        guard unsafe system_open_pipe(&reading, &writing) == 0 else { return nil }
        (self.reading, self.writing) = (reading, writing)
    }
}
