internal import ArgumentParser
internal import FoundationEssentials
internal import Glibc
internal import LuggageService
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import SQLiteStore
internal import SystemSupport

/// `luggage restore`: replaces the record by a copy of it.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Replace the record with a copy that `luggage backup` made.",
        discussion: """
            systemctl stop luggage-scanner
            luggage restore /media/stick/luggage.sqlite
            systemctl start luggage-scanner

            The program checks the copy first, and keeps the old record beside it, under a name with \
            the time. It does nothing while another process has the old record open. If it is \
            interrupted, you have the old record or the new one, never a mixture.
            """
    )

    @Argument(help: "The copy to restore.", completion: .file())
    var file: String

    @Option(word: "A line for people, or a JSON object for programs.")
    var format: OutputFormat = .table

    @OptionGroup var storeOptions: StoreOptions

    func validate() throws {
        if file.isEmpty { throw ValidationError("name the copy to restore") }
    }

    func run() throws {
        let record = try storeOptions.record()
        if let copy = NamedFile(file), copy == NamedFile(record.path) {
            throw Failure(.cannotCreate, "\(file) is the record itself; name a copy of it")
        }
        guard FileStatus(at: file) != nil else {
            let number = errno
            if ![ENOENT, ENOTDIR].contains(number) {
                let reason = describe(errorNumber: number)
                throw Failure(.noInput, "the copy \(file) cannot be read: \(reason)")
            }
            throw Failure(
                .noInput,
                "there is no copy at \(file); name a file that `luggage backup` made"
            )
        }
        try record.refuseWritingToOthers()
        try record.makeUsualFolder()
        let place = record.path.behindLinks
        let aside = Self.name(besides: place)
        // The mark is about the record before: a service must not miss saves that the new one lacks.
        let mark = RecordMark(of: record.path)
        let kept: [String]
        do {
            kept = try ScratchFolder(beside: place).use {
                try SQLiteStore.restore(
                    record.path,
                    from: file,
                    for: LuggageModel.make(),
                    keeping: aside,
                    in: $0,
                    willReplace: mark.remove
                )
            }
        } catch let error as StoreError where error.code == .locked {
            throw Failure(
                .cannotCreate,
                "\(error.message); it may be `luggage watch`, or a service: luggage-scanner, "
                    + "luggage-listener, luggage-sync or luggage-board"
            )
        }
        mark.remove()
        if format == .json {
            let report = RestoreReport(
                record: record.path,
                kept: kept.first { $0 == aside },
                keptLogs: kept.filter { $0 != aside }
            )
            return try StandardOutput.jsonDocument(report)
        }
        try StandardOutput.line("\(file.onOneLine) is the record now, at \(record.path.onOneLine)")
        for path in kept {
            let what = path == aside ? "the old record" : "a log of the record before"
            try StandardOutput.line("\(what) is kept as \(path.onOneLine)")
        }
    }

    /// A free name that contains the time.
    private static func name(besides place: String) -> String {
        let formatter = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
        let name = "\(place).before-\(Date().formatted(formatter))"
        let names = [name] + (2...99).map { "\(name)-\($0)" }
        return names.first { !FileManager.default.fileExists(atPath: $0) } ?? name
    }
}

private struct RestoreReport: Encodable {
    var record: String
    var kept: String?
    var keptLogs: [String]
}
