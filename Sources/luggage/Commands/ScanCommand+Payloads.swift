internal import ArgumentParser
internal import FoundationEssentials
internal import Glibc
internal import LuggageService
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import SQLiteStore
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

    var framing: PayloadFraming.Separator {
        switch self {
        case .null: .nul
        case .netstrings: .netstring
        }
    }
}

extension ScanCommand {
    /// Files the payloads on standard input, each as soon as it has come, until the end or a signal.
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
        let container = try openRecord()
        let filing = PayloadFiling(
            ScanRecorder(container: container, bounds: bounds, author: person.author),
            ScanOutput(of: "payload", count: 0, format: format, units: units),
            noun: separator == nil ? "line" : "payload"
        ) { frame, name, date in
            var picture = ReadPicture(
                received: frame,
                name: name,
                at: place.point,
                as: place.role,
                station: place.station,
                date: timestamp.date(ofReceived: date)
            )
            picture.place = place.name
            return picture
        }
        let input = StoppableInput()
        let isComplete = try await EndingSignals.taken {
            input.stop.raise()
            // What has come is filed or told of soon, even while another process keeps the record locked.
            (container.store as? SQLiteStore)?.stopWaiting(after: .seconds(1))
        } during: {
            let failure = await filing.read(input, PayloadFraming(separator?.framing ?? .line))
            return try await filing.finish(
                after: failure,
                canGiveAgain: input.isFile,
                isDryRun: dryRun
            )
        }
        if !isComplete { throw ExitStatus.incomplete.code }
    }
}

extension PayloadFiling {
    /// How much is read after a signal of what a pipe already has.
    private static let mostPartsAfterStop = 16

    /// Reads and files payloads until the end of the input, a signal, or a failure.
    ///
    /// - Parameters:
    ///   - input: The input.
    ///   - framing: Finds the payloads in it.
    /// - Returns: Why the input was left before its end; nil if its end has come, or nothing more was there
    ///   at a signal.
    fileprivate func read(_ input: StoppableInput, _ framing: PayloadFraming) async -> Failure? {
        var framing = framing
        do {
            while !hasFailed, let bytes = try await input.read() {
                if bytes.isEmpty { return await end(framing.finish()) }
                await take(bytes, &framing)
                if framing.isLost { return nil }
            }
            // A file keeps the rest; what is in a pipe would be lost.
            for _ in 0..<(input.isFile ? 0 : Self.mostPartsAfterStop) {
                guard let bytes = try await input.readWhatIsThere() else { break }
                if bytes.isEmpty { return await end(framing.finish()) }
                await take(bytes, &framing)
            }
            let hasMore = try await input.readWhatIsThere()?.isEmpty == false
            if !hasMore || !input.isFile { _ = await end(framing.cut()) }
            return hasMore ? Failure(.incomplete, "a signal has stopped it before the end") : nil
        } catch {
            _ = await end(framing.cut())
            return error
        }
    }

    private func take(_ bytes: [UInt8], _ framing: inout PayloadFraming) async {
        let date = Date()
        var frames: [PayloadFraming.Frame] = []
        framing.take(bytes) { frames.append($0) }
        for frame in frames { await take(frame, date) }
        // A failure is told at once, not when the next payload comes.
        await settle()
    }

    /// Takes the last payload, if one had begun.
    ///
    /// - Returns: Nil: the stream has come to an end.
    private func end(_ last: PayloadFraming.Frame?) async -> Failure? {
        if let last { await take(last, Date()) }
        return nil
    }
}

/// Standard input, which can be left before its end.
private struct StoppableInput: Sendable {
    /// Ends the reading when it is raised.
    let stop = WakeSignal()

    /// Whether it is a file, which can be read again.
    let isFile = FileStatus(of: STDIN_FILENO)?.kind == .file

    /// Waits for the next bytes.
    ///
    /// - Returns: The bytes, none at the end; nil if the reading is to stop.
    /// - Throws: ``Failure`` if it cannot be read.
    func read() async throws(Failure) -> [UInt8]? { try await read(until: stop) }

    /// Reads, without waiting, what has come.
    ///
    /// - Returns: The bytes, none at the end; nil if nothing has come.
    /// - Throws: ``Failure`` if it cannot be read.
    func readWhatIsThere() async throws(Failure) -> [UInt8]? { try await read(until: nil) }

    private func read(until stop: WakeSignal?) async throws(Failure) -> [UInt8]? {
        // Not on a task's thread: the bytes may be long in coming.
        let read = await WorkThreads.waiting.run {
            Result { () throws(Failure) in
                let input = try InputFile(path: StandardInput.sign)
                return input.isReadable(waitingUntil: stop) ? try input.read() : nil
            }
        }
        return try read.get()
    }
}
