internal import Foundation
internal import PictureReaders
internal import TagScenes

/// How several readers did on a set of pictures.
struct ScoreReport: Encodable {
    /// One reader.
    struct Entry: Encodable {
        let reader: String
        let command: [String]
        /// Every picture with a symbol.
        let overall: Tally
        let categories: [String: Tally]
        let pictures: [PictureScore]
    }

    let rounds: Int
    let readers: [Entry]
    /// Pictures with a symbol that at least one of the readers has read.
    let readByAny: Int

    private enum CodingKeys: CodingKey {
        case rounds, readers, readByAny
    }

    /// The categories in the order of the pictures.
    let order: [String]

    init(_ scores: [(reader: Reader, pictures: [PictureScore])], rounds: Int) {
        self.rounds = rounds
        var order: [String] = []
        for picture in scores.first?.pictures ?? [] where !order.contains(picture.category) {
            order.append(picture.category)
        }
        self.order = order
        readers = scores.map { score in
            Entry(
                reader: score.reader.name,
                command: score.reader.command,
                overall: Tally(score.pictures.filter { $0.expected > 0 }),
                categories: Dictionary(grouping: score.pictures, by: \.category).mapValues(
                    Tally.init
                ),
                pictures: score.pictures
            )
        }
        let read = scores.map { score in
            Set(score.pictures.lazy.filter { $0.expected > 0 && $0.isRead }.map(\.file))
        }
        readByAny = read.reduce(Set()) { $0.union($1) }.count
    }

    /// The report as JSON.
    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// The report as a table for people.
    var table: String {
        var lines = [
            Self.row("", readers.map { Self.cell($0.reader) }),
            Self.row("", readers.map { _ in Self.cell("read wrong      ms    MiB") }),
        ]
        for category in order {
            let tallies = readers.compactMap { $0.categories[category] }
            let count = tallies.first?.pictures ?? 0
            lines.append(Self.row("\(category) (\(count))", tallies.map(Self.figures)))
        }
        let overall = readers.map(\.overall)
        let count = overall.first?.pictures ?? 0
        lines.append(Self.row("with a symbol (\(count))", overall.map(Self.figures)))
        lines.append(
            Self.row("payloads", overall.map { Self.cell("\($0.payloadsRead) of \($0.payloads)") })
        )
        lines.append(
            Self.row("wrong anywhere", readers.map { Self.cell(String($0.all.wrong)) })
        )
        lines.append(
            Self.row("seconds, all pictures", readers.map { Self.cell($0.all.seconds.short(1)) })
        )
        lines.append("read by any of them: \(readByAny) of \(count)")
        for reader in readers {
            lines += reader.remarks
        }
        return lines.joined(separator: "\n")
    }

    private static func row(_ heading: String, _ cells: [String]) -> String {
        let width = 26
        let padding = String(repeating: " ", count: max(width - heading.count, 1))
        return heading + padding + cells.joined(separator: "  |")
    }

    private static func cell(_ text: String) -> String {
        String(repeating: " ", count: max(27 - text.count, 1)) + text
    }

    private static func figures(_ tally: Tally) -> String {
        let percent = 100 * Double(tally.read) / Double(max(tally.pictures, 1))
        return cell(
            percent.short(1).leading(6) + String(tally.wrong).leading(5)
                + tally.milliseconds.short(1).leading(9) + tally.mebibytes.short(1).leading(7)
        )
    }
}

extension ScoreReport.Entry {
    fileprivate var all: Tally { Tally(pictures) }

    /// What does not fit into a table and must not be overlooked.
    fileprivate var remarks: [String] {
        let wrong = pictures.flatMap { picture in
            picture.wrong.map { "wrong: \(reader) read \($0) (base64) from \(picture.file)" }
        }
        let unsteady = pictures.filter(\.isUnsteady).map { picture in
            "unsteady: \(reader) gave different answers for \(picture.file)"
        }
        let ended = pictures.compactMap { picture in
            picture.signal.map { "ended by signal \($0): \(reader) on \(picture.file)" }
        }
        return [wrong, unsteady, ended].flatMap(Self.beginning)
    }

    /// The first few: the report in JSON has all.
    private static func beginning(of lines: [String]) -> [String] {
        let few = 5
        guard lines.count > few, let kind = lines[0].split(separator: ":").first else {
            return lines
        }
        return lines.prefix(few) + ["\(kind): \(lines.count - few) more"]
    }
}

extension Double {
    fileprivate func short(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}

extension String {
    fileprivate func leading(_ width: Int) -> String {
        String(repeating: " ", count: max(width - count, 0)) + self
    }
}
