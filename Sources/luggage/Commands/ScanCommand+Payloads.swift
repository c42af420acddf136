internal import ArgumentParser
internal import Foundation
internal import LuggageService
internal import LuggageTags
internal import ProgramSupport
internal import Synchronization
internal import SystemSupport

/// What stands between payloads on standard input, if it is not a line end.
enum PayloadSeparator: EnumerableFlag {
    case null, netstrings

    static func name(for value: Self) -> NameSpecification {
        switch value {
        case .null: [.customShort("0"), .long]
        case .netstrings: .long
        }
    }

    static func help(for value: Self) -> ArgumentHelp? {
        switch value {
        case .null:
            ArgumentHelp(
                "A zero byte ends each payload.",
                discussion: "For payloads with line ends in them, such as JSON on several lines."
            )
        case .netstrings:
            ArgumentHelp(
                "Each payload is a netstring: its length, a colon, its bytes, a comma, as 5:hello,",
                discussion: "For payloads with any bytes in them, such as MessagePack."
            )
        }
    }

    /// The separator for the framing.
    var framing: PayloadFraming.Separator {
        switch self {
        case .null: .nul
        case .netstrings: .netstring
        }
    }
}

extension ScanCommand {
    /// Files the payloads on standard input, each as soon as it has come.
    ///
    /// - Parameters:
    ///   - place: Where the bags are.
    ///   - bounds: What can be true of bags here.
    ///   - settings: The settings of this machine.
    /// - Throws: ``Failure``, `StoreError`, or the exit status if something was not filed.
    func filePayloads(
        at place: Place,
        _ bounds: TagBounds,
        _ settings: SharedSettings
    ) async throws {
        let units = try unitsOptions.unit(by: settings)
        let recording = ScanRecording(
            ScanRecorder(container: try openRecord(), bounds: bounds, author: person.author),
            coming: 0,
            readers: 1
        )
        let output = Mutex(ScanOutput(of: "payload", count: 0, format: format, units: units))
        var framing = PayloadFraming(separator?.framing ?? .line)
        var count = 0
        func file(_ frames: [PayloadFraming.Frame], _ date: Date) async throws {
            for frame in frames {
                count += 1
                let scan = ReadPicture(
                    received: frame,
                    name: "payload \(count)",
                    at: place.point,
                    as: place.role,
                    station: place.station,
                    date: timestamp.date(ofReceived: date)
                )
                recording.expect()
                try await recording.file(scan) { reports in
                    try output.withLock { try $0.write(reports) }
                }
            }
        }
        while !framing.isLost {
            let read = await WorkThreads.waiting.run {
                Result { try InputFile(path: StandardInput.sign).read() }
            }
            let bytes = try read.get()
            if bytes.isEmpty { break }
            var frames: [PayloadFraming.Frame] = []
            framing.take(bytes) { frames.append($0) }
            try await file(frames, Date())
        }
        if let last = framing.finish() { try await file([last], Date()) }
        try await recording.finish()
        if count == 0 { throw Failure(.noInput, "no payload has come from standard input") }
        let isComplete = try output.withLock { output in
            try output.summarize(passedOver: 0, isDryRun: dryRun)
            return output.isComplete
        }
        if !isComplete { throw ExitStatus.incomplete.code }
    }
}
