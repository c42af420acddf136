import Foundation
import LuggageTags
import Synchronization
import TagReading
import TestFolders
import Testing

@testable import LuggageService

@Suite(
    "A picture that is taken at once from where it is put",
    .serialized,
    .timeLimit(.minutes(30))
)
struct TakenAtOnceTests {
    private static let count = 2000

    private let inbox: WatchedInbox
    private let layout: FolderLayout

    init() throws {
        inbox = try WatchedInbox()
        // Pictures are dropped into the folder itself.
        layout = FolderLayout(path: inbox.path, point: .origin)
    }

    /// Takes what is put into a folder, as a service or an archive on another processor does.
    ///
    /// - Returns: The number of pictures that were taken, or are there.
    private func count(in folder: String, puttingThere putAll: () throws -> Void) throws -> Int {
        let taken = "\(folder)/taken"
        try FileManager.default.createDirectory(atPath: taken, withIntermediateDirectories: false)
        let taker = Taker(of: "\(folder)/a.png", into: taken)
        do {
            defer { taker.end() }
            try putAll()
        }
        return try FolderNames.files(in: folder).count + FolderNames.files(in: taken).count
    }

    @Test func `was handed in, and is not called lost`() throws {
        let folder = try #require(layout.dropFolders.first)
        let count = try count(in: inbox.path) {
            for number in 0..<Self.count {
                var picture = try HandedInPicture(into: folder)
                try picture.add(Array("picture \(number)".utf8))
                _ = try picture.drop(as: "a.png")
            }
        }
        #expect(count == Self.count)
    }

    @Test("was given back, and is not among the failed ones still", arguments: [false, true])
    func givenBack(isOnOtherFileSystem: Bool) throws {
        let other = isOnOtherFileSystem ? try OtherFileSystem(for: inbox, having: ["failed"]) : nil
        let count = try count(in: inbox.path) {
            for number in 0..<Self.count {
                try inbox.drop("a.png", Array("picture \(number)".utf8), in: "failed")
                let result = try FolderRetry(layout).run(.all)
                #expect(result.left == [])
                #expect(result.moved == ["a.png"])
            }
        }
        #expect(try inbox.names(in: "failed") == [])
        #expect(count == Self.count)
        withExtendedLifetime(other) {}
    }

    @Test("was filed, and is not filed again", arguments: [false, true])
    func filed(isOnOtherFileSystem: Bool) throws {
        let other = isOnOtherFileSystem ? try OtherFileSystem() : nil
        let folder = other?.path ?? "\(inbox.path)/processed"
        let source = inbox.path("a.png")
        let count = try count(in: folder) {
            for number in 0..<Self.count {
                try inbox.drop("a.png", Array("picture \(number)".utf8))
                let image = try TagImage(path: source)
                let move = PictureMove(source: Array(source.utf8), image: image, folder: folder)
                let outcome = try move.run()
                if case .moved = outcome { continue }
                Issue.record("picture \(number): \(outcome)")
            }
        }
        #expect(try inbox.names(in: "origin") == [])
        #expect(count == Self.count)
    }
}

/// Takes a file away as soon as it has its name.
private final class Taker: Sendable {
    private let isOver = Atomic(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(of path: String, into folder: String) {
        Thread { [self] in
            var count = 0
            while !isOver.load(ordering: .relaxed) {
                if unsafe rename(path, "\(folder)/\(count)") == 0 { count += 1 }
            }
            hasEnded.signal()
        }.start()
    }

    func end() {
        isOver.store(true, ordering: .relaxed)
        hasEnded.wait()
    }
}
