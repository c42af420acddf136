internal import FoundationEssentials
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import Synchronization

/// Files the payloads of a stream, and knows those that came and are not on the disk yet.
final class PayloadFiling: Sendable {
    private struct State {
        var output: ScanOutput
        /// What has come and is not filed yet, in order.
        var waiting: [(name: String, frame: PayloadFraming.Frame)] = []
        /// How many places of the stream were seen, also such with nothing in them.
        var places = 0
        /// Whether a payload has come.
        var hasBegun = false
        /// Why nothing more can be filed; nil while all is well.
        var failure: (any Error)?
    }

    private let recording: ScanRecording
    private let state: Mutex<State>
    /// The word for the places in the stream, which are numbered.
    private let noun: String
    private let picture: @Sendable (PayloadFraming.Frame, String, Date) -> ReadPicture

    /// Begins before the first payload.
    ///
    /// - Parameters:
    ///   - recorder: Files the payloads.
    ///   - output: Tells their outcomes.
    ///   - noun: The word for the places in the stream: a line or a payload.
    ///   - picture: Gives what is filed of a payload, by its name and the time at which it came.
    init(
        _ recorder: ScanRecorder,
        _ output: ScanOutput,
        noun: String,
        picture: @escaping @Sendable (PayloadFraming.Frame, String, Date) -> ReadPicture
    ) {
        recording = ScanRecording(recorder, coming: 0, readers: 1)
        state = Mutex(State(output: output))
        self.noun = noun
        self.picture = picture
    }

    /// Whether something could not be filed, so that nothing more can be.
    var hasFailed: Bool { state.withLock { $0.failure != nil } }

    /// Files what stands at the next place; after a failure only notes it.
    func take(_ frame: PayloadFraming.Frame, _ date: Date) async {
        let name = state.withLock { state -> String? in
            state.places += 1
            if frame.isBlank { return nil }
            let name = "\(noun) \(state.places)"
            state.hasBegun = true
            state.waiting.append((name, frame))
            return name
        }
        guard let name, !hasFailed else { return }
        recording.expect()
        do {
            try await recording.file(picture(frame, name, date)) { [self] reports in
                try state.withLock { state in
                    state.waiting.removeFirst()
                    try state.output.write(reports)
                }
            }
        } catch {
            state.withLock { $0.failure = error }
        }
    }

    /// Waits until what has come is filed, or cannot be.
    func settle() async {
        if hasFailed { return }
        do {
            try await recording.finish()
        } catch {
            state.withLock { $0.failure = error }
        }
    }

    /// Waits until everything is filed that can be, and tells what is not.
    ///
    /// - Parameters:
    ///   - failure: Why the stream was left before its end; nil if its end has come.
    ///   - canGiveAgain: Whether the stream is a file, which need not be told of payload by payload.
    ///   - isDryRun: Whether nothing is filed.
    /// - Returns: Whether everything that came is on record.
    /// - Throws: ``Failure`` if not everything was read and filed, or nothing has come.
    func finish(
        after failure: Failure?,
        canGiveAgain: Bool,
        isDryRun: Bool
    ) async throws -> Bool {
        await settle()
        let (summary, end) = state.withLock { state in
            let summary = Result {
                if state.hasBegun { try state.output.summarize(passedOver: 0, isDryRun: isDryRun) }
            }
            return (summary, state)
        }
        guard let failure = end.failure.map({ Failure(filing: $0) }) ?? failure else {
            if !end.hasBegun {
                throw Failure(.noInput, "no payload has come from standard input")
            }
            try summary.get()
            return end.output.isComplete
        }
        if !canGiveAgain {
            for (name, frame) in end.waiting {
                StandardError.complain("luggage", "\(name): \(frame.lossWords)")
            }
        }
        throw Failure(
            failure.status,
            "\(failure.message); nothing from "
                + "\(end.waiting.first?.name ?? "\(noun) \(end.places + 1)") on was filed: give the input "
                + "again from there"
        )
    }
}

extension Failure {
    /// The failure for an error that has ended the filing.
    fileprivate init(filing error: any Error) {
        switch error {
        case let error as StoreError: self.init(error)
        case let error as Failure: self = error
        default: self.init(.ioFailed, "\(error)")
        }
    }
}
