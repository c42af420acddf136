import Foundation
import SystemSupport
import TestFolders
import Testing

@Suite("What a path leads to")
struct LinksTests {
    private let folder: TemporaryFolder
    /// Its path without links.
    private let base: String

    /// A folder with files and links.
    init() throws {
        folder = try TemporaryFolder()
        base = folder.path.behindLinks
        let files = FileManager.default
        for name in ["far/dir", "near"] {
            try files.createDirectory(atPath: "\(base)/\(name)", withIntermediateDirectories: true)
        }
        try Data().write(to: URL(filePath: "\(base)/file"))
        let links = [
            "l": "far/dir", "near/up": "../l/../x", "whole": "\(base)/near/up", "round": "round",
            "one": "two", "two": "one",
        ]
        for (name, target) in links {
            try files.createSymbolicLink(atPath: "\(base)/\(name)", withDestinationPath: target)
        }
    }

    @Test(
        "is found as the system finds it, also where there is nothing",
        arguments: [
            ("near", "near"), ("near/", "near"), ("./near//./a", "near/a"), ("l", "far/dir"),
            ("l/a", "far/dir/a"), ("l/../x", "far/x"), ("near/up", "far/x"), ("whole", "far/x"),
            ("whole/a/b", "far/x/a/b"), ("round", "round"), ("near/../l/./..", "far"),
            ("missing/../x", "missing/../x"), ("missing/.", "missing/."), ("missing/", "missing/"),
            ("file/", "file/"), ("file/../x", "file/../x"), ("near/../file", "file"),
            ("l/e\u{301}/\u{301}", "far/dir/e\u{301}/\u{301}"),
        ]
    )
    func found(path: String, expected: String) {
        #expect("\(base)/\(path)".behindLinks == "\(base)/\(expected)")
    }

    @Test(
        "is known before what is missing is made",
        arguments: [
            ("missing/../x", "x"), ("missing/./a/", "missing/a"), ("l/missing/../..", "far"),
            ("near/up", "far/x"), ("file/", "file"),
        ]
    )
    func onceMade(path: String, expected: String) {
        #expect("\(base)/\(path)".behindLinksOnceMade == "\(base)/\(expected)")
    }

    @Test(
        "is no path without end where links lead in a circle",
        arguments: ["round", "one", "two/a"]
    )
    func circle(path: String) {
        #expect("\(base)/\(path)".behindLinks.hasPrefix(base + "/"))
    }

    @Test("is the path itself where the system does not follow so many links")
    func manyLinks() throws {
        var target = "file"
        for number in 1...41 {
            let link = "\(base)/link\(number)"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            target = link
        }
        #expect("\(base)/link40".behindLinks == "\(base)/file")
        #expect("\(base)/link41".behindLinks == "\(base)/link41")
        #expect("\(base)/link41".isLink)
    }

    @Test("is the path itself where it leads to what is no valid text", arguments: [true, false])
    func invalidText(isThere: Bool) throws {
        let target: [CChar] = (Array("\(base)/caf".utf8) + [0xE9]).cString
        let link = "\(base)/link"
        #expect(unsafe symlink(target, link) == 0)
        if isThere { #expect(unsafe close(open(target, O_CREAT | O_WRONLY, 0o600)) == 0) }
        #expect(link.behindLinks == link && link.isLink)
    }

    @Test("is the path itself where a link of the kernel leads to what has no path")
    func removed() throws {
        let path = "\(base)/short"
        let descriptor = unsafe open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let link = "/proc/\(getpid())/fd/\(descriptor)"
        #expect(link.behindLinks == path)
        try FileManager.default.removeItem(atPath: path)
        #expect(link.behindLinks == link)
    }

    @Test("is no way up from a link that is not followed")
    func above() throws {
        let (folder, descriptor) = try opened("gone")
        defer { close(descriptor) }
        try FileManager.default.removeItem(atPath: folder)
        let link = "/proc/\(getpid())/fd/\(descriptor)"
        #expect("\(link)/../x".behindLinks == "\(link)/../x")
        #expect("\(link)/./x".behindLinks == "\(link)/x")
    }

    @Test("is not elsewhere where text would name something else than a link of the kernel")
    func otherText() throws {
        let (folder, descriptor) = try opened("gone")
        defer { close(descriptor) }
        try FileManager.default.removeItem(atPath: folder)
        let other = "\(folder) (deleted)"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
        let link = "/proc/\(getpid())/fd/\(descriptor)"
        #expect("\(link)/new".behindLinks == "\(link)/new")
    }

    /// Makes a folder, and opens it.
    private func opened(_ name: String) throws -> (path: String, descriptor: Int32) {
        let path = "\(base)/\(name)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(descriptor >= 0)
        return (path, descriptor)
    }

    @Test("is the root for what is above it", arguments: ["/", "/..", "/../..", "//", "/./"])
    func root(path: String) {
        #expect(path.behindLinks == "/")
    }

    @Test("keeps its dots where it is only made absolute: before them there may be a link")
    func absolute() {
        let current = FileManager.default.currentDirectoryPath
        #expect("l/../x".absolute == "\(current)/l/../x")
        #expect("/l/../x".absolute == "/l/../x")
        #expect(":memory:".absolute == "\(current)/:memory:")
    }
}
