import Foundation
import SystemSupport
import TestFolders
import Testing

@testable import LuggageService

@Suite("A file that is written beside its place", .timeLimit(.minutes(30)))
struct TemporaryFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func path(_ name: String) -> FilePlace { FilePlace(Array(folder.path(name).utf8)) }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path("")).sorted() }
    }

    @Test("is a new one, whatever somebody has put under its name", arguments: Obstacle.allCases)
    func obstacle(_ obstacle: Obstacle) throws {
        let victim = try folder.write("precious", to: "victim")
        try obstacle.put(at: folder.path(".new.part"), linkingTo: victim)
        do {
            var file = try TemporaryFile(at: path(".new.part"), mode: 0o600)
            try FileHandle(fileDescriptor: file.descriptor).write(contentsOf: Data("mine".utf8))
            #expect(file.move(to: path("new")) == 0)
        }
        #expect(try folder.text(of: "new") == "mine")
        #expect(try folder.text(of: "victim") == "precious")
        let kind = try FileManager.default.attributesOfItem(atPath: folder.path("new"))[.type]
        #expect(kind as? FileAttributeType == .typeRegular)
        let left = obstacle == .folder ? [".new.part", "new", "victim"] : ["new", "victim"]
        #expect(try names == left)
    }

    @Test(
        "is found out not to be what got its name, and what did is left",
        arguments: [false, true]
    )
    func swapped(replaces: Bool) throws {
        try folder.write("theirs", to: "other")
        do {
            var file = try TemporaryFile(at: path(".new.part"), mode: 0o600)
            try #require(unsafe rename(folder.path("other"), folder.path(".new.part")) == 0)
            #expect((replaces ? file.replace(path("new")) : file.move(to: path("new"))) == EBUSY)
        }
        #expect(try folder.text(of: "new") == "theirs")
        #expect(try names == ["new"])
    }

    @Test("goes where it is not put in place, but nothing that has its name by then")
    func leftover() throws {
        do {
            let file = try TemporaryFile(at: path(".new.part"), mode: 0o600)
            #expect(try names == [".new.part"])
            _ = file.descriptor
        }
        #expect(try names == [])
        try folder.write("theirs", to: "other")
        do {
            let file = try TemporaryFile(at: path(".new.part"), mode: 0o600)
            try #require(unsafe rename(folder.path("other"), folder.path(".new.part")) == 0)
            _ = file.descriptor
        }
        #expect(try folder.text(of: ".new.part") == "theirs")
    }

    @Test("takes no name that is taken, and takes the place of a file where it is to")
    func taken() throws {
        try folder.write("theirs", to: "new")
        do {
            var file = try TemporaryFile(at: path(".new.part"), mode: 0o600)
            #expect(file.move(to: path("new")) == EEXIST)
        }
        #expect(try folder.text(of: "new") == "theirs")
        do {
            var file = try TemporaryFile(at: path(".new.part"), mode: 0o600)
            #expect(file.replace(path("new")) == 0)
        }
        #expect(try folder.text(of: "new") == "")
        #expect(try names == ["new"])
    }

    @Test("cannot be made where there is no folder")
    func noFolder() throws {
        let error = #expect(throws: SystemError.self) {
            _ = try TemporaryFile(at: path("none/.new.part"), mode: 0o600)
        }
        #expect(error?.number == ENOENT)
    }
}

/// What somebody may put where a file is about to be written.
enum Obstacle: CaseIterable {
    case link, pipe, folder, leftover

    func put(at path: String, linkingTo victim: String) throws {
        switch self {
        case .link:
            try FileManager.default.createSymbolicLink(
                atPath: path,
                withDestinationPath: victim
            )
        case .pipe: try #require(unsafe mkfifo(path, 0o666) == 0)
        case .folder:
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: false
            )
        case .leftover:
            try Data("much more than is written now".utf8).write(to: URL(filePath: path))
        }
    }
}
