internal import FoundationEssentials
package import LuggageTags

/// The serial hand scanners of this machine, each with its place.
package struct ScannerWords: Equatable, Sendable {
    /// One or several scanners at a place.
    package struct Named: Equatable, Sendable {
        /// The path of the device; its last part may have wildcards.
        package let device: String
        /// Where the bags are.
        package let point: Point
        /// The name of the station; if nil, that of this machine.
        package let station: String?

        /// Names scanners.
        package init(device: String, point: Point, station: String?) {
            self.device = device
            self.point = point
            self.station = station
        }
    }

    /// The scanners, in their order; the first that fits a device counts.
    package private(set) var named: [Named]

    /// Names the scanners; by default none.
    package init(_ named: [Named] = []) {
        self.named = named
    }

    /// Parses a setting such as `/dev/ttyACM*: origin gate-4`, with commas or line breaks between entries.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - base: The folder for relative paths, with a final slash; if empty, the working directory.
    ///   - points: The known points.
    /// - Throws: What is wrong with the text.
    init(settingText text: String, in base: String, _ points: PointWords) throws(WrongValue) {
        var words = ScannerWords()
        try SettingText.forEachEntry(of: text) { entry throws(WrongValue) in
            try words.add(Named(entry, in: base, points))
        }
        self = words
    }

    /// Adds scanners.
    ///
    /// - Throws: What is wrong if they were named before.
    mutating func add(_ scanners: Named) throws(WrongValue) {
        if named.contains(where: { $0.device == scanners.device }) {
            throw WrongValue(
                expected: "each device once",
                found: scanners.device,
                remedy: "leave one of the two out"
            )
        }
        named.append(scanners)
    }

    /// The scanners as text, as in an environment variable; nil if there are none.
    var settingText: String? {
        if named.isEmpty { return nil }
        return named.map { scanner in
            "\(scanner.device): \(scanner.point.rawValue)"
                + (scanner.station.map { " \($0)" } ?? "")
        }.joined(separator: ", ")
    }

    /// Parses the path of one or more devices.
    ///
    /// - Parameters:
    ///   - text: The path; its last part may have the wildcards of a shell.
    ///   - base: The folder for relative paths, with a final slash; if empty, the working directory.
    /// - Returns: The path.
    /// - Throws: What is wrong with it.
    package static func device(_ text: String, in base: String = "") throws(WrongValue) -> String {
        let path = try SettingText.path(text, in: base)
        let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
        if folder.contains(where: "*?[".contains) {
            throw WrongValue(
                expected: "a path with wildcards only in its last part",
                found: text,
                remedy: "write it like /dev/ttyACM*"
            )
        }
        return path
    }
}

extension ScannerWords.Named {
    /// Parses one entry, such as `/dev/ttyACM*: origin gate-4`.
    fileprivate init(
        _ entry: String,
        in base: String,
        _ points: PointWords
    ) throws(WrongValue) {
        // The path of a device by its port has colons too.
        guard let colon = entry.ranges(of: ": ").last else {
            throw WrongValue(
                expected: "a device, a colon, a blank and its point",
                found: entry,
                remedy:
                    "write it like /dev/ttyACM*: origin, or /dev/ttyACM*: origin gate-4 with a station"
            )
        }
        let place = entry[colon.upperBound...].unquoted
        let words = place.split(separator: " ", maxSplits: 1)
        let station = words.count > 1 ? String(words[1].drop { $0 == " " }) : nil
        self.init(
            device: try ScannerWords.device(entry[..<colon.lowerBound].unquoted, in: base),
            point: try points.point(words.first.map(String.init) ?? ""),
            station: try station.map { name throws(WrongValue) in try SettingText.stationName(name)
            }
        )
    }
}

/// What ends each payload of a serial scanner.
package enum ScannerEnd: String, CaseIterable, Sendable {
    /// A line end: LF, CR LF or CR.
    case line
    /// A zero byte.
    case nul

    var separator: PayloadFraming.Separator {
        switch self {
        case .line: .line
        case .nul: .nul
        }
    }
}
