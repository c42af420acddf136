internal import TagReading

/// A place in a picture where a code was read or searched for, and words about it.
struct ExplainedPlace {
    enum Kind {
        /// A code was read there.
        case read
        /// It looks like a code and could not be read.
        case unread
        /// Every try failed, and it hardly looks like a code.
        case other
    }

    let kind: Kind
    /// Its corners, in order around it, in pixels of the whole picture.
    let outline: [PixelPoint]
    /// A sentence or two.
    let words: String

    private init(_ candidate: ReadingExplanation.Candidate) {
        outline = candidate.outline
        kind = candidate.success != nil ? .read : .other
        if let success = candidate.success {
            words = "read: \(success.words). \(candidate.size)"
        } else {
            words = candidate.failure
        }
    }

    private init(_ symbol: Symbol) {
        outline = symbol.corners
        kind = .read
        words = "read: \(ReadingExplanation.Way.plain.words)."
    }

    /// An unread place, with what is known of the candidate there.
    private init(_ unread: UnreadPlace, _ failed: [ReadingExplanation.Candidate]) {
        outline = unread.corners
        kind = .unread
        let candidate = failed.first { candidate in
            candidate.isLikely && candidate.outline.isAround(unread.corners)
                && unread.corners.isAround(candidate.outline)
        }
        words = "looks like a code, but " + (candidate?.failure ?? "is too blurred to be read.")
    }

    /// The places of an explanation, the most informative first; of overlapping ones only the first.
    ///
    /// Those that look like codes and could not be read come before all others.
    static func all(_ explanation: ReadingExplanation, _ reading: Reading) -> [ExplainedPlace] {
        let candidates = explanation.candidates.filter { $0.tried > 0 && $0.dimension != nil }
        let read = candidates.filter { $0.success != nil }.sorted { $0.top < $1.top }
        let others = candidates.filter { $0.success == nil }
            .sorted { ($0.tried, $0.agreement) > ($1.tried, $1.agreement) }
        var places: [ExplainedPlace] = []
        func add(_ place: ExplainedPlace) {
            let isTaken = places.contains { $0.outline.isAround(place.outline) }
            if !isTaken { places.append(place) }
        }
        for candidate in read { add(ExplainedPlace(candidate)) }
        for symbol in reading.symbols where symbol.corners.count == 4 {
            add(ExplainedPlace(symbol))
        }
        for place in reading.unread { add(ExplainedPlace(place, others)) }
        for candidate in others { add(ExplainedPlace(candidate)) }
        return places.filter { $0.kind == .unread } + places.filter { $0.kind != .unread }
    }
}

extension [PixelPoint] {
    /// Whether the middle of another outline lies within this one.
    fileprivate func isAround(_ other: [PixelPoint]) -> Bool {
        let (xs, ys) = (map(\.x), map(\.y))
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max()
        else { return false }
        let middle = other.middle
        return (left...right).contains(middle.x) && (top...bottom).contains(middle.y)
    }

    /// The point in the middle of the corners.
    var middle: PixelPoint {
        let count = Swift.max(count, 1)
        return PixelPoint(x: reduce(0) { $0 + $1.x } / count, y: reduce(0) { $0 + $1.y } / count)
    }
}

extension ReadingExplanation.Candidate {
    /// The row in which its outline begins.
    fileprivate var top: Int { outline.map(\.y).min() ?? 0 }

    /// What was tried in vain.
    fileprivate var failure: String {
        let percent = Int((agreement * 100).rounded())
        return "not read in \(tried.counted("way")): at best \(percent)% of the known modules were "
            + "right. " + reason + size
    }

    /// Whether so many known modules were right that it may be a code.
    fileprivate var isLikely: Bool { agreement >= 0.65 }

    /// The probable reason why a code was not read, if the known modules suggest one.
    fileprivate var reason: String {
        // Known modules are at the edges and in the small squares: if they are right, the rest is where
        // the reader looks for it.
        if agreement >= 0.9 {
            return "its place is right, but too much of its inside is covered or damaged, or it is "
                + "too blurred. "
        }
        return isLikely ? "" : "it is probably no code. "
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
        case .worn: "lines or dots that were not printed made up for"
        }
    }
}
