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
            luggage file F432BDB8-D84F-4461-8362-AFF89F6C493E --at origin \\
              --owner D/ZMU --weight 42lb --by anna --reason "printer out of ink"

            It is a scan like any other, without a picture, and reported with the same words: new, \
            updated, repeated, changed. A bag that is not on record needs the whole identifier and a \
            weight.
            """
    )

    @Argument(
        help: "The identifier on the tag; of a bag on record, its first or last digits.",
        transform: { try IdentifierDigits(argument: $0) }
    )
    var identifier: IdentifierDigits

    @OptionGroup var place: PlaceOptions

    @OptionGroup var bag: BagOptions

    @Option(
        help: ArgumentHelp(
            "When the bag was there, on the clocks here or with its zone; without it, now.",
            valueName: "2026-07-01 09:30"
        ),
        transform: { try Timestamp.moment($0) }
    )
    var time: Date?

    @OptionGroup var person: PersonOptions

    @Option(help: ArgumentHelp("Why the tag is typed, for the record.", valueName: "text"))
    var reason: String

    @Option(word: "A line for people, or a JSON object for programs.")
    var format: OutputFormat = .table

    @OptionGroup var storeOptions: StoreOptions

    func validate() throws {
        try PersonOptions.check(reason: reason)
        if let time { try Timestamp.date(time).refuseFuture("--time") }
    }

    func run() throws {
        let (point, station) = try place.place(by: storeOptions.settings.shared)
        let container = try storeOptions.openForFiling()
        let id =
            try identifier.identifier
            ?? container.read {
                try BagSearch(context: $0).bag(identifier, for: .changing).identifier
            }
        let tag = TypedTag(
            identifier: id,
            point: point,
            station: station,
            date: time ?? Date(),
            owner: bag.owner,
            weight: bag.weight
        )
        try write(
            RecordCorrector(container: container).file(tag, by: person.with(reason: reason))
        )
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
