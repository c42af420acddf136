internal import FoundationEssentials
internal import Logging
internal import LuggageTags
internal import SystemSupport

/// A log entry, in every form that a log has.
struct LogEntry {
    /// The longest message or value that is logged, in bytes.
    static let byteLimit = 16384

    let level: Logger.Level
    let message: String
    let metadata: [String: String]
    let label: String
    let time: Date

    init(
        level: Logger.Level,
        message: String,
        metadata: [String: String] = [:],
        label: String = "luggage",
        time: Date
    ) {
        self.level = level
        self.message = Self.shortened(message)
        self.metadata = metadata.mapValues(Self.shortened)
        self.label = label
        self.time = time
    }

    /// The entry for a person, with its level from warnings up.
    ///
    /// - Parameter withMetadata: Whether to add the metadata; the message alone has what matters.
    /// - Returns: One line.
    func plain(withMetadata: Bool) -> String {
        var line = message
        if level >= .warning { line = "\(level.rawValue): \(line)" }
        let isUntold = withMetadata || metadata["error"].map { !message.contains($0) } ?? false
        if isUntold, !metadata.isEmpty {
            let told = withMetadata ? metadata : metadata.filter { $0.key == "error" }
            let pairs = told.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            line += " (\(pairs.joined(separator: ", ")))"
        }
        return line.onOneLine
    }

    /// The time for the beginning of a line.
    ///
    /// - Parameter isBrief: Whether the time of day is enough, for someone who watches.
    /// - Returns: The time in the zone of the machine.
    func timeText(isBrief: Bool) -> String {
        let zone = TimeZone(secondsFromGMT: Int(LocalClock(at: time).offset)) ?? .gmt
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: !isBrief, timeZone: zone)
        return time.formatted(isBrief ? style.time(includingFractionalSeconds: false) : style)
    }

    /// The entry as JSON, with the same keys for every entry.
    ///
    /// They are `time` in UTC, `level`, `logger`, `message`, and `metadata`, an object of texts.
    var json: String {
        let form = JSONForm(
            time: time,
            level: level.rawValue,
            logger: label,
            message: message,
            metadata: metadata
        )
        let bytes = (try? JSONEncoder.forReports().encode(form)) ?? Data()
        // JSON has no raw control characters; other characters that steer a terminal are escaped here.
        let text = String(decoding: bytes, as: UTF8.self)
        let hidden = text.hiddenCharacters
        if hidden.isEmpty { return text }
        return text.unicodeScalars.indices.map { index in
            let scalar = text.unicodeScalars[index]
            guard hidden.contains(index) else { return String(scalar) }
            // JSON escapes are UTF-16.
            return String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            }.joined()
        }.joined()
    }

    /// The fields for the journal.
    ///
    /// Metadata values are sent as they are; the message is made safe to show.
    var journalFields: [(name: String, value: String)] {
        var fields = [
            ("PRIORITY", String(level.priority)),
            ("SYSLOG_IDENTIFIER", "luggage"),
            ("MESSAGE", message.onOneLine),
        ]
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            fields.append((Self.fieldName(key), value))
        }
        return fields
    }

    /// A valid field name: capital letters, digits and underscores, at most 64.
    private static func fieldName(_ key: String) -> String {
        let name = key.uppercased().unicodeScalars.map { scalar in
            let isKept = "A"..."Z" ~= scalar || "0"..."9" ~= scalar
            return isKept ? Character(scalar) : "_"
        }
        return "LUGGAGE_" + String(name.prefix(56))
    }

    private static func shortened(_ text: String) -> String {
        if text.utf8.count <= byteLimit { return text }
        return String(decoding: text.utf8.prefix(byteLimit), as: UTF8.self) + "…"
    }

    private struct JSONForm: Encodable {
        var time: Date
        var level: String
        var logger: String
        var message: String
        var metadata: [String: String]
    }
}
