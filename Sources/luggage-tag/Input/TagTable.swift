internal import ArgumentParser
internal import FoundationEssentials
internal import LuggageTags
internal import ProgramSupport
internal import SystemSupport
internal import TagPrinting

/// The tags of a table, each with its line.
struct TagTable {
    /// A tag, and the line that describes it.
    struct Entry {
        let line: Int
        let tag: PrintedTag
    }

    /// The tags, in the order of the table.
    private(set) var entries: [Entry] = []
    /// All rows, also those of bags that are cancelled.
    private var rows: [ListRow] = []
    private let columns: [String]
    private let names: [ListColumn: [String]]
    private let defaults: TagOptions
    private let faults: TableFaults

    /// Reads a table as a whole.
    ///
    /// - Parameters:
    ///   - path: The file, or `-` for standard input.
    ///   - defaults: What is on the tags of rows that do not say it.
    /// - Throws: `Failure` if it cannot be read, or anything in it is wrong.
    init(path: String, defaults: TagOptions) throws {
        let input = try InputFile(path: path)
        let name = input.name.onOneLine
        faults = TableFaults(name)
        self.defaults = defaults
        do {
            var table = try CSVTable { try input.read() }
            columns = table.columns
            names = ListColumn.names(in: columns)
            try Self.check(names, name)
            var count = 0
            while let row = try table.next() {
                count += 1
                switch row {
                case .success(let row): rows.append(ListRow(row, names))
                case .failure(let fault): faults.add(fault.line, fault.message)
                }
            }
            let ids = rows.compactMap { $0[.id] }
            // Lists number their rows in such a column, or passengers.
            let hasIDs = ids.contains { UUID(strictly: $0) != nil }
            if !hasIDs, !ids.isEmpty {
                StandardError.complain(
                    "luggage-tag",
                    "\(name): the column of identifiers has none, and is passed over"
                )
            }
            var lines: [UUID: Int] = [:]
            for row in rows {
                if row.isCancelled == true { continue }
                do {
                    let tag = try Self.tag(row, hasIDs: hasIDs, defaults)
                    if let other = lines.updateValue(row.line, forKey: tag.identifier) {
                        throw Failure(
                            .incomplete,
                            "the identifier \(tag.identifier) is on line \(other) too; each bag "
                                + "needs its own"
                        )
                    }
                    entries.append(Entry(line: row.line, tag: tag))
                } catch {
                    faults.add(row.line, TagText.words(error))
                }
            }
            try faults.end(of: count)
        } catch let fault as CSVTable.Fault {
            throw Failure(.incomplete, "\(name):\(fault.line): \(fault.message)")
        }
        if entries.isEmpty { throw Failure(.incomplete, "\(name) has no rows; nothing is printed") }
    }

    /// Runs a closure for the tags of each page; reports errors with the line of the first of them.
    ///
    /// - Parameters:
    ///   - count: How many tags a page has.
    ///   - body: Draws a page.
    /// - Throws: `Failure` if some could not be drawn.
    func forEachPage(of count: Int, _ body: ([PrintedTag]) throws -> Void) throws {
        for start in stride(from: 0, to: entries.count, by: count) {
            let page = entries[start..<min(start + count, entries.count)]
            do {
                try body(page.map(\.tag))
            } catch let error as TagPrintingError {
                faults.add(page[start].line, error.inOptions)
            }
        }
        try faults.end(of: entries.count)
    }

    /// The table again as `luggage expect` takes it: with the identifiers, and with what the options say.
    var completed: [UInt8] {
        var told: [ListColumn: String] = [:]
        told[.from] = defaults.from?.description
        told[.to] = defaults.to?.description
        told[.trip] = defaults.trip?.description
        told[.date] = defaults.date
        told[.weight] = defaults.weight.map { "\($0)" }
        let tags = Dictionary(uniqueKeysWithValues: entries.map { ($0.line, $0.tag) })
        let added = ListColumn.allCases.filter {
            names[$0] == nil && ($0 == .id || told[$0] != nil)
        }
        var bytes = CSVLine.bytes(of: columns + added.map { $0.names[0] })
        for row in rows {
            told[.id] = tags[row.line]?.identifier.uuidString ?? row[.id]
            // Nobody has a cancelled bag without one, nor looks for it.
            if told[.id] == nil { continue }
            CSVLine.append(
                row.fields(of: columns, told) + added.map { told[$0] ?? "" },
                to: &bytes
            )
        }
        return bytes
    }

    private static func check(_ names: [ListColumn: [String]], _ table: String) throws {
        if names[.owner] != nil { return }
        let missing =
            names[.given] != nil
            ? (names[.family] != nil ? nil : "family")
            : names[.family] != nil ? "given" : "owner"
        if let missing {
            throw Failure(
                .incomplete,
                "\(table):1: there is no column \(missing); the first line names the columns: owner (or "
                    + "given and family), from, to, trip, date, weight, id"
            )
        }
    }

    private static func tag(
        _ row: ListRow,
        hasIDs: Bool,
        _ defaults: TagOptions
    ) throws -> PrintedTag {
        if row.isCancelled == nil {
            throw Failure(.incomplete, "write yes or no in the column of cancelled bags")
        }
        return try PrintedTag(
            identifier: (hasIDs ? row[.id] : nil).map(TagText.identifier) ?? UUID(),
            owner: owner(row),
            pounds: row.weight.map(pounds) ?? defaults.weight,
            origin: row[.from].map(PlaceName.init) ?? defaults.from,
            destination: row[.to].map(PlaceName.init) ?? defaults.to,
            trip: row[.trip].map(PlaceName.init) ?? defaults.trip,
            date: row.date ?? defaults.date
        )
    }

    /// The owner as the tag shows it: from a column of its own, or from the whole names.
    private static func owner(_ row: ListRow) throws -> PassengerName {
        if let owner = row[.owner] { return try TagText.owner(owner) }
        if let owner = try row.owner() { return owner }
        throw Failure(.incomplete, "the row names no passenger")
    }

    /// In a table, as in exported ones, a number without a unit is in pounds.
    private static func pounds(_ text: String) throws -> Float {
        if DecimalNumber.isNumber(text.utf8, isPadded: true), let pounds = Float(text),
            pounds.isFinite
        {
            return pounds
        }
        return try TagText.pounds(text)
    }
}

/// Reports the mistakes in a table, line by line.
final class TableFaults {
    private let name: String
    private var count = 0
    /// The most reported mistakes, which is more than anyone reads at a time.
    private static let most = 20

    init(_ name: String) {
        self.name = name
    }

    /// Reports a mistake in a line.
    func add(_ line: Int, _ message: String) {
        count += 1
        if count <= Self.most {
            StandardError.complain("luggage-tag", "\(name):\(line): \(message)")
        }
    }

    /// Ends the program if anything was wrong.
    func end(of total: Int) throws {
        if count == 0 { return }
        let more = count > Self.most ? ", of which the first \(Self.most) are named" : ""
        throw Failure(
            .incomplete,
            "nothing is printed: \(count) of \(total) rows \(count == 1 ? "is" : "are") wrong\(more)"
        )
    }
}
