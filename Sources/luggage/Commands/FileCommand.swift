internal import ArgumentParser
internal import FoundationEssentials
internal import LuggageService
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import SystemSupport

/// `luggage file`: files a tag by hand that no reader can read.
struct FileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "file",
        abstract: "File a bag by hand, if its tag cannot be read.",
        discussion: """
            luggage file F432BDB8 --at destination --reason "code torn off"
            luggage file F432BDB8-D84F-4461-8362-AFF89F6C493E --at origin \\
              --owner D/ZMU --weight 42lb --by anna --reason "printer out of ink"
            luggage file --picture failed/IMG_0042.png --id F432BDB8 --reason "creased"

            It files a scan like any other, but without a picture, and reports it with the same words: \
            new, updated, repeated, changed. A bag that is not on record needs the whole identifier.

            With --picture you type the tag from a picture that could not be read: the note beside the \
            picture tells where and when the bag was, and at which station. Once you have typed as many \
            tags as could not be read, the picture goes to `processed`; `luggage dismiss` closes it \
            without the others. If this is interrupted, run the same command again: nothing is filed \
            twice.
            """
    )

    @Argument(
        help: "The identifier on the tag; of a bag on record, its first or last digits.",
        transform: { try IdentifierDigits(argument: $0) }
    )
    var identifier: IdentifierDigits?

    @Option(
        name: .customLong("id"),
        help: ArgumentHelp("The same, as an option.", valueName: "identifier"),
        transform: { try IdentifierDigits(argument: $0) }
    )
    var id: IdentifierDigits?

    @Option(
        help: ArgumentHelp(
            "The picture in the folder `failed` that shows the tag.",
            valueName: "failed/NAME.png"
        ),
        completion: .file()
    )
    var picture: String?

    @OptionGroup var watched: FolderOption

    @OptionGroup var place: PlaceOptions

    @OptionGroup var bag: BagOptions

    @OptionGroup var way: RouteOptions

    @Option(
        help: ArgumentHelp(
            "When the bag was there, in local time or with a time zone; without it, now, or the "
                + "picture's time.",
            valueName: "2026-07-01 09:30"
        ),
        transform: { try Timestamp.moment($0) }
    )
    var time: Date?

    @OptionGroup var person: PersonOptions

    @Option(help: ArgumentHelp("Why the tag is typed, for the record.", valueName: "text"))
    var reason: String

    @OptionGroup var unitsOptions: UnitsOptions

    @Option(word: "A line for people, or a JSON object for programs.")
    var format: OutputFormat = .table

    @OptionGroup var storeOptions: StoreOptions

    func validate() throws {
        try PersonOptions.check(reason: reason)
        if (identifier == nil) == (id == nil) {
            throw ValidationError("give the identifier on the tag, once")
        }
        if picture == "" { throw ValidationError("--picture names no picture") }
        if watched.folder != nil && picture == nil {
            throw ValidationError("--folder is for a picture: add --picture")
        }
        if let time { try Timestamp.date(time).refuseFuture("--time") }
    }

    func run() async throws {
        let settings = storeOptions.settings.shared
        let bounds = try settings.bounds
        let units = try unitsOptions.unit(by: settings)
        try bag.check(bounds)
        if let time { try Timestamp.date(time).refuse(before: bounds, "--time", settings) }
        let failed = try await failedPicture()
        let place =
            try failed.map { try self.place(of: $0.picture, settings) }
            ?? self.place.place(by: settings)
        guard let digits = identifier ?? id else { return }
        let container = try storeOptions.openForFiling()
        let bagID =
            try digits.identifier
            ?? container.read {
                try BagSearch(context: $0).bag(digits, for: .changing).identifier
            }
        // The time in the note says nothing if the camera's clock was never set.
        let taken = failed?.picture.date ?? Date()
        var tag = TypedTag(
            identifier: bagID,
            point: place.point,
            role: place.role,
            station: place.station,
            date: time ?? (taken < bounds.earliest ? Date() : taken),
            owner: bag.owner,
            weight: bag.weight
        )
        tag.place = place.name
        tag.route = way.route
        tag.picture = failed?.picture.sight
        let corrector = RecordCorrector(container: container, bounds: bounds)
        try write(corrector.file(tag, by: person.with(reason: reason)), in: units)
        if let (closing, picture) = failed { try close(picture, closing, corrector) }
    }

    /// The place where a failed picture was taken.
    ///
    /// If the note beside it does not tell the role of the point, the settings do.
    private func place(
        of picture: FolderClosing.Picture,
        _ settings: SharedSettings
    ) throws -> Place {
        let point = picture.sight.point
        return Place(
            point: point,
            role: try picture.role ?? settings.role(of: point),
            station: place.station ?? picture.sight.station,
            name: try settings.values(of: [.place], arguments: [.place: place.place]).place
        )
    }

    /// Finds the failed picture from which the tag is typed.
    private func failedPicture() async throws -> (
        closing: FolderClosing, picture: FolderClosing.Picture
    )? {
        guard let picture else { return nil }
        let settings = storeOptions.settings.shared
        let (closing, found) = try await FailedPictureArguments(
            names: [picture],
            folder: watched.folder,
            point: place.point(by: settings),
            station: place.station
        ).find(settings)
        guard let picture = found.pictures.first else {
            throw Failure(.incomplete, found.left.joined(separator: "; "))
        }
        return (closing, picture)
    }

    /// Moves the picture, if nothing is left to be done about it.
    private func close(
        _ picture: FolderClosing.Picture,
        _ closing: FolderClosing,
        _ corrector: RecordCorrector
    ) throws {
        let progress = try corrector.progress(of: picture.sight)
        guard progress.isClosed else {
            StandardError.complain(
                "luggage",
                "\(picture.displayName) stays in the folder failed: "
                    + "\(progress.typed) of \(progress.failed) tags are typed; type the others too, or "
                    + "close it with `luggage dismiss`"
            )
            return
        }
        do throws(FilingError) {
            try closing.close(picture)
        } catch {
            throw Failure(moving: error)
        }
    }

    private func write(_ report: ScanReport, in units: MassUnit) throws {
        if format == .json { return try StandardOutput.jsonDocument(report) }
        guard let luggage = report.luggage else { return }
        let owner = luggage.owner?.name.description ?? "nobody known"
        let weight = luggage.weight.map { "\($0.text(in: units)), " } ?? ""
        let remark = report.misroutedRemark.map { "; \($0.onOneLine)" } ?? ""
        try StandardOutput.line(
            "\(report.outcome.rawValue): bag \(luggage.id.short) of \(owner.onOneLine), \(weight)"
                + "at \(report.point.rawValue) \(report.scannedAt.local)\(remark)"
        )
    }
}
