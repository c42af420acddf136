/// Names such as `departedAt` and `departed_at` for each other.
enum SnakeCase {
    /// `departedAt` as `departed_at`, `imageURLPath` as `image_url_path`.
    ///
    /// Words are parted as Foundation's coders do it: before each capital but the first letter, and
    /// where other letters follow it before the next small one, before the last of these.
    static func fromCamelCase(_ name: String) -> String {
        let letters = Array(name)
        var words: [ArraySlice<Character>] = []
        var start = 0
        var searched = 1
        while let capital = letters.indices.dropFirst(searched).first(where: {
            letters[$0].isUppercase
        }) {
            words.append(letters[start..<capital])
            start = capital
            guard let small = letters[capital...].firstIndex(where: \.isLowercase) else { break }
            if small > capital + 1 {
                words.append(letters[capital..<small - 1])
                start = small - 1
            }
            searched = small
        }
        words.append(letters[start...])
        return words.map { String($0).lowercased() }.joined(separator: "_")
    }

    /// `departed_at` as `departedAt`; underscores before and behind stay.
    static func toCamelCase(_ name: String) -> String {
        guard let first = name.firstIndex(where: { $0 != "_" }),
            let last = name.lastIndex(where: { $0 != "_" })
        else { return name }
        let words = name[first...last].split(separator: "_")
        guard let leading = words.first, words.count > 1 else { return name }
        let joined = leading.lowercased() + words.dropFirst().map(\.capitalisedOnce).joined()
        return name[..<first] + joined + name[name.index(after: last)...]
    }
}

extension Substring {
    /// The word with its first letter large and the rest small.
    fileprivate var capitalisedOnce: String {
        prefix(1).uppercased() + dropFirst().lowercased()
    }
}
