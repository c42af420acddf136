internal import Foundation
public import LuggageTags
internal import System

/// The points that are known on this machine: those that are built in, and those that its settings name.
public struct PointWords: Equatable, Sendable {
    /// A point that the settings name.
    struct Named: Equatable, Sendable {
        let point: Point
        let role: Point.Role
    }

    /// Those that the settings name, in the order in which they stand there.
    let named: [Named]

    /// Knows the points that are built in.
    public init() {
        named = []
    }

    /// Reads what settings say: `security: under-way`, and so on, with commas or line breaks between.
    init(settingText text: String) throws(WrongValue) {
        var named: [Named] = []
        for line in text.split(whereSeparator: \.isNewline) where line.trimmed.first != "#" {
            let content = line.firstRange(of: " #").map { line[..<$0.lowerBound] } ?? line
            for entry in content.split(separator: ",") where !entry.trimmed.isEmpty {
                named.append(try Named(entry.trimmed, besides: named))
            }
        }
        self.named = named
    }

    /// All of them, those that are built in first.
    public var all: [Point] {
        Point.builtIn + named.map(\.point).filter { $0.builtInRole == nil }
    }

    /// The role that the settings give a point; nil of one that is built in, and of one that they do not
    /// name.
    public func role(of point: Point) -> Point.Role? {
        point.builtInRole == nil ? named.first { $0.point == point }?.role : nil
    }

    /// The point of a word.
    ///
    /// - Parameters:
    ///   - word: The word.
    ///   - others: Points that are known besides.
    /// - Returns: The point.
    /// - Throws: ``WrongValue`` where it is none that is known.
    public func point(
        _ word: String,
        besides others: [Point] = []
    ) throws(WrongValue) -> Point {
        let known = all + others.filter { !all.contains($0) }
        if let point = known.first(where: { $0.rawValue == word }) { return point }
        let words = known.map(\.rawValue)
        let likely = Spelling.nearest(to: word, among: words)
        throw WrongValue(
            expected: "one of \(words.joined(separator: ", "))",
            found: word,
            remedy: (likely.map { "did you mean \($0)? Else" } ?? "choose one of them, or")
                + " name the word and its role in the setting `\(WatchSetting.points.rawValue)`"
        )
    }

    /// What the settings say, as in an environment.
    var settingText: String? {
        if named.isEmpty { return nil }
        return named.map { "\($0.point.rawValue): \($0.role.rawValue)" }.joined(separator: ", ")
    }
}

extension PointWords.Named {
    /// As many as a machine has folders for.
    private static let most = 64

    /// Reads one entry, such as `security: under-way`.
    fileprivate init(_ entry: String, besides others: [Self]) throws(WrongValue) {
        let parts = entry.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw WrongValue(
                expected: "a point, a colon and its role",
                found: entry,
                remedy: "write it like security: under-way"
            )
        }
        let word = parts[0].unquoted
        guard let point = Point(rawValue: word) else {
            throw WrongValue(
                expected: "a point of 1 to 32 small letters, digits and hyphens, a letter first",
                found: word,
                remedy: "write it like security: under-way"
            )
        }
        let role: Point.Role = try SettingText.word(parts[1].unquoted)
        if let own = point.builtInRole, own != role {
            throw WrongValue(
                expected: "the role \(own.rawValue) for \(word), which is built in",
                found: role.rawValue,
                remedy: "choose another word"
            )
        }
        // A service moves what it has filed into folders of these names.
        if FolderLayout.Destination(rawValue: word) != nil {
            throw WrongValue(
                expected: "a point that can have a folder beside those of the service",
                found: word,
                remedy: "choose another word"
            )
        }
        if others.contains(where: { $0.point == point }) {
            throw WrongValue(
                expected: "each point once",
                found: word,
                remedy: "leave one of the two out"
            )
        }
        if others.count == Self.most {
            throw WrongValue(
                expected: "at most \(Self.most) points",
                found: word,
                remedy: "leave some of them out"
            )
        }
        self.init(point: point, role: role)
    }
}

extension Substring {
    /// Without the blanks around it.
    fileprivate var trimmed: String { trimmingCharacters(in: CharacterSet(charactersIn: " \t")) }

    /// Without the blanks and the quotes around it.
    fileprivate var unquoted: String {
        let text = trimmed
        guard text.utf8.count > 1, let quote = text.first, quote == text.last,
            quote == "'" || quote == "\""
        else { return text }
        return String(text.dropFirst().dropLast())
    }
}
