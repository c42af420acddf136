import Foundation
import LuggageTags
import Synchronization
import TestFolders
import Testing

@testable import LuggageService

@Suite(
    "A picture that is put where a service takes it at once",
    .serialized,
    .timeLimit(.minutes(30))
)
struct TakenAtOnceTests {
    private static let count = 2000

    private let inbox: WatchedInbox
    private let layout: FolderLayout
    private let taken: TemporaryFolder

    init() throws {
        inbox = try WatchedInbox()
        // Pictures are dropped into the folder itself.
        layout = FolderLayout(path: inbox.path, point: .origin)
        taken = try TemporaryFolder()
    }

    /// Takes what is put there, as a service on another processor does.
    ///
    /// - Returns: The number of pictures that were taken, or are there.
    private func count(puttingThere putAll: () throws -> Void) throws -> Int {
        let taker = Taker(of: "\(inbox.path)/a.png", into: taken.path)
        do {
            defer { taker.end() }
            try putAll()
        }
        let left = try FolderNames.files(in: inbox.path)
        return try left.count + FolderNames.files(in: taken.path).count
    }

    @Test func `was handed in, and is not called lost`() throws {
        let folder = try #require(layout.dropFolders.first)
        let count = try count {
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
        let count = try count {
            for number in 0..<Self.count {
                try inbox.drop("a.png", Array("picture \(number)".utf8), in: "failed")
                let result = try FolderRetry(layout).run(.all)
                #expect(result.moved == ["a.png"] && result.left == [])
            }
        }
        #expect(try inbox.names(in: "failed") == [])
        #expect(count == Self.count)
        withExtendedLifetime(other) {}
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
