internal import ArgumentParser
internal import Foundation
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport

/// `luggage show`: everything about one bag.
struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one bag and every scan of it.",
        discussion: """
            luggage show F432BDB8
            luggage show f432bdb8-d84f-4461-8362-aff89f6c493e --format json
            """
    )

    @Argument(help: "The bag's identifier, or the beginning of it, in any case.")
    var identifier: String

    @Option(help: "Lines for people, or a JSON object for programs.")
    var format: OutputFormat = .table

    @OptionGroup var storeOptions: StoreOptions

    func validate() throws {
        if IdentifierPrefix(identifier) == nil {
            throw ValidationError(
                "an identifier consists of hexadecimal digits and hyphens, as F432BDB8-D84F-…"
            )
        }
    }

    func run() throws {
        let report = try storeOptions.openForReading().read { context in
            let luggage = try find(in: context)
            let scans = try context.fetch(
                FetchRequest(Scan.self).where(\.luggage, is: luggage).sorted(by: \.scannedAt)
            )
            return CustodyReport(
                luggage: LuggageReport(luggage),
                scans: scans.map(CustodyReport.Entry.init)
            )
        }
        switch format {
        case .json: try StandardOutput.jsonDocument(report)
        case .table: try write(report)
        }
    }

    private func find(in context: ManagedObjectContext) throws -> Luggage {
        let prefix = IdentifierPrefix(identifier)?.text ?? identifier
        let found = try context.fetch(
            FetchRequest(Luggage.self)
                .where(\.identifier, hasPrefix: prefix)
                .sorted(by: \.identifier)
                .limited(to: 6)
        )
        if found.count == 1 { return found[0] }
        if found.isEmpty {
            throw Failure(
                .incomplete,
                "no bag begins with \(prefix); `luggage list` shows those on record"
            )
        }
        let names = found.prefix(5).map(\.identifier.uuidString).joined(separator: ", ")
        let more = found.count > 5 ? ", …" : ""
        throw Failure(.incomplete, "several bags begin with \(prefix): \(names)\(more)")
    }

    private func write(_ report: CustodyReport) throws {
        let luggage = report.luggage
        try StandardOutput.line("Bag       \(luggage.id.uuidString)")
        try StandardOutput.line("Owner     \(luggage.owner?.name.description ?? "-")")
        try StandardOutput.line("Weight    \(luggage.weight.pounds)")
        try StandardOutput.line("Departed  \(luggage.departedAt?.local ?? "-")")
        try StandardOutput.line("Arrived   \(luggage.arrivedAt?.local ?? "-")")
        let table = TextTable(columns: [
            .init(heading: "SCANNED", width: 21),
            .init(heading: "POINT", width: 11),
            .init(heading: "STATION", width: 11),
            .init(heading: "OUTCOME", width: 8),
            .init(heading: "PICTURE", width: 0),
        ])
        try StandardOutput.line("\n" + table.heading)
        for scan in report.scans {
            try StandardOutput.line(
                table.row([
                    scan.scannedAt.local, scan.point.rawValue, scan.station,
                    scan.outcome.rawValue, scan.imageName,
                ])
            )
        }
    }
}

/// The beginning of an identifier, brought into the form in which identifiers are kept.
struct IdentifierPrefix {
    /// In upper case, with hyphens where a UUID has them.
    let text: String

    init?(_ argument: String) {
        let digits = argument.uppercased().filter { $0 != "-" }
        guard (1...32).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isHexDigit })
        else { return nil }
        var text = ""
        for (position, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(position) { text.append("-") }
            text.append(digit)
        }
        self.text = text
    }
}

/// A bag and its scans, as `--format json` writes them.
private struct CustodyReport: Encodable {
    struct Entry: Encodable {
        var scannedAt: Date
        var point: Point
        var station: String
        var outcome: Outcome
        var imageName: String
        var imageDigest: String?
        /// The payload of the tag, where it is UTF-8.
        var payload: String?
        /// The payload of the tag, where it is not.
        var base64: String?

        init(_ scan: Scan) {
            scannedAt = scan.scannedAt
            point = scan.point
            station = scan.station
            outcome = scan.outcome
            imageName = scan.imageName
            imageDigest = scan.imageDigest
            payload = String(validating: scan.payload, as: UTF8.self)
            if payload == nil { base64 = scan.payload.base64EncodedString() }
        }
    }

    var luggage: LuggageReport
    var scans: [Entry]
}
