internal import ProgramSupport

/// A progress bar on standard error, if a person watches.
struct Progress {
    private let total: Int
    private let unit: String
    private let isShown: Bool
    private var shown = -1

    /// Makes a bar.
    ///
    /// - Parameters:
    ///   - total: The amount of work.
    ///   - unit: The unit of the numbers, such as ` KiB`, if it is not obvious.
    init(total: Int, unit: String = "") {
        self.total = total
        self.unit = unit
        isShown = StandardError.isTerminal && total > 1
    }

    /// Shows the progress.
    mutating func show(_ done: Int) {
        let percent = min(100, done * 100 / max(1, total))
        guard isShown, percent != shown else { return }
        shown = percent
        let filled = percent * 30 / 100
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 30 - filled)
        StandardError.write("\r[\(bar)] \(done) of \(total)\(unit)\u{1B}[K")
    }

    /// Removes the bar, so that a line can be written in its place.
    mutating func hide() {
        guard isShown, shown >= 0 else { return }
        shown = -1
        StandardError.write("\r\u{1B}[K")
    }
}
