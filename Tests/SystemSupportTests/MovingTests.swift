import Foundation
import SystemSupport
import TestFolders
import Testing

@Suite("A move by path")
struct MovingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("takes the place of a file only if it is to", arguments: [false, true])
    func taken(replaces: Bool) throws {
        let new = try folder.write("new", to: "new")
        let old = try folder.write("old", to: "old")
        #expect(new.move(to: old, replacing: replaces) == (replaces ? 0 : EEXIST))
        #expect(try folder.text(of: "old") == (replaces ? "new" : "old"))
        #expect((FileStatus(at: new) == nil) == replaces)
    }

    @Test("goes to a free place, and says why it cannot", arguments: [false, true])
    func free(replaces: Bool) throws {
        let file = try folder.write("bytes", to: "file")
        #expect(file.move(to: folder.path("none/file"), replacing: replaces) == ENOENT)
        #expect(try folder.text(of: "file") == "bytes")
        #expect(file.move(to: folder.path("free"), replacing: replaces) == 0)
        #expect(try folder.text(of: "free") == "bytes")
        #expect(file.move(to: folder.path("other"), replacing: replaces) == ENOENT)
    }
}
