import Foundation
import ProgramSupport
import Testing

@Suite("The version")
struct VersionTests {
    @Test("is the last one of the changelog, from which the packages have theirs")
    func changelog() throws {
        let file = URL(filePath: #filePath)
            .deletingLastPathComponent()
            .appending(path: "../../systemd/debian/changelog")
            .standardizedFileURL
        let text = try String(contentsOf: file, encoding: .utf8)
        let entry = try #require(text.prefixMatch(of: #/luggage \(([^)]+)\) /#))
        #expect(entry.1 == programVersion)
    }
}
