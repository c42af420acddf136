/// The reason why a message of an airline is malformed, and the line.
public struct MessageFlaw: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of the line in the file, from 1.
    public let line: Int
    /// The reason as a clause: `the message has no end`.
    public let reason: String

    init(_ reason: String, at line: Int) {
        (self.reason, self.line) = (reason, line)
    }

    /// Both: `line 3: the message has no end`.
    public var description: String { "line \(line): \(reason)" }
}

/// A message of the kind that IATA's Recommended Practice 1745 describes, as lines of elements.
///
/// A message is a line with its kind, perhaps one with a change, lines such as `.F/SK4416/05FEB/TOS/C`, and
/// a line with its end.
struct MessageElements {
    /// A line that begins with a point and a letter.
    struct Element {
        let letter: Character
        /// What is between the slashes, from the first one on.
        let fields: [String]
        /// The number of the line in the file, from 1.
        let line: Int

        /// A field, without blanks around it; nil if it is empty or not there.
        func field(_ number: Int) -> String? {
            guard fields.indices.contains(number) else { return nil }
            let field = fields[number].drop { $0 == " " }
            let end = field.lastIndex { $0 != " " }
            return end.map { String(field[...$0]) }
        }
    }

    /// `BSM`, or another kind.
    let kind: String
    /// `CHG` or `DEL`; nil if there is none.
    let change: String?
    let elements: [Element]
    /// The number of its first line in the file, from 1.
    let line: Int

    func all(_ letter: Character) -> [Element] { elements.filter { $0.letter == letter } }

    /// The kinds of messages about baggage.
    private static let kinds: Set<String> = [
        "BSM", "BPM", "BTM", "BUM", "BNS", "BCM", "BMM", "BRQ",
    ]
    private static let changes: Set<String> = ["CHG", "DEL"]

    /// More lines than any message has.
    private static let mostLines = 1000

    /// Finds the messages in a file.
    ///
    /// The addresses and origins that a network puts in front of a message are passed over, as are the
    /// control characters around it. A message that is malformed does not spoil the others.
    ///
    /// - Parameter bytes: The file.
    /// - Returns: Each message, or what is wrong with it.
    static func messages(in bytes: [UInt8]) -> [Result<MessageElements, MessageFlaw>] {
        var found: [Result<MessageElements, MessageFlaw>] = []
        var open: Draft?
        for (place, line) in Lines(bytes).enumerated() {
            let number = place + 1
            let text = text(of: line)
            if var draft = open {
                if text == "END" + draft.kind {
                    found.append(draft.result)
                    open = nil
                } else if let text, kinds.contains(text) {
                    found.append(draft.endless)
                    open = Draft(kind: text, line: number)
                } else {
                    draft.add(text, at: number)
                    open = draft
                }
            } else if let text, kinds.contains(text) {
                open = Draft(kind: text, line: number)
            }
        }
        if let open { found.append(open.endless) }
        return found
    }

    /// The text of a line, without blanks at its end; nil if it is not ASCII.
    private static func text(of line: some Sequence<UInt8>) -> String? {
        // Networks put these around messages: the beginnings and ends of texts.
        let bytes = line.filter { !(0x01...0x04).contains($0) }
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        let end = bytes.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? 0
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    /// A message whose end has not come yet.
    private struct Draft {
        let kind: String
        let line: Int
        private var change: String?
        private var elements: [Element] = []
        private var flaw: MessageFlaw?

        init(kind: String, line: Int) {
            (self.kind, self.line) = (kind, line)
        }

        mutating func add(_ text: String?, at line: Int) {
            guard flaw == nil else { return }
            guard let text else {
                flaw = MessageFlaw("it has other characters than ASCII", at: line)
                return
            }
            if text.isEmpty { return }
            if elements.isEmpty, change == nil, changes.contains(text) {
                change = text
            } else if let element = Element(text, line) {
                elements.append(element)
                if elements.count > mostLines { flaw = MessageFlaw("it is too long", at: line) }
            } else {
                flaw = MessageFlaw(
                    "expected a point, a letter and a slash, such as .N/0117814872001",
                    at: line
                )
            }
        }

        /// The same where no end comes.
        var endless: Result<MessageElements, MessageFlaw> {
            var draft = self
            draft.flaw = MessageFlaw("the message has no end", at: line)
            return draft.result
        }

        /// The message, or what is wrong with it; of kinds that are not read, that is no matter.
        var result: Result<MessageElements, MessageFlaw> {
            if let flaw, kind == BaggageSourceMessage.kind { return .failure(flaw) }
            return .success(
                MessageElements(kind: kind, change: change, elements: elements, line: line)
            )
        }
    }
}

extension MessageElements.Element {
    fileprivate init?(_ text: String, _ line: Int) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts[0].count == 2, parts[0].first == ".", let letter = parts[0].last,
            letter.isLetter, letter.isUppercase, parts.count > 1
        else { return nil }
        self.init(letter: letter, fields: Array(parts.dropFirst()), line: line)
    }
}

/// The lines of a file, which end with a line feed, a carriage return, or both.
private struct Lines: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    mutating func next() -> ArraySlice<UInt8>? {
        if rest.isEmpty { return nil }
        let line = rest.prefix { $0 != 0x0A && $0 != 0x0D }
        rest = rest.dropFirst(line.count)
        let isPair = rest.first == 0x0D && rest.dropFirst().first == 0x0A
        rest = rest.dropFirst(isPair ? 2 : 1)
        return line
    }
}
