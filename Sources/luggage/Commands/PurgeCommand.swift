internal import ArgumentParser
internal import FoundationEssentials
internal import LuggageService
internal import LuggageTags
internal import ProgramSupport
internal import SQLiteStore

/// `luggage purge`: removes names, or whole bags, from the record.
struct PurgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Delete names, or whole bags, that had no news for long.",
        discussion: """
            luggage purge --names --older-than 30d
            luggage purge --bags --older-than 2026-01-01 --yes --pictures /srv/luggage

            It first shows what it would delete, and deletes only with --yes, or after you confirm. If \
            there is nobody to ask, as in a pipe or a timer, it deletes nothing without --yes, and the \
            exit status is 64.

            --names deletes the owners of the bags, the payloads of the tags and the reasons of \
            corrections; names of picture files stay. --bags deletes the bags with all their scans; \
            the record keeps how many scans there were by quarter of an hour, station, point and \
            outcome. Bags that have not arrived go too; the report tells their number.

            A purge also deletes the history, and rewrites the file without the deleted data. Delete \
            earlier copies yourself. Deleted data does not come back with an import from a record that \
            still has it; and that record deletes it too when it imports from this one.

            Other programs can file meanwhile. If the purge is interrupted, each bag is either \
            complete or gone; run it again to delete the rest.
            """
    )

    @Option(
        help: ArgumentHelp(
            "Only bags without news since then: how long ago, a day, or an ISO 8601 time.",
            valueName: "90d|2026-07-01"
        ),
        transform: { try TimeArgument($0) }
    )
    var olderThan: TimeArgument

    @Flag(help: "Delete the owners of the bags.")
    var names = false

    @Flag(help: "Delete the bags.")
    var bags = false

    @Option(
        help: ArgumentHelp(
            "A watched folder; delete its pictures too, if they show nothing else.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var pictures: String?

    @Flag(help: "Do it, without asking.")
    var yes = false

    @Option(word: "Sentences for people, or a JSON object for programs.")
    var format: OutputFormat = .table

    @OptionGroup var storeOptions: StoreOptions

    func validate() throws {
        if names == bags { throw ValidationError("say what to delete: either --names or --bags") }
        if olderThan.beginning > Date() {
            throw ValidationError(
                "--older-than is in the future; name an earlier time, such as 90d"
            )
        }
    }

    func run() async throws {
        let cutoff = olderThan.beginning
        let scope = names ? RecordPurge.Scope.names : .bags
        var doomed: Set<String> = []
        // A user who has said yes needs no plan, except to name the pictures.
        if !yes || pictures != nil {
            let plan = try RecordPurge(
                container: storeOptions.openForReading(),
                scope: scope,
                before: cutoff
            ).plan()
            let found = try await removePictures(plan.pictures, isRehearsal: true)
            let isNothing = plan.isEmpty && found.isEmpty
            if !yes {
                try write(plan, found, isDone: false)
                try Self.refuseSilence()
                let question = "Delete it? This cannot be undone. Type yes:"
                guard !isNothing && Question.confirms(question, by: ["yes"]) else { return }
            }
            doomed = plan.pictures
        }
        // Opened first: removed pictures do not come back, so they stay if the record cannot be changed.
        let store = try storeOptions.openFile()
        let purge = RecordPurge(
            container: try RecordFile.container(store),
            scope: scope,
            before: cutoff
        )
        // Keeps pictures that were seen anew while the question was open.
        if !doomed.isEmpty { doomed.formIntersection(try purge.plan().pictures) }
        // Removes the pictures first: the next purge then finds all that an interruption leaves.
        let removed = try await removePictures(doomed, isRehearsal: false)
        let report: PurgeReport
        do {
            report = try purge.run(picturesAreGone: pictures != nil)
        } catch let interruption as PurgeInterruption {
            throw Failure(interruption)
        }
        // Even if nothing was left: an earlier purge may have been interrupted before this.
        let isClean = try store.compact()
        try store.close()
        try write(report, removed, isDone: true)
        if !isClean {
            throw Failure(
                .incomplete,
                "another program is reading the record, so its log may still hold deleted data; "
                    + "run this again later"
            )
        }
    }

    private func removePictures(_ digests: Set<String>, isRehearsal: Bool) async throws -> [String]
    {
        guard let pictures else { return [] }
        let layout = FolderLayout(path: pictures)
        do {
            return try await PictureRemoval(layout).run(digests, isRehearsal: isRehearsal)
        } catch let error as FilingError {
            throw Failure(error, in: layout)
        }
    }

    /// Refuses to go on if there is nobody to ask: a timer would never purge anything, and never say so.
    ///
    /// - Throws: `ValidationError`.
    private static func refuseSilence() throws {
        if Question.canAsk { return }
        throw ValidationError(
            "there is nobody to ask, so nothing was deleted; --yes deletes without asking"
        )
    }

    private func write(_ report: PurgeReport, _ files: [String], isDone: Bool) throws {
        if format == .json {
            let told = PurgeOutput(isDone: isDone, numbers: report, pictureFiles: files)
            return try StandardOutput.jsonDocument(told)
        }
        if report.isEmpty && files.isEmpty {
            return try StandardOutput.line(
                "nothing is on record from before \(report.before.local)"
            )
        }
        let what = scopeWords(report)
        let verb = isDone ? "deleted" : "would delete"
        try StandardOutput.line("\(verb), from before \(report.before.local):")
        for line in what { try StandardOutput.line("  \(line)") }
        for file in files { try StandardOutput.line("  picture \(file)") }
        if !isDone && !yes && Question.canAsk {
            try StandardOutput.line("nothing was deleted yet; --yes deletes it")
        }
    }

    private func scopeWords(_ report: PurgeReport) -> [String] {
        let isNames = report.scope == .names
        let missing = report.missing > 0 ? ", \(report.missing) of which never arrived" : ""
        let lines = [
            (report.bags, (isNames ? "the owners of " : "") + report.bags.counted("bag") + missing),
            (report.scans, (isNames ? "the payloads of " : "") + report.scans.counted("scan")),
            (
                report.corrections,
                (isNames ? "names and reasons of " : "") + report.corrections.counted("correction")
            ),
            (report.passengers, report.passengers.counted("passenger")),
            (
                report.journalEntries,
                report.journalEntries.counted("entry", "entries") + " of the journal"
            ),
        ]
        var words = lines.filter { $0.0 > 0 }.map(\.1)
        if !report.isEmpty { words.append("the history up to now") }
        return words
    }
}

/// The output of `--format json`.
private struct PurgeOutput: Encodable {
    var isDone: Bool
    var numbers: PurgeReport
    var pictureFiles: [String]
}
