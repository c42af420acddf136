internal import TagReading

/// A place in a picture where a code was read or searched for, and words about it.
struct ExplainedPlace {
    /// Whether a code was read there; if not, every try failed.
    let isRead: Bool
    /// Its corners, in order around it, in pixels of the whole picture.
    let outline: [PixelPoint]
    /// A sentence or two.
    let words: String

    private init(_ candidate: ReadingExplanation.Candidate) {
        outline = candidate.outline
        isRead = candidate.success != nil
        if let success = candidate.success {
            words = "read: \(success.words). \(candidate.size)"
        } else {
            let percent = Int((candidate.agreement * 100).rounded())
            let ways = candidate.tried.counted("way")
            words =
                "not read in \(ways): at best \(percent)% of the known modules were right. "
                + candidate.reason + candidate.size
        }
    }

    private init(_ symbol: Symbol) {
        outline = symbol.corners
        isRead = true
        words = "read: \(ReadingExplanation.Way.plain.words)."
    }

    /// The places of an explanation, the most informative first; of overlapping ones only the first.
    static func all(_ explanation: ReadingExplanation, _ symbols: [Symbol]) -> [ExplainedPlace] {
        let candidates = explanation.candidates.filter { $0.tried > 0 && $0.dimension != nil }
        let read = candidates.filter { $0.success != nil }.sorted { $0.top < $1.top }
        let others = candidates.filter { $0.success == nil }
            .sorted { ($0.tried, $0.agreement) > ($1.tried, $1.agreement) }
        var places: [ExplainedPlace] = []
        func add(_ place: ExplainedPlace) {
            if !places.contains(where: { $0.isAt(place) }) { places.append(place) }
        }
        for candidate in read { add(ExplainedPlace(candidate)) }
        for symbol in symbols where symbol.corners.count == 4 {
            add(ExplainedPlace(symbol))
        }
        for candidate in others { add(ExplainedPlace(candidate)) }
        return places
    }

    /// Whether the middle of another place lies within this one.
    private func isAt(_ other: ExplainedPlace) -> Bool {
        let (xs, ys) = (outline.map(\.x), outline.map(\.y))
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max()
        else { return false }
        let count = max(other.outline.count, 1)
        let x = other.outline.reduce(0) { $0 + $1.x } / count
        let y = other.outline.reduce(0) { $0 + $1.y } / count
        return (left...right).contains(x) && (top...bottom).contains(y)
    }
}

extension ReadingExplanation.Candidate {
    /// The row in which its outline begins.
    fileprivate var top: Int { outline.map(\.y).min() ?? 0 }

    /// The probable reason why a code was not read, if the known modules suggest one.
    fileprivate var reason: String {
        // Known modules are at the edges and in the small squares: if they are right, the rest is where
        // the reader looks for it.
        if agreement >= 0.9 {
            return "its place is right, but too much of its inside is covered or damaged. "
        }
        return agreement < 0.65 ? "it is probably no code. " : ""
    }

    /// The size of the code, and whether it is small.
    fileprivate var size: String {
        let pixels = Double(Int((module * 10).rounded())) / 10
        let modules = "\(dimension ?? 0) modules a side of \(pixels) pixels"
        return modules
            + (module < ReadingExplanation.smallModule ? ", which is small: go nearer." : ".")
    }
}

extension ReadingExplanation {
    /// The module size in pixels below which codes are hard to read.
    fileprivate static let smallModule = 1.6

    /// Whether most of the squares that were seen have small modules.
    var isSmall: Bool {
        let small = finders.count { $0.module < Self.smallModule }
        return small * 2 > finders.count
    }
}

extension ReadingExplanation.Way {
    /// What the reader did to the code.
    fileprivate var words: String {
        switch self {
        case .grid: "rotation and perspective undone"
        case .alignment: "rotation and perspective undone by the small square in the corner"
        case .mesh: "curvature undone"
        case .threshold: "dark and light told apart anew"
        case .equalised: "blur undone by what known modules look like"
        case .sharpened: "sharpened"
        case .twoFinders: "one of its large squares was not seen"
        case .plain: "from the picture as it is"
        case .deconvolved: "blur undone by trying what would look so blurred"
        }
    }
}
