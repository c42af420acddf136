internal import ArgumentParser
internal import Foundation
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport

/// `luggage file`: a tag that no reader can read is typed.
struct FileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "file",
        abstract: "File a bag whose tag no reader can read, by hand.",
        discussion: """
            luggage file F432BDB8 --at destination --reason "code torn off"
            luggage file F432BDB8-D84F-4461-8362-AFF89F6C493E --at origin --owner D/ZMU \
            --weight 42lb --by anna --reason "printer out of ink"

            It is a scan like any other, without a picture, and reported with the same words: new, \
            updated, repeated, changed. A bag that is not on record needs the whole identifier and a \
            weight.
            """
    )

    @Argument(help: "The identifier on the tag; the beginning of it for a bag that is on record.")
    var identifier: String

    @Option(
        name: .customLong("at"),
        help: ArgumentHelp("Where the bag is.", valueName: "origin|destination"),
        completion: .list(Point.allCases.map(\.rawValue)),
        transform: { try Point(word: $0) }
    )
    var point: Point

    @Option(help: "The name of this station; without it, the point.")
    var station: String?

    @Option(help: ArgumentHelp("Initial and family name as on the tag.", valueName: "D/ZMU"))
    var owner: OwnerArgument?

    @Option(help: ArgumentHelp("The weight with its unit, as 42lb or 19kg.", valueName: "weight"))
    var weight: WeightArgument?

    @Option(
        help: ArgumentHelp("When the bag was there: now, or as ISO 8601.", valueName: "now|time")
    )
    var time: Timestamp = .now

    @OptionGroup var person: PersonOptions

    @Option(help: ArgumentHelp("Why the tag is typed, for the record.", valueName: "text"))
    var reason: String

    @Option(help: "A line for people, or a JSON object for programs.")
    var format: OutputFormat = .table

    @OptionGroup var storeOptions: StoreOptions

    func validate() throws {
        if IdentifierPrefix(identifier) == nil {
            throw ValidationError(
                "an identifier consists of hexadecimal digits and hyphens, as F432BDB8-D84F-…"
            )
        }
        if let station, !station.isStationName {
            throw ValidationError(
                "a station's name has 1 to 64 characters, and no control characters among them"
            )
        }
        try PersonOptions.check(reason: reason)
        switch time {
        case .file: throw ValidationError("--time is now or a moment: there is no picture")
        case .date(let date) where date > Date():
            throw ValidationError("--time is in the future: no bag has been anywhere then")
        case .now, .date: break
        }
    }

    func run() throws {
        var moment = Date()
        if case .date(let date) = time { moment = date }
        let container = try storeOptions.openForFiling()
        let prefix = IdentifierPrefix(identifier)?.text ?? ""
        let id =
            try UUID(uuidString: prefix)
            ?? container.read { try BagFinder(context: $0).identifier(beginning: identifier) }
        let tag = TypedTag(
            identifier: id,
            point: point,
            station: station,
            date: moment,
            owner: owner?.name,
            weight: weight?.pounds
        )
        do {
            let report = try RecordCorrector(container: container)
                .file(tag, by: person.with(reason: reason))
            try write(report)
        } catch let error as CorrectionError {
            throw Failure(error)
        } catch let error as TagError {
            throw Failure(.incomplete, error.message)
        }
    }

    private func write(_ report: ScanReport) throws {
        if format == .json { return try StandardOutput.jsonDocument(report) }
        guard let luggage = report.luggage else { return }
        let owner = luggage.owner?.name.description ?? "nobody known"
        try StandardOutput.line(
            "\(report.outcome.rawValue): bag \(luggage.id.short) of \(owner.onOneLine), "
                + "\(luggage.weight.pounds), at \(report.point.rawValue) \(report.scannedAt.local)"
        )
    }
}
