import Foundation
import LuggageTags
import TagReading
import Testing
import ZBarTagReader

@testable import LuggageService

@Suite("Filing in batches", .timeLimit(.minutes(30)))
struct FilingQueueTests {
    /// A queue for one reader, that has filed a picture and lets others wait for as good as ever.
    private struct Patient {
        let inbox: WatchedInbox
        let queue: FilingQueue

        init() async throws {
            let inbox = try WatchedInbox()
            self.inbox = inbox
            queue = FilingQueue(
                store: try ServiceStore(.init(path: inbox.store)) { try inbox.makeContainer() },
                layout: FolderLayout(path: inbox.path),
                gathering: BatchGathering(readers: 1, interval: .seconds(86_400)),
                prepare: {},
                report: { _ in },
                complain: { _ in }
            )
            expect(1)
            _ = await queue.file(try await picture(100))
        }

        /// A picture as it is when it was read.
        func picture(_ number: Int) async throws -> DroppedPicture {
            let name = "\(number).png"
            let path = try inbox.drop(name, tagPicture(number))
            let image = try TagImage(path: path)
            return inbox.readPicture(
                name,
                image,
                digest: try await image.digest(within: .default),
                .success(try await ZBarTagReader().read(image))
            )
        }

        func expect(_ count: Int) {
            for _ in 0..<count { queue.expect() }
        }

        /// Files pictures at the same time, and does something once all of them wait for others.
        func file(_ count: Int, then: (() async -> Void)? = nil) async throws {
            var pictures: [DroppedPicture] = []
            for number in 0..<count { pictures.append(try await picture(number)) }
            await withTaskGroup(of: FilingResult.self) { group in
                for picture in pictures { group.addTask { await queue.file(picture) } }
                if let then {
                    while queue.held < count { await Task.yield() }
                    await then()
                }
                for await result in group {
                    guard case .filed(let filed) = result else {
                        Issue.record("not filed: \(result)")
                        continue
                    }
                    #expect(filed.destination == .processed)
                }
            }
        }
    }

    @Test("files a picture by itself at once")
    func alone() async throws {
        let patient = try await Patient()
        patient.expect(1)
        try await patient.file(1)
    }

    @Test("goes on as soon as hardly any are to come")
    func fewToCome() async throws {
        let patient = try await Patient()
        patient.expect(20)
        try await patient.file(3) {
            for _ in 0..<15 { patient.queue.expectNoMore() }
        }
    }

    @Test("goes on as soon as there are many")
    func many() async throws {
        let patient = try await Patient()
        patient.expect(60)
        let last = try await patient.picture(99)
        try await patient.file(BatchGathering<FilingQueue.Waiting>.enough - 1) {
            _ = await patient.queue.file(last)
        }
        #expect(
            try patient.inbox.names(in: "processed").count == 1
                + BatchGathering<FilingQueue.Waiting>.enough
        )
    }

    @Test("goes on as soon as the service is being stopped")
    func stops() async throws {
        let patient = try await Patient()
        patient.expect(60)
        try await patient.file(3) { patient.queue.stop() }
    }
}
