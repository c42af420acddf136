internal import ProgramSupport

/// A bar on standard error, while a person watches.
struct Progress {
    private let total: Int
    private let unit: String
    private let isShown: Bool
    private var shown = -1

    /// Makes a bar.
    ///
    /// - Parameters:
    ///   - total: How much there is to do.
    ///   - unit: What is counted, as ` KiB`, where that is not plain.
    init(total: Int, unit: String = "") {
        self.total = total
        self.unit = unit
        isShown = StandardError.isTerminal && total > 1
    }

    /// Shows how far the work is.
    mutating func show(_ done: Int) {
        let percent = min(100, done * 100 / max(1, total))
        guard isShown, percent != shown else { return }
        shown = percent
        let filled = percent * 30 / 100
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 30 - filled)
        StandardError.write("\r[\(bar)] \(done) of \(total)\(unit)\u{1B}[K")
    }

    /// Takes the bar away, so that a line can be written in its place.
    mutating func hide() {
        guard isShown, shown >= 0 else { return }
        shown = -1
        StandardError.write("\r\u{1B}[K")
    }
}
