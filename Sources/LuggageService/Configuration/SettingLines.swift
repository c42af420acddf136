internal import SystemSupport

/// The settings in the text of a configuration file, and mistakes in its form.
///
/// Each setting begins with its key at the beginning of a line. The YAML parser gets one setting at a
/// time, after a check of how its value begins. So a mistake spoils no other setting, and no anchor,
/// list or nested mapping of a hostile file is ever built. Points and scanners are the exception: they are
/// written one a line below their key, and not parsed as YAML.
struct SettingLines {
    /// The most mistakes that are reported; a file with more is not a settings file.
    static let mistakeLimit = 50

    private(set) var settings: [WatchSetting: WrittenSetting] = [:]
    private(set) var mistakes: [ConfigurationMistake] = []
    private let path: String
    private var firstLines: [WatchSetting: Int] = [:]

    init(_ text: String, path: String) {
        self.path = path
        var texts = text.split(omittingEmptySubsequences: false) {
            $0 == "\n" || $0 == "\r" || $0 == "\r\n"
        }
        // The text after the last line break is not a line.
        if texts.last?.isEmpty == true { texts.removeLast() }
        var lines: [Line] = []
        for (index, text) in texts.enumerated() {
            let line = Line(number: index + 1, text: String(text))
            if !line.isIndented && !line.isEmpty {
                take(lines[...])
                lines = []
            }
            lines.append(line)
        }
        take(lines[...])
        mistakes.sort { $0.line ?? 0 < $1.line ?? 0 }
    }

    /// Takes the lines from one that begins a setting up to the next such line.
    private mutating func take(_ lines: ArraySlice<Line>) {
        if mistakes.count >= Self.mistakeLimit { return }
        var lines = lines
        if firstLines.isEmpty && mistakes.isEmpty && lines.first?.startsDocument == true {
            lines.removeFirst()
        }
        for line in lines.filter(\.isHidden).prefix(Self.mistakeLimit - mistakes.count) {
            let wrong = WrongValue(
                "this line has an invisible character",
                remedy: "remove it"
            )
            mistakes.append(Place(line: line.number).mistake(wrong, path))
        }
        lines = lines.prefix { !$0.isHidden }.drop(while: \.isEmpty)
        guard let line = lines.popFirst() else { return }
        var place = Place(line: line.number)
        do throws(WrongValue) {
            try read(line, below: lines, &place)
        } catch {
            mistakes.append(place.mistake(error, path))
        }
    }

    /// Reads a setting.
    ///
    /// - Parameters:
    ///   - line: The line of its key.
    ///   - below: The lines below it that begin no setting.
    ///   - place: Set to the place of the mistake.
    /// - Throws: What is wrong.
    private mutating func read(
        _ line: Line,
        below: ArraySlice<Line>,
        _ place: inout Place
    ) throws(WrongValue) {
        if line.isIndented {
            throw WrongValue(
                "a setting is indented",
                remedy: "begin it in the first column"
            )
        }
        guard let (key, value) = line.keyAndValue else {
            throw WrongValue(
                expected: "a key, a colon, a space and a value",
                found: line.text,
                remedy: "write it like \(WatchSetting.folder.rawValue): /srv/luggage"
            )
        }
        place.key = key
        guard let setting = WatchSetting(rawValue: key) else {
            let keys = WatchSetting.allCases.map(\.rawValue)
            let likely = Spelling.nearest(to: key, among: keys).map { "did you mean \($0)?" }
            let remedy = likely ?? "the settings are " + keys.joined(separator: ", ")
            throw WrongValue("there is no such setting", remedy: remedy)
        }
        if let first = firstLines[setting] {
            throw WrongValue("is set already on line \(first)", remedy: "leave one of the two out")
        }
        firstLines[setting] = line.number
        if let refusal = value.refusal(for: setting) { throw refusal }
        let isBlock = value.first == "|" || value.first == ">"
        let more = isBlock ? nil : below.first { !$0.isEmpty }
        if let more, !setting.hasLines || !value.isNull {
            place.line = more.number
            throw WrongValue(
                "expected one value on the line of its key, found more lines that belong to it",
                remedy: "write everything on that line, or write | there and the text on indented "
                    + "lines below"
            )
        }
        let text: String? =
            if !value.isNull {
                try scalar(isBlock ? [line] + below : [line], &place)
            } else if more != nil {
                below.map(\.text).joined(separator: "\n")
            } else {
                nil
            }
        settings[setting] = text.map {
            WrittenSetting(
                setting,
                as: $0,
                at: .file(path: path, line: line.number),
                isBelow: more != nil
            )
        }
    }

    /// Parses the value of the only setting in some lines, as YAML.
    private func scalar(_ lines: [Line], _ place: inout Place) throws(WrongValue) -> String {
        let flaw: String
        do throws(YAMLFlaw) {
            let yaml = lines.map { $0.text + "\n" }.joined()
            if let value = try YAMLText(yaml).value { return value }
            flaw = "found more than one value"
        } catch {
            if lines.count == 1, error.line > 1 {
                throw WrongValue(
                    "the quotes around the value are not closed",
                    remedy: "close them on this line"
                )
            }
            flaw = [error.context, error.problem].compactMap(\.self).joined(separator: ", ")
            place.line += error.line - 1
            place.column = error.column
        }
        throw WrongValue(
            "is not YAML: \(flaw)",
            remedy: "put the value in single quotes, and double those within it"
        )
    }
}

/// The place of a mistake in a configuration file.
private struct Place {
    var line: Int
    var column: Int?
    var key: String?

    func mistake(_ wrong: WrongValue, _ path: String) -> ConfigurationMistake {
        ConfigurationMistake(.file(path: path, line: line, column: column), key: key, wrong)
    }
}

/// A line of a configuration file.
///
/// It is parsed by Unicode scalars and never by characters: YAML recognises a bracket even if a
/// combining mark follows it.
private struct Line {
    let number: Int
    let text: String
    /// The text after the indentation.
    private let content: Substring.UnicodeScalarView

    init(number: Int, text: String) {
        self.number = number
        self.text = text
        content = text.unicodeScalars.drop(while: \.isBlank)
    }

    var isIndented: Bool { content.startIndex > text.startIndex }

    /// Whether it is blank or only a comment.
    var isEmpty: Bool { content.first == nil || content.first == "#" }

    var startsDocument: Bool {
        content.starts(with: "---".unicodeScalars) && content.dropFirst(3).isNull
    }

    /// Whether it contains invisible characters, some of which are line breaks to YAML.
    var isHidden: Bool { text.hiddenCharacters.contains { text.unicodeScalars[$0] != "\t" } }

    /// The text before and after a colon and a space.
    var keyAndValue: (key: String, value: Substring.UnicodeScalarView)? {
        let key = content.prefix(while: \.isOfKey)
        let rest = content[key.endIndex...].drop(while: \.isBlank)
        let value = rest.dropFirst()
        guard (1...100).contains(key.count), rest.first == ":", value.first?.isBlank != false
        else { return nil }
        return (String(key), value.drop(while: \.isBlank))
    }
}

extension Unicode.Scalar {
    fileprivate var isBlank: Bool { self == " " || self == "\t" }

    fileprivate var isOfKey: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": true
        default: false
        }
    }
}

extension Substring.UnicodeScalarView {
    /// Whether it is no value, so that the setting counts as not set.
    fileprivate var isNull: Bool {
        // A comment begins after a blank only: `a#b` is a text.
        let comment = indices.first { place in
            self[place] == "#" && (place == startIndex || self[index(before: place)].isBlank)
        }
        let content = self[..<(comment ?? endIndex)].drop(while: \.isBlank)
        let end = content.lastIndex { !$0.isBlank }
        return ["", "~", "null", "Null", "NULL"].contains(end.map { String(content[...$0]) } ?? "")
    }

    /// Why it cannot be the value of a setting, judged by its beginning.
    fileprivate func refusal(for setting: WatchSetting) -> WrongValue? {
        var remedy = "write one value, or put it in quotes"
        let expected = setting.hasLines ? "\(setting.rawValue) on the lines below" : "one value"
        let problem: String
        switch first {
        case let mark? where "&*!".unicodeScalars.contains(mark):
            problem = "expected a value, found one that begins with \(mark)"
            remedy = "write the value itself, or put it in quotes"
        case "[": problem = "expected \(expected), found a list"
        case "-" where dropFirst().first?.isBlank != false:
            problem = "expected \(expected), found a list"
        case "{": problem = "expected \(expected), found further settings"
        case "|", ">", "'", "\"": return nil
        case _ where setting.hasLines && !isNull:
            problem =
                "expected \(expected), found \(SettingText.quoted(String(self)))"
        default: return nil
        }
        if setting.hasLines {
            let example = setting == .points ? "security: under-way" : "/dev/ttyACM*: origin"
            remedy = "write each on an indented line of its own below the key, as \(example)"
        }
        return WrongValue(problem, remedy: remedy)
    }
}
