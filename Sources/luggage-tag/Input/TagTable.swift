internal import ArgumentParser
internal import Foundation
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

    /// Its name in messages.
    let name: String
    /// The tags, in the order of the table.
    private(set) var entries: [Entry] = []
    private let faults: TableFaults

    /// Reads a table as a whole.
    ///
    /// - Parameters:
    ///   - path: The file, or `-` for standard input.
    ///   - defaults: The airports and trips of rows that have none.
    /// - Throws: `Failure` if it cannot be read, or anything in it is wrong.
    init(path: String, defaults: TagOptions) throws {
        let input = try InputFile(path: path)
        name = input.name.onOneLine
        faults = TableFaults(name)
        do {
            var table = try CSVTable { try input.read() }
            try check(table.columns, defaults)
            var lines: [UUID: Int] = [:]
            var count = 0
            while let row = try table.next() {
                count += 1
                do {
                    let row = try row.get()
                    let tag = try Self.tag(row.fields, defaults)
                    if let other = lines.updateValue(row.line, forKey: tag.identifier) {
                        throw Failure(
                            .incomplete,
                            "the identifier \(tag.identifier) is on line \(other) too; each bag "
                                + "needs its own"
                        )
                    }
                    entries.append(Entry(line: row.line, tag: tag))
                } catch let fault as CSVTable.Fault {
                    faults.add(fault.line, fault.message)
                } catch {
                    faults.add(try row.get().line, TagText.words(error))
                }
            }
            try faults.end(of: count)
        } catch let fault as CSVTable.Fault {
            throw Failure(.incomplete, "\(name):\(fault.line): \(fault.message)")
        }
        if entries.isEmpty { throw Failure(.incomplete, "\(name) has no rows; nothing is printed") }
    }

    /// Runs a closure for each tag; reports errors with the tag's line.
    func forEach(_ body: (PrintedTag) throws -> Void) throws {
        for entry in entries {
            do {
                try body(entry.tag)
            } catch let error as TagPrintingError {
                faults.add(entry.line, error.inOptions)
            }
        }
        try faults.end(of: entries.count)
    }

    private func check(_ columns: [String], _ defaults: TagOptions) throws {
        func needs(_ names: String...) -> String? {
            names.contains(where: columns.contains) ? nil : names[0]
        }
        let hasNames = columns.contains("owner") || needs("given", "givenName") == nil
        let missing = [
            hasNames ? nil : "owner",
            columns.contains("owner") || !hasNames ? nil : needs("family", "familyName"),
            defaults.from == nil ? needs("from") : nil, defaults.to == nil ? needs("to") : nil,
            needs("weight"),
        ].compactMap(\.self)
        if !missing.isEmpty {
            throw Failure(
                .incomplete,
                "\(name):1: there is no column \(missing.joined(separator: ", ")); the first line "
                    + "names the columns: owner,from,to,weight,id"
            )
        }
    }

    private static func tag(
        _ fields: [String: String],
        _ defaults: TagOptions
    ) throws -> PrintedTag {
        func field(_ names: String...) throws -> String {
            guard let text = names.compactMap({ fields[$0] }).first else {
                throw Failure(.incomplete, "the field \(names[0]) is empty")
            }
            return text
        }
        func airport(_ name: String, default airport: Airport?) throws -> Airport {
            if fields[name] == nil, let airport { return airport }
            return try Airport(field(name))
        }
        let owner =
            try fields["owner"].map(TagText.owner)
            ?? PassengerName(
                givenName: field("given", "givenName"),
                familyName: field("family", "familyName")
            )
        let weight = try field("weight")
        // In a table, as in exported ones, a number without a unit is in pounds.
        let isNumber = DecimalNumber.isNumber(weight.utf8, isPadded: true)
        let pounds = isNumber ? Float(weight).flatMap { $0.isFinite ? $0 : nil } : nil
        return try PrintedTag(
            identifier: fields["id"].map(TagText.identifier) ?? UUID(),
            owner: owner,
            pounds: pounds ?? TagText.pounds(weight),
            origin: airport("from", default: defaults.from),
            destination: airport("to", default: defaults.to),
            trip: fields["trip"] ?? defaults.trip,
            date: fields["date"] ?? defaults.date
        )
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
