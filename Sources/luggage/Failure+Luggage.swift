internal import LuggageService
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport

extension Failure {
    /// The failure for settings that are wrong: wrong usage if only the command line is wrong.
    init(_ error: ConfigurationError) {
        let status: ExitStatus = error.isOfCommandLine ? .usage : .configuration
        self.init(status, sentences: error.mistakes.map(\.description))
    }

    /// The failure for an error of the record's store.
    init(_ error: StoreError) {
        self.init(Self.status(of: error), error.message)
    }

    /// The failure of a purge that has not removed everything.
    init(_ interruption: PurgeInterruption) {
        self.init(Self.status(of: interruption.underlying), "\(interruption)")
    }

    private static func status(of error: StoreError) -> ExitStatus {
        switch error.code {
        case .notFound: .noInput
        case .cannotOpen, .readOnly, .foreign, .damaged, .incompatible, .gone, .incomplete, .cut,
            .savesLost:
            .cannotCreate
        default: .ioFailed
        }
    }

    /// The failure for what nobody may file or correct.
    init(_ error: TagError) {
        let bound: WatchSetting? =
            switch error.code {
            case .tooHeavy: .heaviest
            case .tooEarly: .earliest
            default: nil
            }
        let remedy = bound.map { "; the setting `\($0.rawValue)` moves that bound" } ?? ""
        self.init(.incomplete, error.message + remedy)
    }

    /// The failure for something that cannot be corrected.
    init(_ error: CorrectionError) {
        let remedy = error.remedy.map { "; \($0.inCommands)" } ?? ""
        self.init(.incomplete, error.message + remedy)
    }
}
