internal import Foundation
internal import Subprocess
internal import SystemPackage

/// What a reader did with a picture, and what it cost.
struct MeasuredRun {
    /// All that it wrote.
    let output: [UInt8]
    /// From its start to its end.
    let milliseconds: Double
    /// The peak resident memory of the largest of its processes.
    let mebibytes: Double
    /// The signal that ended it; nil when it ended by itself.
    let signal: Int?

    init(output: [UInt8], milliseconds: Double, mebibytes: Double, signal: Int?) {
        self.output = output
        self.milliseconds = milliseconds
        self.mebibytes = mebibytes
        self.signal = signal
    }

    /// Runs a reader on a picture.
    init(_ reader: Reader, on path: String, seconds: Int) async throws {
        let result = try await run(
            .path(FilePath(Reader.beside("CMeasuredRun"))),
            arguments: Arguments([String(seconds)] + reader.command + [path]),
            output: .bytes(limit: 1 << 24),
            error: .string(limit: 1 << 12)
        )
        let report = result.standardError
        let figures = report.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard result.terminationStatus.isSuccess, figures.count == 4 else {
            throw Failed(reader: reader.name, report: report)
        }
        // 127 is what a command that does not exist ends with.
        guard figures[2] >> 8 & 0xFF != 127 else {
            throw Failed(reader: reader.name, report: "no program '\(reader.command[0])'")
        }
        output = result.standardOutput
        milliseconds = Double(figures[0]) / 1_000_000
        mebibytes = Double(figures[1]) / 1024
        signal = figures[2] & 0x7F == 0 ? nil : figures[2] & 0x7F
    }

    /// A reader could not even be started.
    struct Failed: Error, CustomStringConvertible {
        let reader: String
        let report: String

        var description: String { "\(reader) cannot be measured: \(report)" }
    }
}
