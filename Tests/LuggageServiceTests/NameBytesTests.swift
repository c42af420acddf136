import CLinux
import Foundation
import Logging
import LuggageTags
import ObjectStore
import SystemSupport
import Testing

@testable import LuggageService

@Suite("Names that are no text")
struct NameBytesTests {
    @Test(
        "are shown so that different ones never look alike",
        arguments: [
            (Array("plain é\n.png".utf8), "plain é\n.png"), ([], ""), ([0xFF], #"\xFF"#),
            ([0x61, 0xFE, 0xFF, 0x62], #"a\xFE\xFFb"#), (Array("\u{FFFD}".utf8), "\u{FFFD}"),
            // The beginning of a character whose rest is missing.
            ([0xE2, 0x82, 0x2E], #"\xE2\x82."#), ([0xF0, 0x9F, 0x98], #"\xF0\x9F\x98"#),
            // Longer than it may be, and half of a pair.
            ([0xC0, 0xAF], #"\xC0\xAF"#), ([0xED, 0xA0, 0x80], #"\xED\xA0\x80"#),
            (Array(#"\xFF"#.utf8), #"\x5CxFF"#), (Array(#"\x5cxFF"#.utf8), #"\x5Cx5cxFF"#),
            (Array(#"a\b\xF\xG0\"#.utf8), #"a\b\xF\xG0\"#), ([0x5C, 0xFF], #"\\xFF"#),
            ([0x5C, 0x5C, 0x78, 0x41, 0x41, 0xFF], #"\\x5CxAA\xFF"#),
        ] as [([UInt8], String)]
    )
    func shown(bytes: [UInt8], text: String) {
        #expect(bytes.displayText == text)
    }

    @Test("are told apart in the log and in notes, and are on record as ever")
    func logged() async throws {
        let inbox = try WatchedInbox()
        let log = try LogFile(format: .json, level: .info)
        let pictures: [([UInt8], [UInt8])] = [
            ([0x78, 0xFE], try tagPicture()), ([0x78, 0xFF], Array("no picture".utf8)),
        ]
        for (name, bytes) in pictures {
            let hidden = try inbox.drop("y", bytes)
            let path = Array(inbox.path("").utf8) + name
            #expect(unsafe filing_move(AT_FDCWD, hidden, AT_FDCWD, path.cString) == 0)
        }
        try await inbox.watch(isOnce: true) { _ in
        } changing: {
            $0.log = log.log
        }
        let lines = try log.lines.joined(separator: "\n")
        for name in [#"x\\xFE"#, #"x\\xFF"#] {
            #expect(lines.contains(#""message":"\#(name): "#), "\(lines)")
            #expect(lines.contains(#""picture":"\#(name)""#), "\(lines)")
        }
        #expect(!lines.contains("\u{FFFD}"))
        let note = FailureNote.read(beside: [0x78, 0xFF], in: "\(inbox.path)/failed")
        #expect(note?.image == #"x\xFF"#)
        #expect(note?.results.map(\.image) == [#"x\xFF"#])
        try inbox.makeContainer().read { context in
            let names = try context.fetch(FetchRequest(Scan.self)).map(\.imageName)
            #expect(names == ["x\u{FFFD}", "x\u{FFFD}"])
        }
    }
}
