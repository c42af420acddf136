import Foundation
import Testing

/// A process that saves without end and acknowledges each save by a line, to be killed meanwhile.
struct KilledWriter {
    private let program: StartedProgram

    /// Starts a program that was built with these tests, beside them.
    init(_ name: String, _ arguments: [String]) throws {
        program = try StartedProgram(name, arguments)
    }

    var identifier: Int32 { program.identifier }

    /// Waits until it has written something.
    func waitForOutput() throws {
        try #require(!program.output.availableData.isEmpty, "the process has ended")
    }

    /// Waits until it has acknowledged a save of its first thread with a number, or a later one.
    func waitForSave(_ number: Int) throws {
        var text = ""
        while true {
            let more = program.output.availableData
            try #require(!more.isEmpty, "the process has ended")
            text += String(decoding: more, as: UTF8.self)
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            // The last one is still to be ended.
            text = String(lines.removeLast())
            for line in lines {
                let words = line.split(separator: "-").compactMap { Int($0) }
                if words.count == 3 && words[1] == 0 && words[2] >= number { return }
            }
        }
    }

    /// Kills it a while after it has acknowledged some saves, and gives all that it has written.
    func kill(after acknowledgements: Int, _ microseconds: Int) throws -> String {
        var text = Data()
        while text.count(where: { $0 == 0x0A }) < acknowledgements {
            let more = program.output.availableData
            if more.isEmpty { break }
            text += more
        }
        // The point of the kill, not a wait for something to happen.
        usleep(UInt32(microseconds))
        Glibc.kill(identifier, SIGKILL)
        #expect(program.wait() == .signal(SIGKILL))
        text += try program.output.readToEnd() ?? Data()
        return String(decoding: text, as: UTF8.self)
    }
}

extension String {
    /// The number in the last line, or nil where there is none.
    var lastAcknowledgement: Int? {
        split(separator: "\n").last.flatMap { Int($0) }
    }
}
