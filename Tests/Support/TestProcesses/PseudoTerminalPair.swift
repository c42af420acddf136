internal import Foundation

/// The two ends of a new pseudo-terminal, which no program inherits that is started meanwhile.
///
/// A program that did would keep the terminal open: whoever waits for its end would wait for that program.
public struct PseudoTerminalPair: Sendable {
    /// The end of who looks at the terminal, or of the device.
    public let main: Int32

    /// The end of the program.
    public let other: Int32

    /// The path of the program's end.
    public let path: String

    // TIOCSPTLCK and TIOCGPTN, which Swift does not import.
    private static let lock: UInt = 0x4004_5431
    private static let number: UInt = 0x8004_5430

    /// Makes a pseudo-terminal.
    ///
    /// - Throws: What the system says if there is none.
    public init() throws {
        // As `openpty` does it, which cannot make descriptors that are closed at `exec`.
        let main = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (locked, number): (Int32, UInt32) = (0, 0)
        guard main >= 0, unsafe ioctl(main, Self.lock, &locked) == 0,
            unsafe ioctl(main, Self.number, &number) == 0
        else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        path = "/dev/pts/\(number)"
        let other = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard other >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        (self.main, self.other) = (main, other)
    }
}
