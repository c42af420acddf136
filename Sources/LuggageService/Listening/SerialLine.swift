internal import CLinux
internal import Glibc
internal import SystemSupport

/// Why a device cannot be listened to.
struct SerialLineError: Error, Hashable {
    /// What is wrong and what to do about it; the words complete "DEVICE …".
    let words: String
    /// Whether the device is not there, and the system tells when it comes.
    var isAbsent = false
    /// Whether another program uses it.
    var isBusy = false
}

/// An open serial line from which a hand scanner is read; nobody else can use it meanwhile.
///
/// The bytes come as they are: without echo, without changes of line ends, as soon as they are there. A USB
/// scanner ignores the speed.
struct SerialLine: ~Copyable {
    /// What a read gave.
    enum Input {
        case bytes([UInt8])
        /// Nothing is there at the moment.
        case nothing
        /// The scanner was unplugged.
        case end
    }

    /// The speeds of a line in bits a second, with the numbers that the system has for them.
    static let speeds: [Int: speed_t] = [
        1200: speed_t(B1200), 2400: speed_t(B2400), 4800: speed_t(B4800), 9600: speed_t(B9600),
        19_200: speed_t(B19200), 38_400: speed_t(B38400), 57_600: speed_t(B57600),
        115_200: speed_t(B115200), 230_400: speed_t(B230400), 460_800: speed_t(B460800),
        921_600: speed_t(B921600),
    ]

    /// The most bytes of one read: as many as the kernel keeps for a line.
    private static let mostBytes = 4096

    /// The descriptor to wait for.
    let descriptor: Int32
    /// The device, whatever path leads to it.
    let device: FileIdentity

    /// Opens the line at a path, and takes it for this process alone.
    ///
    /// - Parameters:
    ///   - path: The device, or a link to it.
    ///   - baud: The speed, one of ``speeds``.
    /// - Throws: ``SerialLineError``; then nothing is open or changed.
    init(path: String, baud: Int) throws(SerialLineError) {
        (descriptor, device) = try Self.open(path, baud)
    }

    deinit {
        // Closing alone leaves the mark while a process that is being started has the line too.
        _ = ioctl(descriptor, UInt(TIOCNXCL))
        close(descriptor)
    }

    private static func open(
        _ path: String,
        _ baud: Int
    ) throws(SerialLineError) -> (line: Int32, FileIdentity) {
        // Not opened to find out: that may wait for a pipe's other end, or change what is no line.
        guard let status = FileStatus(at: path) else { throw .of(errno) }
        if status.kind != .device { throw .kind(status.kind) }
        let line = unsafe Glibc.open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard line >= 0 else { throw .of(errno) }
        do throws(SerialLineError) {
            let device = try take(line)
            try prepare(line, baud)
            return (line, device)
        } catch {
            if !error.isBusy { _ = ioctl(line, UInt(TIOCNXCL)) }
            close(line)
            throw error
        }
    }

    /// Keeps other processes away: those that ask for the same lock, and those that open the line later.
    private static func take(_ line: Int32) throws(SerialLineError) -> FileIdentity {
        guard let status = FileStatus(of: line) else { throw .of(errno) }
        if isatty(line) != 1 { throw errno == ENOTTY ? .kind(status.kind) : .of(errno) }
        if filing_hold(line) != 0 { throw .busy }
        // The lock is advice, and most programs that open serial lines do not ask for it.
        if ioctl(line, UInt(TIOCEXCL)) != 0 { throw .of(errno) }
        return status.identity
    }

    private static func prepare(_ line: Int32, _ baud: Int) throws(SerialLineError) {
        var settings = termios()
        guard unsafe tcgetattr(line, &settings) == 0 else { throw .of(errno) }
        var before = settings
        // Raw; a read gives what is there, as soon as there is a byte.
        unsafe cfmakeraw(&settings)
        // A broken line is no zero byte.
        settings.c_iflag |= tcflag_t(IGNBRK)
        // No modem has to answer first. If the kernel's room is full, the line asks the scanner to wait.
        settings.c_cflag |= tcflag_t(CLOCAL) | tcflag_t(CREAD) | CRTSCTS
        let speed = speeds[baud] ?? speed_t(B9600)
        unsafe cfsetispeed(&settings, speed)
        unsafe cfsetospeed(&settings, speed)
        guard unsafe tcsetattr(line, TCSANOW, &settings) == 0 else { throw .of(errno) }
        // The call succeeds even if the device has taken over only a part.
        guard unsafe tcgetattr(line, &settings) == 0, unsafe cfgetispeed(&settings) == speed else {
            unsafe tcsetattr(line, TCSANOW, &before)
            throw SerialLineError(
                words:
                    "does not take \(baud) bits a second; set `baud` to a speed that it has, or name "
                    + "another device"
            )
        }
    }

    /// Reads what has come.
    borrowing func read() -> Input {
        while true {
            var failure: Int32 = 0
            let line = descriptor
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Self.mostBytes) { room, count in
                let read = unsafe Glibc.read(line, room.baseAddress, room.count)
                if read < 0 { failure = errno }
                count = max(0, read)
            }
            switch failure {
            case 0: return bytes.isEmpty ? .end : .bytes(bytes)
            case EINTR: continue
            case EAGAIN: return .nothing
            // EIO, ENXIO, ENODEV: what has hung up has no more bytes.
            default: return .end
            }
        }
    }
}

/// The system's constant is an expression that Swift does not import.
private let CRTSCTS: tcflag_t = 0o20_000_000_000

extension SerialLineError {
    fileprivate static let busy = SerialLineError(
        words: "is in use by another program; end that, or name another device",
        isBusy: true
    )

    fileprivate static func of(_ number: Int32) -> SerialLineError {
        let reason = describe(errorNumber: number)
        switch number {
        case ENOENT, ENOTDIR, ENXIO, ENODEV, EIO:
            return SerialLineError(
                words: "is not plugged in",
                isAbsent: [ENOENT, ENOTDIR].contains(number)
            )
        case EBUSY: return .busy
        case EACCES, EPERM:
            return SerialLineError(
                words: "may not be opened: \(reason); let the service's user into the group of the "
                    + "device, which is dialout on Debian"
            )
        default: return SerialLineError(words: "cannot be opened: \(reason)")
        }
    }

    fileprivate static func kind(_ kind: FileStatus.Kind) -> SerialLineError {
        let what =
            switch kind {
            case .file: "a file"
            case .folder: "a folder"
            case .pipe: "a pipe"
            case .socket: "a socket"
            default: "another kind of device"
            }
        return SerialLineError(
            words:
                "is \(what), not a serial line; name the device of the scanner, such as /dev/ttyACM0"
        )
    }
}
