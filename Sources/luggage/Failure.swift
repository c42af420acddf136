internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport

extension Failure {
    /// Describes what is wrong with the record.
    init(_ error: StoreError) {
        let status: ExitStatus =
            switch error.code {
            case .notFound: .noInput
            case .cannotOpen, .readOnly, .foreign, .damaged, .incompatible: .cannotCreate
            default: .ioFailed
            }
        self.init(status, error.message)
    }

    /// Something that cannot be corrected.
    init(_ error: CorrectionError) {
        let remedy = error.remedy.map { "; \($0.inCommands)" } ?? ""
        self.init(.incomplete, error.message + remedy)
    }
}
