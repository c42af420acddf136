import Foundation
import LuggageTags
import ProgramSupport
import Testing

@testable import LuggageService

@Suite("What the guides list")
struct GuideTests {
    /// A table of a guide, and what the code has.
    struct Table: Sendable, CustomTestStringConvertible {
        let guide: String
        let section: String
        /// The heading of the first column.
        let column: String
        let words: Set<String>

        var testDescription: String { "\(guide), \(section), \(column)" }
    }

    private static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "../../Sources")
        .standardizedFileURL

    /// The words of codes that are open to new ones, and so have no list but their declarations.
    private static func codes(_ path: String) -> Set<String> {
        let file = sources.appending(path: path)
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        let declaration = /static let \w+ = (?:Code|Self)\((?:\w+: )?"([^"]+)"\)/
        return Set(text.matches(of: declaration).map { String($0.1) })
    }

    private static let pictureReasons = codes("TagReading/ReadError.swift")
        .union(codes("LuggageTags/Payloads/Errors/TagError.swift"))

    /// Reasons of stores that are mistakes of a program, or that commands say in words of their own.
    private static let unlistedStoreReasons: Set<String> = [
        "exists", "history-expired", "out-of-range", "transaction-ended",
    ]

    /// The figures, as they are when something was filed.
    private static var figures: Set<String> {
        var figures = MetricFigures(startedAt: Date())
        figures.lastFiled = Date()
        return Set(figures.text.matches(of: /# TYPE (\w+)/).map { String($0.1) })
    }

    private static func names(of facts: [ProgramFacts.Fact]) -> Set<String> {
        Set(facts.flatMap { $0.name.components(separatedBy: ", ") })
    }

    private static let wrong = "WhenSomethingIsWrong"
    private static let setting = "SettingUpAStation"

    static let tables = [
        Table(
            guide: wrong,
            section: "Reasons that a picture failed",
            column: "reason",
            words: pictureReasons
        ),
        Table(
            guide: wrong,
            section: "Reasons that an import is refused",
            column: "reason",
            words: codes("LuggageTags/Exchange/Records/ImportFault.swift")
        ),
        Table(
            guide: wrong,
            section: "Exit statuses",
            column: "status",
            words: Set(ExitStatus.allCases.map { "\($0.rawValue)" })
        ),
        Table(
            guide: wrong,
            section: "Exit statuses",
            column: "reason",
            words: codes("ObjectStore/Stores/StoreError.swift").subtracting(unlistedStoreReasons)
        ),
        Table(
            guide: "CopiesAndChecks",
            section: "Checking",
            column: "code",
            words: codes("LuggageTags/Checking/RecordFinding.swift")
        ),
        Table(
            guide: "DailyWork",
            section: "",
            column: "folder",
            words: Set(FolderLayout.Destination.allCases.map(\.rawValue))
        ),
        Table(
            guide: "DailyWork",
            section: "",
            column: "outcome",
            words: Set(Outcome.allCases.map(\.rawValue))
        ),
        Table(
            guide: setting,
            section: "Configure it",
            column: "key",
            words: Set(WatchSetting.allCases.map(\.rawValue))
        ),
        Table(
            guide: "TripsAndExpectations",
            section: "Alarms",
            column: "alarm",
            words: Set(Alarm.Kind.all.map(\.rawValue))
        ),
        Table(guide: setting, section: "", column: "variable", words: HookFacts.variables),
        Table(guide: setting, section: "", column: "figure", words: figures),
        Table(
            guide: setting,
            section: "Environment and files",
            column: "environment",
            words: names(of: ProgramFacts.luggage.environment)
        ),
        Table(
            guide: setting,
            section: "Environment and files",
            column: "file",
            words: names(of: ProgramFacts.luggage.files)
        ),
    ]

    /// The cells of the tables below a heading, or anywhere where that is empty, whose first column
    /// has a heading.
    private static func rows(
        _ guide: String,
        _ section: String,
        _ column: String
    ) throws -> [[String]] {
        let file = sources.appending(path: "LuggageService/LuggageService.docc/\(guide).md")
        var rows: [[String]] = []
        var isInSection = section.isEmpty
        var heading: String?
        for line in try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        ) {
            if line.hasPrefix("## ") && !section.isEmpty {
                isInSection = line.dropFirst(3) == section
            }
            guard line.hasPrefix("|") else {
                heading = nil
                continue
            }
            let cells = line.split(separator: "|").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard heading != nil else {
                heading = cells[0]
                continue
            }
            if isInSection && heading == column && cells[0] != "---" { rows.append(cells) }
        }
        return rows
    }

    @Test("is what there is, and all of it", arguments: tables)
    func words(table: Table) throws {
        try #require(!table.words.isEmpty)
        let cells = try Self.rows(table.guide, table.section, table.column).map { $0[0] }
        let listed = cells.flatMap { cell in
            cell.contains("`") ? cell.matches(of: /`([^`]+)`/).map { String($0.1) } : [cell]
        }
        #expect(Set(listed) == table.words)
        #expect(listed.count == Set(listed).count, "some word is listed twice: \(listed)")
    }

    @Test(
        "promises of a hook no more than one run for a picture, wherever it is told of",
        arguments: [
            "Sources/LuggageService/LuggageService.docc/SettingUpAStation.md",
            "Sources/LuggageService/Hooks/Hook.swift",
            "Sources/luggage/Commands/WatchCommand.swift", "systemd/luggage.yaml",
        ]
    )
    func hooks(path: String) throws {
        let file = Self.sources.appending(path: "../\(path)")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let promises = lines.filter { $0.contains("run for each picture") }
        #expect(!promises.isEmpty)
        for line in promises { #expect(line.contains("at most once"), "\(line)") }
    }

    @Test("tells what settings are where nobody sets them")
    func defaults() throws {
        // A length of time can be written in several units.
        func plain(_ text: String) -> String { Duration(settingText: text)?.settingText ?? text }
        var count = 0
        for row in try Self.rows(Self.setting, "Configure it", "key") {
            let key = try #require(WatchSetting(rawValue: row[0].filter { $0 != "`" }))
            let value = WatchConfiguration(folder: "").text(of: key)
            // Words stand for what the machine or another setting decides.
            guard let told = row[1].wholeMatch(of: /`([^`]+)`/) else {
                #expect(value == nil || key == .folder, "\(key)")
                continue
            }
            #expect(value.map(plain) == plain(String(told.1)), "\(key)")
            count += 1
        }
        #expect(count >= 6)
    }

    @Test("tells of exit statuses what help and manual tell")
    func statuses() throws {
        for row in try Self.rows(Self.wrong, "Exit statuses", "status") {
            let number = try #require(Int32(row[0]))
            let status = try #require(ExitStatus(rawValue: number))
            #expect(row[1].hasPrefix(status.meaning), "\(row)")
        }
    }

    /// The variables that the code looks up by their names.
    private static func variables() throws -> Set<String> {
        let files = try #require(
            FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        ).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        let lookup = /(?:environment\[|try value\()"([A-Z_]+)"/
        return try files.reduce(into: []) { names, file in
            let text = try String(contentsOf: file, encoding: .utf8)
            names.formUnion(text.matches(of: lookup).map { String($0.1) })
        }
    }

    @Test("is every variable of the environment that the programs look at, and every setting")
    func environment() throws {
        let told = Self.names(of: ProgramFacts.luggage.environment)
        let settings = Set(WatchSetting.allCases.map(\.variable))
        #expect(settings.isSubset(of: told), "\(settings.subtracting(told))")
        // A hook is told of others, which are said with it; and luggage-tag finds lp as shells do.
        let looked = try Self.variables().subtracting(HookFacts.variables).subtracting(["PATH"])
        #expect(looked.count > 8 && looked.isSubset(of: told), "\(looked.subtracting(told))")
        // The system's library looks at this one.
        #expect(told == looked.union(settings).union(["TZ", WatchConfiguration.fileVariable]))
    }

    @Test("is every file that the service knows by its name")
    func files() {
        let told = Self.names(of: ProgramFacts.luggage.files)
        let names =
            [WatchConfiguration.defaultFile]
            + FolderLayout.usualPoints.map { "FOLDER/\($0.rawValue)" }
            + FolderLayout.Destination.allCases.map { "FOLDER/\($0.rawValue)" }
            + ["/var/lib/luggage/luggage.sqlite\(RecordMark.suffix)"]
        #expect(Set(names).isSubset(of: told), "\(told)")
    }
}
