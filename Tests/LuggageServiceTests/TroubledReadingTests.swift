import Foundation
import LuggageTags
import TagReading
import Testing

@testable import LuggageService

@Suite(
    "A dropped picture that is changed, or gives trouble, while it is read",
    .timeLimit(.minutes(30))
)
struct TroubledReadingTests {
    @Test("reads a file that takes the place of another while that is read")
    func replacement() async throws {
        let inbox = try WatchedInbox()
        let second = try tagPicture(2)
        let reader = InterruptedReader { image in
            if image.name == "tag.png" { _ = try? inbox.drop("tag.png", second) }
        }
        try inbox.drop("tag.png", tagPicture(1))
        try await inbox.watch(reader: reader) { events in
            guard case .filed(let first) = try await events.nextEnd().disposition else {
                Issue.record("the first file was not filed")
                return
            }
            #expect(first.path == nil)
            #expect(try await events.nextEnd().destination == .processed)
        }
        #expect(try inbox.names(in: "processed") == ["tag.png"])
        #expect(try inbox.record().count == 4)
    }

    @Test("tries a picture again whose bytes change while it is read")
    func alteration() async throws {
        let inbox = try WatchedInbox()
        let second = try tagPicture(2)
        let path = inbox.path("tag.png")
        let reader = InterruptedReader { _ in try? Data(second).write(to: URL(filePath: path)) }
        try inbox.drop("tag.png", tagPicture(1))
        try await inbox.watch(reader: reader) { events in
            let event = try await events.nextEnd()
            #expect(event.destination == .processed)
        }
        // Only what the file has in the end is on record.
        #expect(try inbox.record().count == 2)
        #expect(
            try Data(contentsOf: URL(filePath: inbox.path("tag.png", in: "processed")))
                == Data(second)
        )
    }

    @Test(
        "goes on with the others when a picture crashes its reader",
        arguments: [
            ReadError.Code.readerCrashed, .timedOut, .outOfMemory,
        ]
    )
    func poison(code: ReadError.Code) async throws {
        let inbox = try WatchedInbox()
        let attempts = Attempts()
        let reader = FailingReader { image in
            guard image.name == "poison.png" else { return nil }
            attempts.count()
            return ReadError(code, "it went wrong")
        }
        try inbox.drop("poison.png", tagPicture(0))
        for number in 1...5 { try inbox.drop("\(number).png", tagPicture(number)) }
        try await inbox.watch(reader: reader, isOnce: true)
        #expect(attempts.number == 2)
        #expect(try inbox.names(in: "processed").count == 5)
        let note = FailureNote.read(beside: Array("poison.png".utf8), in: "\(inbox.path)/failed")
        #expect(note?.reason == code.description)
        #expect(note?.attempts == 2)
    }

    @Test(
        "never gives a picture up for trouble that passes",
        arguments: [
            ReadError.inputFailed("cannot be read", EIO),
            ReadError.inputFailed("cannot be read", EBUSY),
            ReadError(.readerUnavailable, "no process can be started"),
        ]
    )
    func passingTrouble(error: ReadError) async throws {
        let inbox = try WatchedInbox()
        let attempts = Attempts()
        let reader = FailingReader { _ in attempts.count() < 3 ? error : nil }
        try inbox.drop("tag.png", tagPicture())
        try await inbox.watch(reader: reader) { events in
            for _ in 0..<2 {
                guard case .postponed = try await events.nextEnd().disposition else {
                    Issue.record("it was not postponed")
                    return
                }
            }
            #expect(try await events.nextEnd().destination == .processed)
        }
    }

    @Test("leaves a picture where it is when it is stopped while reading it")
    func stop() async throws {
        let inbox = try WatchedInbox()
        let reader = HangingReader()
        try inbox.drop("tag.png", tagPicture())
        try await inbox.watch(reader: reader) { _ in
            await reader.hangs()
        } changing: { parts in
            parts.endReading = { reader.end() }
            parts.stopPatience = .milliseconds(10)
        }
        #expect(try inbox.names(in: "origin") == ["tag.png"])
        #expect(try inbox.record().isEmpty)
    }
}
