/// Converts names such as `departedAt` and `departed_at` into each other.
enum SnakeCase {
    /// `departedAt` becomes `departed_at`, `imageURLPath` becomes `image_url_path`.
    ///
    /// Words are separated as in Foundation's coders: before the first of several capitals, unless
    /// it is the first letter, and before the last of them if a small letter follows.
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

    /// `departed_at` becomes `departedAt`; leading and trailing underscores stay.
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
    /// The word with a capital first letter and the rest in lower case.
    fileprivate var capitalisedOnce: String {
        prefix(1).uppercased() + dropFirst().lowercased()
    }
}
