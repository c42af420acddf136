import Foundation
import ObjectStore
import Testing

/// Another process that has a store open and does what it is told.
final class OtherProcess {
    private let program: StartedProgram

    init(_ path: String) throws {
        program = try StartedProgram("store-writer", [path, "commands"])
    }

    var identifier: pid_t { program.identifier }

    deinit {
        try? program.input.close()
        program.wait()
    }

    /// Has a command done, and gives the last save in the history then.
    @discardableResult
    func run(_ command: String) throws -> HistoryToken {
        try program.input.write(contentsOf: Data("\(command)\n".utf8))
        var line = Data()
        while line.last != 0x0A {
            let more = program.output.availableData
            try #require(!more.isEmpty, "the other process has ended at \(command)")
            line += more
        }
        let text = String(decoding: line.dropLast(), as: UTF8.self)
        return HistoryToken(rawValue: try #require(Int64(text)))
    }
}
