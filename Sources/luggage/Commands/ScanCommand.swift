internal import ArgumentParser
internal import FoundationEssentials
internal import Glibc
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import Synchronization
internal import TagReading

/// `luggage scan`: reads pictures and files their tags.
struct ScanCommand: AsyncParsableCommand {
    static let word = "scan"

    static let configuration = CommandConfiguration(
        commandName: word,
        abstract: "File the bags whose tags are in pictures.",
        usage: """
            luggage scan [--at <point>] [<options>] <images> ...
            luggage scan [--at <point>] [<options>] --payload [--null | --netstrings] -
            """,
        discussion: """
            luggage scan --at origin tag.png
            luggage scan --at destination --station LHR-3 --timestamp file arrivals/
            camera --snap | luggage scan --at origin -
            luggage scan --at origin --payload - < scanned.txt

            It merges each tag with the bag on record and reports the outcome: new, updated, repeated \
            (filed before, or nothing new), changed (the tag contradicts the record; the later scan \
            counts, and the record keeps both), misrouted (the bag departs or arrives at another place than \
            its tag says), invalid (a code that is not a tag's, or says something \
            impossible), unreadable (the picture was never read to its end), no-code (no QR code could \
            be read in the picture), damaged (the file is not a complete PNG \
            or JPEG).

            If something beside the tags looks like a tag and could not be read, a remark says so, and \
            with --format json `unread` has its corners; the exit status stays the same.

            With --payload, it takes from standard input what a hand scanner sends: what is in the codes, \
            one tag a line, and tells the outcome of each as soon as its line end comes; an empty line is \
            nothing. SIGTERM, SIGINT and SIGHUP end it like the end of the input, after it has filed what \
            has come. If it cannot file or read everything, it says with which line to go on. A scanner at \
            a serial port needs no command each time: `luggage listen` is the service for it. A scanner \
            that types like a keyboard is good for digits only, because the layout of the keyboard changes \
            other characters.

            The record keeps who scanned, so that `luggage undo` can take back your last scan.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Pictures (PNG or JPEG), or folders of pictures; - for standard input.",
            discussion: """
                It passes over folders in folders, and files that are not pictures. If one of the \
                names is wrong, it files nothing.
                """
        ),
        completion: .file()
    )
    var images: [String]

    @Flag(
        help: ArgumentHelp(
            "Take payloads from standard input, named -, in place of pictures.",
            discussion: """
                One a line, ended by LF, CR LF or CR, with at most \(PayloadFraming.longest) bytes; an \
                empty one is nothing. The \
                same payload again within 10 s is the same sighting, and repeated.
                """
        )
    )
    var payload = false

    @Flag var separator: PayloadSeparator?

    @OptionGroup var place: PlaceOptions

    @OptionGroup var person: PersonOptions

    @OptionGroup var storeOptions: StoreOptions

    @OptionGroup var reading: ReadingOptions

    @Option(
        help: ArgumentHelp(
            "When the bags were there (default: now).",
            discussion: """
                now: at this moment, or when a payload comes. file: when the picture's file was last modified. Or a moment: \
                2026-07-01T09:30:00+02:00, or 2026-07-01 09:30 in local time.
                """,
            valueName: "now|file|time"
        ),
        completion: .list(["now", "file"]),
        transform: { try Timestamp(argument: $0) }
    )
    var timestamp: Timestamp = .now

    @OptionGroup var unitsOptions: UnitsOptions

    @Option(word: "A table for people, or one JSON object a line for programs.")
    var format: OutputFormat = .table

    @Flag(help: "Tell what would be filed, and file nothing.")
    var dryRun = false

    func validate() throws {
        if images.isEmpty { throw ValidationError("name at least one picture") }
        if payload && images != [StandardInput.sign] {
            throw ValidationError(
                "--payload reads standard input alone: write `--payload -`, and for a file "
                    + "`--payload - < FILE`"
            )
        }
        if separator != nil && !payload {
            throw ValidationError("--null and --netstrings are for payloads: add --payload")
        }
        if case .file = timestamp, images.contains(StandardInput.sign) {
            throw ValidationError(
                "what comes from standard input has no time of a file: leave --timestamp out, or give "
                    + "a moment"
            )
        }
        try timestamp.refuseFuture("--timestamp")
    }

    func run() async throws {
        let settings = storeOptions.settings.shared
        let place = try place.place(by: settings)
        let bounds = try settings.bounds
        try timestamp.refuse(before: bounds, "--timestamp", settings)
        if payload { return try await filePayloads(at: place, bounds, settings) }
        let finder = try PictureFinder(images, orElse: "nothing was filed")
        let pool = try ReaderPool.forThisProgram(reading.effort)
        let container = try openRecord()
        let now = Date()
        let units = try unitsOptions.unit(by: settings)
        let output = Mutex(
            ScanOutput(of: "picture", count: finder.pictures.count, format: format, units: units)
        )
        defer { output.withLock { $0.end() } }
        let recording = ScanRecording(
            ScanRecorder(container: container, bounds: bounds, author: person.author),
            coming: finder.pictures.count,
            readers: pool.workers
        )
        try await PictureQueue.run(finder.pictures, width: 2 * pool.workers) {
            [timestamp] picture in
            do throws(ReadError) {
                let image = try await picture.open()
                let date = timestamp.date(of: image, now: now)
                var scan = await ReadPicture(
                    image,
                    reader: pool,
                    at: place.point,
                    as: place.role,
                    station: place.station,
                    date: date
                )
                scan.place = place.name
                scan.reading = picture.told(scan.reading)
                return (picture.shownName, scan)
            } catch {
                let scan = ReadPicture(
                    name: picture.name,
                    digest: nil,
                    reading: .failure(error),
                    point: place.point,
                    role: place.role,
                    station: place.station,
                    date: now
                )
                return (picture.shownName, scan)
            }
        } deliver: { name, scan in
            if case .failure(let error) = scan.reading, let failure = Self.shortage(error, name) {
                throw failure
            }
            try await recording.file(scan) { reports in
                // In the record names are text; here different names must not look alike.
                let reports = reports.map { report in
                    var report = report
                    report.image = name
                    return report
                }
                try output.withLock { try $0.write(reports) }
            }
        }
        try await recording.finish()
        await pool.shutdown()
        let isComplete = try output.withLock { output in
            try output.summarize(passedOver: finder.passedOver, isDryRun: dryRun)
            return output.isComplete
        }
        if !isComplete { throw ExitStatus.incomplete.code }
    }

    /// Opens the record, or for a dry run a copy of what it says.
    func openRecord() throws -> PersistentContainer {
        try dryRun ? storeOptions.openForRehearsal() : storeOptions.openForFiling()
    }

    /// The failure of the command if it cannot open any file because the system is short of something.
    private static func shortage(_ error: ReadError, _ name: String) -> Failure? {
        guard let number = error.errorNumber, [EMFILE, ENFILE, ENOMEM].contains(number) else {
            return nil
        }
        let remedy =
            number == ENOMEM ? "end other programs" : "raise the limit of open files (ulimit -n)"
        return Failure(
            .ioFailed,
            "\(name): \(error.message); \(remedy), and scan this picture and the rest again"
        )
    }
}
