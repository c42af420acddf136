internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport

extension Failure {
    /// Describes what is wrong with the record.
    init(_ error: StoreError) {
        self.init(Self.status(of: error), error.message)
    }

    /// A purge that has not taken everything away.
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

    /// Something that cannot be corrected.
    init(_ error: CorrectionError) {
        let remedy = error.remedy.map { "; \($0.inCommands)" } ?? ""
        self.init(.incomplete, error.message + remedy)
    }
}
