internal import Foundation
internal import Subprocess
internal import SystemPackage

/// What a reader did with a picture, and what it cost.
package struct MeasuredRun: Sendable {
    /// All that it wrote.
    package let output: [UInt8]
    /// From its start to its end.
    package let milliseconds: Double
    /// What all of its processes took of processors' time.
    package let processorMilliseconds: Double
    /// The peak resident memory of the largest of its processes.
    package let mebibytes: Double
    /// The signal that ended it; nil when it ended by itself.
    package let signal: Int?

    /// Tells of a run.
    package init(
        output: [UInt8],
        milliseconds: Double,
        processorMilliseconds: Double = 0,
        mebibytes: Double,
        signal: Int?
    ) {
        self.output = output
        self.milliseconds = milliseconds
        self.processorMilliseconds = processorMilliseconds
        self.mebibytes = mebibytes
        self.signal = signal
    }

    /// Runs a reader on a picture.
    ///
    /// - Parameters:
    ///   - reader: The reader.
    ///   - path: The path of the picture.
    ///   - seconds: When to end it.
    /// - Throws: ``Failed`` when it could not be started.
    package init(_ reader: Reader, on path: String, seconds: Int) async throws {
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
        processorMilliseconds = Double(figures[3]) / 1_000_000
        mebibytes = Double(figures[1]) / 1024
        signal = figures[2] & 0x7F == 0 ? nil : figures[2] & 0x7F
    }

    /// A reader could not even be started.
    package struct Failed: Error, CustomStringConvertible {
        let reader: String
        let report: String

        package var description: String { "\(reader) cannot be measured: \(report)" }
    }
}
