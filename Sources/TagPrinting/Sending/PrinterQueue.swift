internal import Glibc
internal import SystemSupport

/// A printer that CUPS knows, to which its program `lp` brings a file.
package struct PrinterQueue {
    /// The name of the printer.
    let name: String
    /// The path of `lp`.
    let program: String

    /// How long `lp` may take: the server answers, or it does not.
    private static let patience = Duration.seconds(120)
    /// The most that is heard of what it says.
    private static let mostWords = 1 << 14

    /// Looks for `lp`.
    ///
    /// - Parameters:
    ///   - name: The name of the printer.
    ///   - path: The folders to look in, with colons between them, as in `PATH`.
    /// - Throws: ``TagPrintingError`` if it is not there.
    package init(_ name: String, path: String) throws {
        let programs = path.split(separator: ":").map { "\($0)/lp" }
        guard let program = programs.first(where: { unsafe access($0, X_OK) == 0 }) else {
            throw TagPrintingError(
                .printer,
                "the program `lp`, which brings tags to \(name.quoted), is not there; install Debian's "
                    + "package cups-client, or give the printer's own address, like socket://10.0.0.7:9100"
            )
        }
        self.name = name
        self.program = program
    }

    /// Gives a file to CUPS.
    ///
    /// - Parameters:
    ///   - file: The bytes.
    ///   - format: Their format; ZPL goes to the printer as it is.
    ///   - paper: The paper.
    ///   - environment: The variables of this process.
    /// - Throws: ``TagPrintingError`` with what `lp` says, if it does not take it.
    package func print(
        _ file: [UInt8],
        as format: TagFileFormat,
        on paper: PaperSize,
        environment: [String: String]
    ) throws {
        let options =
            format == .zpl
            ? ["raw"]
            : ["media=Custom.\(paper.width)x\(paper.height)mm", "print-scaling=none"]
        let words =
            ["lp", "-d", name, "-t", "Luggage tags"] + options.flatMap { ["-o", $0] }
        let child: ChildProcess
        do {
            child = try ChildProcess.start(
                program,
                arguments: words.map { Array($0.utf8) },
                environment: environment.map { Array("\($0)=\($1)".utf8) },
                input: file
            )
        } catch {
            throw TagPrintingError(.printer, "\(program) cannot be started: \(error)")
        }
        let said = try hear(child)
        switch child.collectEnd() {
        case .exited(0): return
        case let end:
            let words = String(decoding: said, as: UTF8.self).split(separator: "\n")
                .joined(separator: "; ")
            throw TagPrintingError(
                .printer,
                "\(name.quoted) does not print the tags: "
                    + (words.isEmpty ? "`lp` \(end)" : words)
                    + "; `lpstat -e` tells which printers there are"
            )
        }
    }

    /// Hears what it says until it has ended.
    private func hear(_ child: borrowing ChildProcess) throws -> [UInt8] {
        var said: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        let deadline = ContinuousClock.now + Self.patience
        var output = child.output
        while true {
            let left = ContinuousClock.now.duration(to: deadline).components.seconds
            guard left > 0 else {
                throw TagPrintingError(
                    .printer,
                    "`lp` has not answered for \(Self.patience.components.seconds) s; see whether the "
                        + "server of CUPS runs"
                )
            }
            var polled = [
                pollfd(fd: output, events: Int16(POLLIN), revents: 0),
                pollfd(fd: child.end, events: Int16(POLLIN), revents: 0),
            ]
            let count = unsafe poll(&polled, 2, Int32(left * 1000))
            if count <= 0 { continue }
            if polled[0].revents != 0 {
                let read = unsafe read(output, &buffer, buffer.count)
                if read > 0 {
                    said += buffer.prefix(min(read, Self.mostWords - said.count))
                    continue
                }
                // A negative descriptor is not waited for.
                output = -1
            }
            if polled[1].revents != 0 { return said }
        }
    }
}
