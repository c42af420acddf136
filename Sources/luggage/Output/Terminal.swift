internal import Foundation
internal import ProgramSupport

#if canImport(Glibc)
internal import Glibc
#endif

/// What standard output leads to, as far as it decides how results are drawn.
struct Terminal {
    /// How many columns there are; nil where nobody sees them, so that nothing need be cut.
    let width: Int?
    /// Whether colours are shown.
    let hasColour: Bool

    /// Whether somebody sees what is written, and not a program.
    var isSeen: Bool { width != nil }

    /// A file or a pipe.
    static let none = Terminal(width: nil, hasColour: false)

    /// What standard output leads to now.
    static var current: Terminal {
        guard StandardOutput.isTerminal else { return none }
        let environment = ProcessInfo.processInfo.environment
        var size = winsize()
        var width = environment["COLUMNS"].flatMap { Int($0) } ?? 0
        if width <= 0, unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 {
            width = Int(size.ws_col)
        }
        // https://no-color.org
        let refusesColour = !(environment["NO_COLOR"] ?? "").isEmpty
        let isSimple = ["dumb", ""].contains(environment["TERM"] ?? "")
        return Terminal(
            width: width > 0 ? max(width, 20) : 80,
            hasColour: !refusesColour && !isSimple
        )
    }

    /// A text in lines that are no wider than the terminal, broken between words where it can be.
    ///
    /// - Parameters:
    ///   - text: The text, on one line.
    ///   - indent: How many spaces stand in front of each line.
    /// - Returns: The lines.
    func wrap(_ text: String, indent: Int = 0) -> String {
        let spaces = String(repeating: " ", count: indent)
        let lines = width.map { text.wrapped(toWidth: $0 - indent) } ?? [text]
        return lines.map { spaces + $0 }.joined(separator: "\n")
    }

    /// A name with what it stands for: beside it, or where that has no room, below it.
    func wrap(_ name: String, _ text: String) -> String {
        let line = name.padded(toWidth: 10) + text
        guard let width, line.displayWidth > width else { return line }
        return "\(name)\n\(wrap(text, indent: 2))"
    }

    /// A text in a tone, where colours are shown; the text alone must tell everything.
    func paint(_ text: String, _ tone: Tone?) -> String {
        guard hasColour, let tone, !text.isEmpty else { return text }
        return "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m"
    }
}

/// How a text is emphasised, as the number by which terminals know it.
enum Tone: Int {
    case strong = 1
    case faint = 2
    case bad = 31
    case good = 32
    case warning = 33
}
