internal import ArgumentParser
internal import FoundationEssentials
internal import Glibc
internal import ObjectStore
internal import ProgramSupport
internal import SQLiteStore
internal import SystemSupport

/// `luggage backup`: copies the record while it is in use.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the record to another file, while others read and file.",
        discussion: """
            luggage backup /media/stick/luggage.sqlite
            luggage backup --force /backup/luggage-$(date +%a).sqlite

            The copy holds the record as it is at one moment, with its history, in one file. The \
            program checks it; the file appears when it is complete and on the disk. `luggage restore` \
            puts it back. Pictures are not in it: copy their folders too.
            """
    )

    @Argument(help: "The file to write.", completion: .file())
    var file: String

    @Flag(help: "Replace the file that is there.")
    var force = false

    @Option(word: "A line for people, or a JSON object for programs.")
    var format: OutputFormat = .table

    @OptionGroup var storeOptions: StoreOptions

    func validate() throws {
        if file.isEmpty { throw ValidationError("name the file to write") }
        if file == "-" {
            throw ValidationError("name a file: a copy on standard output cannot be checked")
        }
    }

    func run() throws {
        let record = try storeOptions.record()
        try record.protect(from: file)
        try record.refuseReadingOfOthers()
        let store: SQLiteStore
        do {
            store = try record.open(.read)
            // With --force, the copy that is replaced may be the last complete one.
            if force { try record.losses(of: store) }
        } catch let error as StoreError where error.code == .notFound {
            try record.refuseGone()
            throw Failure(
                .noInput,
                "there is no record at \(record.path) to copy; name another one with --store"
            )
        }
        // What has no path has no place beside it for other files.
        if let kind = FileStatus(at: file)?.kind, ![.file, .folder].contains(kind) {
            throw Failure(
                .cannotCreate,
                "\(file) is not a regular file; name another file"
            )
        }
        do {
            try ScratchFolder(beside: file.behindLinks).use {
                try store.backup(to: file, replacing: force, in: $0)
            }
        } catch let error as StoreError where error.code == .exists {
            throw Failure(
                .cannotCreate,
                "\(file) is there already; choose another name, or replace it with --force"
            )
        }
        guard let size = FileStatus(at: file)?.byteCount else {
            throw Failure(.ioFailed, "\(file) cannot be examined: \(describe(errorNumber: errno))")
        }
        if format == .json {
            try StandardOutput.jsonDocument(BackupReport(file: file, bytes: size))
        } else {
            try StandardOutput.line(
                "copied \(record.path.onOneLine) to \(file.onOneLine), \(size) bytes, and checked it"
            )
        }
    }
}

private struct BackupReport: Encodable {
    var file: String
    var bytes: Int
}
