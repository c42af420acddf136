import CFaultInjection
import Foundation
import LuggageTags
import TagReading
import Testing

@testable import LuggageService

/// Within that suite because there is one fault at a time in a process.
extension StuckPictureTests {
    @Suite("A move on a disk that fails")
    struct DurableMoveTests {
        private let inbox: WatchedInbox

        init() throws {
            inbox = try WatchedInbox()
        }

        private var source: String { inbox.path("tag.png") }

        private func move(to folder: String) throws -> PictureMove {
            PictureMove(
                source: Array(source.utf8),
                image: try TagImage(path: source),
                folder: folder
            )
        }

        /// Lets calls fail that concern files with a text in their paths, which no other test's may have.
        private func fail(
            _ call: FaultInjectionCall,
            at path: String,
            from first: Int32,
            count: Int32 = .max / 2
        ) {
            // The text lasts as long as the process.
            unsafe fault_injection_start(call, strdup(path), first, count, EIO)
        }

        @Test("removes no picture before its copy on another file system is on the disk")
        func copyFirst() throws {
            let other = try OtherFileSystem()
            try inbox.drop("tag.png", Array("first".utf8))
            // The first that is brought to the disk there is the copy itself, and then comes its name.
            fail(FaultInjectionSync, at: other.path, from: 2)
            defer { fault_injection_stop() }
            let error = #expect(throws: FilingError.self) { try move(to: other.path).run() }
            #expect(error?.number == EIO)
            #expect(try inbox.names(in: "origin") == ["tag.png"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == ["tag.png"])
            // Nor does the next try, which finds the copy.
            #expect(throws: FilingError.self) { try move(to: other.path).run() }
            #expect(try inbox.names(in: "origin") == ["tag.png"])
            fault_injection_stop()
            #expect(try move(to: other.path).run() == .moved(name: Array("tag.png".utf8)))
            #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == ["tag.png"])
            let left = try FileManager.default.contentsOfDirectory(atPath: "\(inbox.path)/origin")
            #expect(left == [])
        }

        @Test("has the folder to which pictures go on the disk before that from which they come")
        func destinationFirst() throws {
            let path = try inbox.drop("tag.png", tagPicture())
            let image = try TagImage(path: path)
            let layout = FolderLayout(path: inbox.path)
            var moves = BatchOfMoves(layout: layout)
            let read = inbox.readPicture("tag.png", image, .failure(.cancelled))
            guard case .filed = moves.move(read, .recorded([]), earlier: nil) else {
                Issue.record("it was not moved")
                return
            }
            // Each folder is tried twice: it is the first one that fails.
            fail(FaultInjectionSync, at: inbox.path, from: 1, count: 2)
            defer { fault_injection_stop() }
            let errors = moves.makeDurable()
            #expect(fault_injection_stop() == 3)
            let words = "moves in \(inbox.path)/processed may not survive a loss of power"
            #expect(errors.count == 1)
            #expect(errors.first?.message.hasPrefix(words) == true, "\(errors)")
        }

        @Test("leaves no note without its picture", arguments: [false, true])
        func note(isElsewhere: Bool) async throws {
            try inbox.drop("other.png", Array("no picture".utf8))
            try await inbox.watch(isOnce: true)
            let name = Array("other.png".utf8)
            let note = try #require(FailureNote.read(beside: name, in: "\(inbox.path)/failed"))
            let other = try OtherFileSystem()
            let folder = isElsewhere ? other.path : "\(inbox.path)/processed"
            try inbox.drop("tag.png", Array("first".utf8))
            // The first is that of the note.
            fail(FaultInjectionRename, at: folder, from: 2, count: 1)
            defer { fault_injection_stop() }
            if isElsewhere {
                // The same for the copy: at the second, the picture itself would be renamed there.
                fail(FaultInjectionRename, at: folder, from: 3, count: 1)
            }
            let error = #expect(throws: FilingError.self) { try move(to: folder).run(with: note) }
            #expect(error?.number == EIO)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
            let left = try FileManager.default.contentsOfDirectory(atPath: "\(inbox.path)/origin")
            #expect(left.filter { $0 != ".luggage-watch.lock" } == ["tag.png"])
        }

        @Test("closes a failed picture once where its copy is there and it could not be removed")
        func closing() async throws {
            let other = try OtherFileSystem(for: inbox, having: ["processed"])
            try inbox.drop("a.png", Array("no picture".utf8))
            try await inbox.watch(isOnce: true)
            let closing = FolderClosing(FolderLayout(path: inbox.path))
            func close() async throws -> String? {
                let found = try await closing.pictures(named: [Array("a.png".utf8)])
                return try closing.close(try #require(found.pictures.first))
            }
            fail(FaultInjectionUnlink, at: "\(inbox.path)/failed/a.png", from: 1)
            defer { fault_injection_stop() }
            let error = await #expect(throws: FilingError.self) { try await close() }
            #expect(error?.number == EIO)
            fault_injection_stop()
            let processed = "\(other.path)/processed"
            #expect(try FileManager.default.contentsOfDirectory(atPath: processed) == ["a.png"])
            #expect(try inbox.names(in: "failed") == ["a.png", "a.png.error.json"])
            #expect(try await close() == "a.png")
            #expect(try FileManager.default.contentsOfDirectory(atPath: processed) == ["a.png"])
            let left = try FileManager.default.contentsOfDirectory(atPath: "\(inbox.path)/failed")
            #expect(left == [])
        }

        @Test("keeps the note of a picture that is there, and only was not removed where it was")
        func noteOfCopy() async throws {
            try inbox.drop("other.png", Array("no picture".utf8))
            try await inbox.watch(isOnce: true)
            let name = Array("other.png".utf8)
            let note = try #require(FailureNote.read(beside: name, in: "\(inbox.path)/failed"))
            let other = try OtherFileSystem()
            try inbox.drop("tag.png", Array("first".utf8))
            fail(FaultInjectionUnlink, at: "\(inbox.path)/origin/.~luggage~tag.png", from: 1)
            defer { fault_injection_stop() }
            #expect(throws: FilingError.self) { try move(to: other.path).run(with: note) }
            fault_injection_stop()
            let names = ["tag.png", "tag.png.error.json"]
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: other.path).sorted() == names
            )
            let moved = PictureMove.Outcome.moved(name: Array("tag.png".utf8))
            #expect(try move(to: other.path).run(with: note) == moved)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: other.path).sorted() == names
            )
        }
    }
}
