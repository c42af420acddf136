internal import LuggageTags
internal import System

/// The lines of a configuration file, before any value in it is understood.
///
/// A configuration is one `key: value` a line, but for points, which stand one a line below their key and
/// are a text to the parser. So this is decided line by line, and only what passes is given to the parser
/// of YAML: no anchor, list or nested mapping reaches it, and what a hostile file costs is bounded by its
/// length. It knows too on which line a key is, which the parser does not tell.
///
/// It looks at scalars and never at characters: YAML knows a bracket also where a mark is combined
/// with it.
struct ConfigurationOutline {
    private typealias Scalars = Substring.UnicodeScalarView

    /// A setting in the file.
    struct Entry: Equatable {
        let setting: WatchSetting
        /// Its lines, counted from 0.
        var lines: Range<Int>
        /// Whether it has no value, so that it counts as left out.
        var isEmpty: Bool
        /// Whether its value is what stands on the lines below its key.
        var isBelow = false
    }

    /// How many faults are told; a file with more of them is something else.
    static let faultLimit = 50

    /// Something wrong with the form of the file.
    struct Fault: Equatable {
        /// The line, counted from 1.
        let line: Int
        let key: String?
        let problem: String
        let remedy: String
    }

    private(set) var entries: [Entry] = []
    private(set) var faults: [Fault] = []
    /// Whether some line may have any setting: of which the key is not known, or after too many faults.
    private(set) var hasUnknownLines = false

    private let lines: [String]
    private var firstLines: [String: Int] = [:]
    private var hasSettings = false
    /// What the lines that are further in belong to.
    private var current = Continuation.nothing

    private enum Continuation: Equatable {
        /// No setting has come yet.
        case nothing
        /// A text of several lines.
        case block
        /// A setting whose value may stand on the lines below.
        case below
        /// A value that was complete on its line.
        case complete(key: String)
        /// A setting that was found wrong, or is ignored.
        case ignored
    }

    init(_ text: String) {
        // As YAML has it, a mark of the byte order is no part of the text.
        let text =
            text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        lines = Self.split(text)
        for (index, line) in lines.enumerated() {
            if faults.count == Self.faultLimit {
                hasUnknownLines = true
                break
            }
            take(line, index)
        }
    }

    /// The text of some settings alone, each on the line where it was.
    func text(of entries: [Entry]) -> String {
        var kept = Array(repeating: "", count: lines.count)
        for entry in entries {
            for index in entry.lines { kept[index] = lines[index] }
            guard entry.isBelow else { continue }
            // To the parser, it is a text of several lines.
            kept[entry.lines.lowerBound] = "\(entry.setting.rawValue): |"
            for index in entry.lines.dropFirst() {
                let content = lines[index].unicodeScalars.drop { $0 == " " || $0 == "\t" }
                kept[index] = "  " + String(content)
            }
        }
        return kept.joined(separator: "\n") + "\n"
    }

    private static func split(_ text: String) -> [String] {
        var lines: [String.UnicodeScalarView] = [.init()]
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            if scalar == "\n" && isAfterReturn {
                isAfterReturn = false
                continue
            }
            isAfterReturn = scalar == "\r"
            if scalar == "\n" || scalar == "\r" {
                lines.append(.init())
            } else {
                lines[lines.count - 1].append(scalar)
            }
        }
        return lines.map { String($0) }
    }

    private mutating func take(_ line: String, _ index: Int) {
        let content = line.unicodeScalars.drop { $0 == " " || $0 == "\t" }
        // Some of these are line breaks to YAML, and all of them hide something from the reader.
        if line.hiddenCharacters.contains(where: { line.unicodeScalars[$0] != "\t" }) {
            current = .ignored
            return fault(index, nil, "a character that is not seen is in this line", "remove it")
        }
        guard let first = content.first else { return extend(to: index) }
        if content.count < line.unicodeScalars.count {
            return takeIndented(first, index)
        }
        if first == "#" { return }
        let afterDashes = content.dropFirst(3)
        if !hasSettings, content.starts(with: "---".unicodeScalars), Self.isEmpty(afterDashes) {
            return
        }
        hasSettings = true
        takeSetting(line, index)
    }

    private mutating func takeIndented(_ first: Unicode.Scalar, _ index: Int) {
        switch current {
        case .block: extend(to: index)
        case .ignored: break
        case _ where first == "#": break
        case .below:
            extend(to: index)
            guard let last = entries.indices.last else { break }
            (entries[last].isEmpty, entries[last].isBelow) = (false, true)
        case .nothing:
            current = .ignored
            fault(index, nil, "a setting is further in", "begin it at the beginning of its line")
        case .complete(let key):
            current = .ignored
            fault(
                index,
                key,
                "expected one value on the line of its key, found more lines that belong to it",
                "write everything on that line, or write | there and the text on lines further in"
            )
            entries.removeAll { $0.setting.rawValue == key }
        }
    }

    private mutating func extend(to index: Int) {
        guard [.block, .below].contains(current), let last = entries.indices.last else { return }
        entries[last].lines = entries[last].lines.lowerBound..<index + 1
    }

    private mutating func takeSetting(_ line: String, _ index: Int) {
        current = .ignored
        let end = line.unicodeScalars.indices.first { position in
            guard line.unicodeScalars[position] == ":" else { return false }
            let next = line.unicodeScalars[line.unicodeScalars.index(after: position)...].first
            return next == nil || next == " " || next == "\t"
        }
        guard let end, let key = Self.key(line[..<end]) else {
            return fault(
                index,
                nil,
                "expected a key, a colon, a space and a value, found \(SettingText.quoted(line))",
                "write it like \(WatchSetting.folder.rawValue): /srv/luggage"
            )
        }
        guard let setting = WatchSetting(rawValue: key) else { return unknown(key, index) }
        if let first = firstLines[key] {
            return fault(
                index,
                key,
                "is set already on line \(first + 1)",
                "leave one of the two out"
            )
        }
        firstLines[key] = index
        let rest = Substring(line).unicodeScalars[end...].dropFirst()
        let value = rest.drop { $0 == " " || $0 == "\t" }
        let below =
            "write each on a line of its own below the key, further in, as security: under-way"
        if let problem = Self.problem(of: value) {
            return fault(index, key, problem.problem, setting == .points ? below : problem.remedy)
        }
        let isEmpty = Self.isEmpty(value)
        let isText = value.first.map { "|>'\"".unicodeScalars.contains($0) } ?? true
        if setting == .points && !isEmpty && !isText {
            let found = SettingText.quoted(String(value))
            return fault(index, key, "expected points on the lines below, found \(found)", below)
        }
        current = value.first == "|" || value.first == ">" ? .block : .complete(key: key)
        if setting == .points && isEmpty { current = .below }
        entries.append(Entry(setting: setting, lines: index..<index + 1, isEmpty: isEmpty))
    }

    private mutating func unknown(_ key: String, _ index: Int) {
        let keys = WatchSetting.allCases.map(\.rawValue)
        let likely = Spelling.nearest(to: key, among: keys)
        fault(
            index,
            key,
            "there is no such setting",
            likely.map { "did you mean \($0)?" } ?? "known are " + keys.joined(separator: ", ")
        )
    }

    private mutating func fault(_ index: Int, _ key: String?, _ problem: String, _ remedy: String) {
        if key == nil { hasUnknownLines = true }
        faults.append(Fault(line: index + 1, key: key, problem: problem, remedy: remedy))
    }

    private static func key(_ text: Substring) -> String? {
        var key = text
        while key.last == " " || key.last == "\t" { key.removeLast() }
        let isWord = key.utf8.allSatisfy {
            $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20
        }
        return isWord && (1...100).contains(key.utf8.count) ? String(key) : nil
    }

    private static func isEmpty(_ value: Scalars) -> Bool {
        let content = value.prefix { $0 != "#" }.filter { $0 != " " && $0 != "\t" }
        return ["", "~", "null", "Null", "NULL"].contains {
            $0.unicodeScalars.elementsEqual(content)
        }
    }

    /// What the beginning of a value tells that no setting can be.
    private static func problem(of value: Scalars) -> (problem: String, remedy: String)? {
        let isItem =
            value.elementsEqual("-".unicodeScalars) || value.starts(with: "- ".unicodeScalars)
        return switch value.first {
        case "&", "*", "!":
            (
                "expected a value, found one that begins with \(value.first ?? "!")",
                "write the value itself, or put it in quotes"
            )
        case "[":
            ("expected one value, found a list", "write one value, or put it in quotes")
        case "-" where isItem:
            ("expected one value, found a list", "write one value, or put it in quotes")
        case "{":
            ("expected one value, found further settings", "write one value, or put it in quotes")
        case "\"", "'":
            isClosed(value)
                ? nil : ("the quotes around the value are not closed", "close them on this line")
        default: nil
        }
    }

    private static func isClosed(_ value: Scalars) -> Bool {
        var rest = value.dropFirst()
        let quote = value.first
        while let scalar = rest.popFirst() {
            if scalar == "\\" && quote == "\"" {
                rest = rest.dropFirst()
            } else if scalar == quote {
                guard quote == "'" && rest.first == quote else { return true }
                rest = rest.dropFirst()
            }
        }
        return false
    }
}
