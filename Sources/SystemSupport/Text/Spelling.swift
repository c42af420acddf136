/// Guesses the intended word for an unknown one.
package enum Spelling {
    /// The nearest of some words, or nil if none is near.
    package static func nearest(to word: String, among words: [String]) -> String? {
        let plain = simplified(word)
        // Nobody misspells a word as one of twice its length; this also limits the time.
        guard !plain.isEmpty, plain.count <= 40 else { return nil }
        let distances = words.map { (word: $0, distance: distance(plain, simplified($0))) }
        guard let nearest = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        let allowed = plain.count < 4 ? 1 : 2
        return nearest.distance <= min(allowed, plain.count - 1) ? nearest.word : nil
    }

    /// Treats `hookTimeLimit` and `Hook_Time_Limit` as misspellings of `hook-time-limit`.
    private static func simplified(_ word: String) -> [UInt8] {
        word.lowercased().utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
    }

    /// How many letters must be added, left out, changed or exchanged with the next.
    private static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for (row, letter) in first.enumerated() {
            var current = [row + 1]
            for (column, other) in second.enumerated() {
                var least = min(
                    last[column + 1] + 1,
                    current[column] + 1,
                    last[column] + (letter == other ? 0 : 1)
                )
                let isExchange =
                    row > 0 && column > 0 && letter == second[column - 1]
                    && first[row - 1] == other
                if isExchange { least = min(least, beforeLast[column - 1] + 1) }
                current.append(least)
            }
            (beforeLast, last) = (last, current)
        }
        return last[second.count]
    }
}
