package import LuggageTags
internal import SystemSupport

/// The points known on this machine: those that are built in, and those that its settings name.
package struct PointWords: Equatable, Sendable {
    /// A point that the settings name.
    struct Named: Equatable, Sendable {
        let point: Point
        let role: Point.Role
    }

    /// The points that the settings name, in their order there.
    let named: [Named]

    /// Only the built-in points.
    package init() {
        named = []
    }

    /// Parses a setting such as `security: under-way`, with commas or line breaks between entries.
    init(settingText text: String) throws(WrongValue) {
        var named: [Named] = []
        try SettingText.forEachEntry(of: text) { entry throws(WrongValue) in
            named.append(try Named(entry, besides: named))
        }
        self.named = named
    }

    /// All points, the built-in ones first.
    package var all: [Point] {
        Point.builtIn + named.map(\.point).filter { $0.builtInRole == nil }
    }

    /// The role that the settings give to a point; nil for a built-in point or one not named there.
    package func role(of point: Point) -> Point.Role? {
        point.builtInRole == nil ? named.first { $0.point == point }?.role : nil
    }

    /// Returns the point with a name.
    ///
    /// - Parameters:
    ///   - word: The name.
    ///   - others: More known points.
    /// - Returns: The point.
    /// - Throws: ``WrongValue`` if no known point has that name.
    package func point(
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

    /// The named points as text, as in an environment variable; nil if there are none.
    var settingText: String? {
        if named.isEmpty { return nil }
        return named.map { "\($0.point.rawValue): \($0.role.rawValue)" }.joined(separator: ", ")
    }
}

extension PointWords.Named {
    /// The most points: a machine needs no more folders.
    private static let most = 64

    /// Parses one entry, such as `security: under-way`.
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
