import Foundation
import Testing

/// A process that saves without end and acknowledges each save by a line, to be killed meanwhile.
struct KilledWriter {
    private let process = Process()
    private let output = Pipe()

    /// Starts a program that was built with these tests, beside them.
    init(_ program: String, _ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appending(path: program)
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
    }

    /// Kills it a while after it has acknowledged some saves, and gives all that it has written.
    func kill(after acknowledgements: Int, _ microseconds: Int) throws -> String {
        var text = Data()
        while text.count(where: { $0 == 0x0A }) < acknowledgements {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            text += more
        }
        // The point of the kill, not a wait for something to happen.
        usleep(UInt32(microseconds))
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        text += try output.fileHandleForReading.readToEnd() ?? Data()
        return String(decoding: text, as: UTF8.self)
    }
}

extension String {
    /// The number in the last line, or nil where there is none.
    var lastAcknowledgement: Int? {
        split(separator: "\n").last.flatMap { Int($0) }
    }
}
