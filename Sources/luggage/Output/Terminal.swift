internal import FoundationEssentials
internal import Glibc
internal import ProgramSupport

/// The destination of standard output, as far as it affects the output.
struct Terminal {
    /// The number of columns; nil if it is not a terminal, so that nothing needs to be cut.
    let width: Int?
    /// Whether colours are shown.
    let hasColour: Bool

    /// Whether a person sees the output, and not a program.
    var isSeen: Bool { width != nil }

    /// A file or a pipe.
    static let none = Terminal(width: nil, hasColour: false)

    /// The current destination of standard output.
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

    /// Wraps a text to the width of the terminal, between words if possible.
    ///
    /// - Parameters:
    ///   - text: The text, on one line.
    ///   - indent: The number of spaces before each line.
    /// - Returns: The lines.
    func wrap(_ text: String, indent: Int = 0) -> String {
        let spaces = String(repeating: " ", count: indent)
        let lines = width.map { text.wrapped(toWidth: $0 - indent) } ?? [text]
        return lines.map { spaces + $0 }.joined(separator: "\n")
    }

    /// A name and its meaning: beside it, or below it if there is no room.
    func wrap(_ name: String, _ text: String) -> String {
        let line = name.padded(toWidth: 10) + text
        guard let width, line.displayWidth > width else { return line }
        return "\(name)\n\(wrap(text, indent: 2))"
    }

    /// A text in a tone, if colours are shown; the text alone must tell everything.
    func paint(_ text: String, _ tone: Tone?) -> String {
        guard hasColour, let tone, !text.isEmpty else { return text }
        return "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m"
    }
}

/// An emphasis of text, by its number in terminal escape codes.
enum Tone: Int {
    case strong = 1
    case faint = 2
    case bad = 31
    case good = 32
    case warning = 33
}
