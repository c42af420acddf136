import Foundation
import Testing

/// Every block of Swift in the guide of a library is also in one of the library's example tests.
@Suite("Swift that the guide of a library shows")
struct GuideExampleTests {
    private static let package = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "../..")
        .standardizedFileURL

    private static let libraries = [
        "FolderWatch", "LuggageTags", "MessagePack", "ObjectStore", "SQLiteStore", "TagPrinting",
        "TagReading",
    ]

    /// The texts of the files in a folder whose names end so.
    private static func texts(in folder: String, _ ending: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            at: package.appending(path: folder),
            includingPropertiesForKeys: nil
        )
        .filter { $0.lastPathComponent.hasSuffix(ending) }
        .map { try String(contentsOf: $0, encoding: .utf8) }
    }

    /// Code without what indentation, wrapping and the place of the code change.
    private static func essence(_ code: some StringProtocol) -> String {
        code.split(separator: "\n")
            .filter { !$0.hasPrefix("import ") }
            .joined()
            .filter { !$0.isWhitespace }
    }

    @Test("is in a test, as it is shown", arguments: libraries)
    func examples(library: String) throws {
        var guides = try Self.texts(in: "Sources/\(library)/\(library).docc", ".md")
        // README shows a program that uses this one.
        if library == "LuggageTags" { guides += try Self.texts(in: "", "README.md") }
        let blocks = guides.flatMap { guide in
            guide.components(separatedBy: "```swift\n").dropFirst().map { rest in
                String(rest.prefix(upTo: rest.firstRange(of: "```")?.lowerBound ?? rest.endIndex))
            }
        }
        try #require(!blocks.isEmpty, "the guide has no example")
        let tests = try Self.texts(in: "Tests/\(library)Tests", "ExampleTests.swift")
            .map(Self.essence)
        // A sketch, with … for what the reader adds, is no example.
        for block in blocks where !block.contains("…") {
            let essence = Self.essence(block)
            #expect(tests.contains { $0.contains(essence) }, "no test has this:\n\(block)")
        }
    }
}
