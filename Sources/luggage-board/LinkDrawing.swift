internal import Glibc
internal import ProgramSupport
internal import SystemSupport

/// Draws a link as a QR code for a telephone, by Debian's program `qrencode`.
struct LinkDrawing {
    /// The path of `qrencode`.
    private let program: String

    /// Looks for the program.
    ///
    /// - Parameter path: The folders to look in, with colons between them, as in `PATH`.
    /// - Throws: ``Failure`` if it is not there.
    init(path: String) throws(Failure) {
        let programs = path.split(separator: ":").map { "\($0)/qrencode" }
        let program = programs.first {
            unsafe FileStatus(at: $0)?.kind == .file && access($0, X_OK) == 0
        }
        guard let program else {
            throw Failure(
                .unavailable,
                "the program `qrencode`, which draws the code, is not there; install Debian's package qrencode, or "
                    + "leave --qr out"
            )
        }
        self.program = program
    }

    /// Draws it on standard output.
    ///
    /// The program gets it as its input: others would see it among the arguments of processes.
    func draw(_ link: String) throws(Failure) {
        let input = Array(link.utf8).memoryFile()
        defer { if input >= 0 { close(input) } }
        // With colours of its own, as not every telephone reads light on dark; a file takes none.
        let form = StandardOutput.isTerminal ? "ANSIUTF8" : "UTF8"
        let (identifier, error) = ChildProcess.spawn(
            program,
            ["qrencode", "-t", form].map { Array($0.utf8) },
            [],
            descriptors: [input, STDOUT_FILENO, STDERR_FILENO],
            group: .ownGroup
        )
        guard error == 0 else {
            throw Failure(.ioFailed, "\(program) cannot be started: \(SystemError(number: error))")
        }
        let end = ProcessEnd(collecting: identifier)
        if end != .exited(0) {
            throw Failure(.ioFailed, "the link is not drawn: `qrencode` \(end)")
        }
    }
}
