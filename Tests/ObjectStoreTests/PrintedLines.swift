internal import Synchronization

/// What an example prints.
final class PrintedLines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ items: [Any]) {
        let line = items.map { "\($0)" }.joined(separator: " ")
        lines.withLock { $0.append(line) }
    }
}
