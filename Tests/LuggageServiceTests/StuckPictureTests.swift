import CFaultInjection
import Foundation
import Logging
import LuggageTags
import Synchronization
import TagReading
import Testing
import ZBarTagReader

@testable import LuggageService

/// Serialized: there is one fault at a time in a process.
@Suite("A picture that cannot be put back", .serialized, .timeLimit(.minutes(30)))
struct StuckPictureTests {
    private let inbox: WatchedInbox
    /// Different from every other name, as those are that the faults concern.
    private let name = "\(UUID().uuidString).png"

    init() throws {
        inbox = try WatchedInbox()
    }

    /// Lets all moves of pictures with this name fail.
    ///
    /// - Parameter first: Which of the moves is the first to fail, from 1.
    private func failMoves(from first: Int32) {
        // The name lasts as long as the process.
        unsafe fault_injection_start(FaultInjectionRename, strdup(name), first, .max / 2, EIO)
    }

    private func lines(of log: LogFile, about place: String) throws -> [String] {
        try log.lines.filter { $0.contains(place) }
            .map { $0.replacing(name, with: "NAME").replacing(inbox.path, with: "INBOX") }
    }

    @Test("because a move has failed, is put back and filed as soon as that can be done")
    func failedMove() async throws {
        let (clock, log) = (ManualClock(), try LogFile(level: .notice))
        try await inbox.watch { events in
            await clock.sleeperComes(until: .seconds(60))
            // Dropping it is the first move, and taking hold of it the second.
            failMoves(from: 3)
            defer { fault_injection_stop() }
            try inbox.drop(name, tagPicture())
            guard case .postponed = try await events.nextEnd().disposition else {
                Issue.record("it was not postponed")
                return
            }
            #expect(try inbox.names(in: "origin") == [".~luggage~\(name)"])
            clock.advance(to: .seconds(60))
            await clock.sleeperComes(until: .seconds(120))
            fault_injection_stop()
            clock.advance(to: .seconds(120))
            var event = try await events.nextEnd()
            while case .gone = event.disposition { event = try await events.nextEnd() }
            #expect(event.destination == .processed)
            guard case .filed(let filed) = event.disposition else { return }
            #expect(filed.reports.map(\.outcome) == [.new])
        } changing: {
            $0.clock = clock
            $0.log = log.log
        }
        #expect(try inbox.names(in: "processed") == [name])
        let lines = try lines(of: log, about: "put back")
        #expect(lines.count == 2)
        let words = [
            "NAME: INBOX/origin/.~luggage~NAME cannot be put back: Input/output error; let the "
                + "service write to that folder, or rename the file to NAME; it will be tried again",
            "INBOX/origin/NAME was put back",
        ]
        for (line, words) in zip(lines, words) { #expect(line.hasSuffix(words)) }
    }

    @Test("at the start is put back and filed as soon as that can be done")
    func start() async throws {
        let (clock, log) = (ManualClock(), try LogFile(level: .notice))
        let picture = try inbox.drop(name, tagPicture())
        try #require(unsafe rename(picture, inbox.path(".~luggage~\(name)")) == 0)
        failMoves(from: 1)
        defer { fault_injection_stop() }
        try await inbox.watch { events in
            await clock.sleeperComes(until: .seconds(60))
            #expect(try inbox.names(in: "origin") == [".~luggage~\(name)"])
            fault_injection_stop()
            clock.advance(to: .seconds(60))
            let event = try await events.nextEnd()
            #expect(event.destination == .processed)
        } changing: {
            $0.clock = clock
            $0.log = log.log
        }
        let lines = try lines(of: log, about: "put back")
        #expect(lines.count == 2)
        #expect(lines.first?.hasSuffix("rename the file to NAME; it will be tried again") == true)
        #expect(lines.last?.hasSuffix("INBOX/origin/NAME was put back") == true)
    }

    @Test("is put back where a folder for it is there again", arguments: [false, true])
    func folderIsThereAgain(isReplaced: Bool) throws {
        let picture = try inbox.drop(name, Array("first".utf8))
        let filed = inbox.path(name, in: "processed")
        try #require(unsafe rename(picture, filed) == 0)
        let (origin, other) = ("\(inbox.path)/origin", "\(inbox.path)/other")
        // A file in the place of a folder lets nobody put one into it.
        try FileManager.default.moveItem(atPath: origin, toPath: other)
        try Data().write(to: URL(filePath: origin))
        let claim = ClaimedPicture(source: Array(picture.utf8))
        let error = try #require(throws: FilingError.self) {
            try claim.putBack(from: FilePlace(Array(filed.utf8)))
        }
        #expect(
            error.message
                == "\(filed) cannot be put back: Not a directory; let the service write to "
                + "\(origin), or move the file there"
        )
        let stuck = StuckPictures()
        stuck.add(from: error)
        stuck.add(from: error)
        #expect(stuck.putBack() == [])
        #expect(!stuck.isEmpty)
        try FileManager.default.removeItem(atPath: origin)
        try FileManager.default.moveItem(atPath: other, toPath: origin)
        if isReplaced {
            // The other file is there before the first one goes, and so has another number.
            try inbox.drop(name, Array("second".utf8), in: "processed")
        }
        #expect(stuck.putBack() == (isReplaced ? [] : [Array(picture.utf8)]))
        #expect(try inbox.names(in: "origin") == (isReplaced ? [] : [name]))
        #expect(try inbox.names(in: "processed") == (isReplaced ? [name] : []))
        #expect(stuck.isEmpty)
    }

    @Test("is forgotten where somebody takes it away")
    func takenAway() throws {
        let stuck = StuckPictures()
        let path = try inbox.drop(name, Array("first".utf8))
        stuck.add(from: try claimedError(at: path))
        try FileManager.default.removeItem(atPath: inbox.path(".~luggage~\(name)"))
        #expect(!stuck.isEmpty)
        #expect(stuck.putBack() == [])
        #expect(stuck.isEmpty)
    }

    /// Gives a picture its hidden name, and what is said where that one stays.
    private func claimedError(at path: String) throws -> FilingError {
        let claim = ClaimedPicture(source: Array(path.utf8))
        #expect(try claim.take())
        var error = FilingError(EIO, "it cannot be put back")
        error.stuck = StuckPicture(claim, at: FilePlace(claim.path))
        return error
    }

    @Test("is not mistaken for another one that has its hidden name while it is moved")
    func hiddenNameIsTaken() throws {
        let stuck = StuckPictures()
        let path = try inbox.drop(name, Array("first".utf8))
        stuck.add(from: try claimedError(at: path))
        try inbox.drop(name, Array("second".utf8))
        let image = try TagImage(path: path)
        // Gone only now, so that the other has another number.
        try FileManager.default.removeItem(atPath: inbox.path(".~luggage~\(name)"))
        var tries: [[[UInt8]]] = []
        let move = PictureMove(
            source: Array(path.utf8),
            image: image,
            folder: "\(inbox.path)/processed",
            observe: { step in
                if case .claimed = step { tries.append(stuck.putBack()) }
            }
        )
        #expect(try move.run() == .moved(name: Array(name.utf8)))
        #expect(tries == [[]])
        #expect(try inbox.names(in: "origin") == [])
    }

    @Test("is put back only when no picture is being moved")
    func betweenMoves() async throws {
        let opened = Mutex(0)
        let store = try ServiceStore(.init(path: inbox.store)) { [inbox] in
            let number = opened.withLock { number in
                number += 1
                return number
            }
            if number == 2 { throw FilingError(EIO, "the record cannot be opened") }
            return try inbox.makeContainer()
        }
        let layout = FolderLayout(path: inbox.path)
        let queue = Mutex<FilingQueue?>(nil)
        let seen = Mutex<[[String]]>([])
        let filing = FilingQueue(
            store: store,
            layout: layout,
            gathering: BatchGathering(readers: 1),
            backoff: Backoff(first: .milliseconds(200), jitter: { 1 }),
            prepare: {},
            report: { [inbox] trouble in
                if trouble == nil { return }
                // Asked for while a picture is being filed, long before it is moved.
                queue.withLock { $0 }?.betweenBatches {
                    let names = (try? inbox.names(in: "processed")) ?? []
                    seen.withLock { $0.append(names) }
                }
            },
            complain: { Issue.record("\($0)") }
        )
        queue.withLock { $0 = filing }
        // So that the record is opened anew.
        store.doubt(after: FilingError(EIO, "writing to the record has failed"))
        try inbox.drop(name, tagPicture())
        let configuration = WatchConfiguration(folder: inbox.path)
        let pipeline = PicturePipeline(
            intake: PictureIntake(reader: ZBarTagReader()),
            store: store,
            filing: filing,
            configuration: { configuration }
        )
        let file = DroppedFile(folder: layout.dropFolders[0], name: Array(name.utf8))
        let disposition = await pipeline.process(file, isOverdue: false, attempt: 1)
        guard case .filed = disposition else {
            Issue.record("\(disposition)")
            return
        }
        await withCheckedContinuation { continuation in
            filing.betweenBatches { continuation.resume() }
        }
        #expect(seen.withLock { $0 } == [[name]])
        queue.withLock { $0 = nil }
    }
}
