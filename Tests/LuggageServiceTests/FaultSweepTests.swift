import CFaultInjection
import Foundation
import Testing

@testable import LuggageService

/// Every call of the system that the service makes on files, from start to end, is the one at which
/// it is killed or fails.
@Suite("At every call of the system", .timeLimit(.minutes(30)))
struct FaultSweepTests {
    /// How the system lets the service down.
    struct Fault: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let call: FaultInjectionCall
        let error: Int32
        /// Whether what is filed goes to another file system.
        var isFiledElsewhere = false
        /// Whether the pictures belong to somebody else, which only root can have.
        var isOthers = false

        static let all = [
            Fault(
                testDescription: "kill -9",
                call: FaultInjectionAny,
                error: FAULT_INJECTION_KILL
            ),
            Fault(
                testDescription: "kill -9, filing pictures of others",
                call: FaultInjectionAny,
                error: FAULT_INJECTION_KILL,
                isOthers: true
            ),
            Fault(
                testDescription: "unlink EIO, filing pictures of others",
                call: FaultInjectionUnlink,
                error: EIO,
                isOthers: true
            ),
            Fault(
                testDescription: "rename EIO, filing pictures of others",
                call: FaultInjectionRename,
                error: EIO,
                isOthers: true
            ),
            Fault(
                testDescription: "kill -9, filing on another file system",
                call: FaultInjectionAny,
                error: FAULT_INJECTION_KILL,
                isFiledElsewhere: true
            ),
            Fault(
                testDescription: "unlink EIO, filing on another file system",
                call: FaultInjectionUnlink,
                error: EIO,
                isFiledElsewhere: true
            ),
            Fault(
                testDescription: "rename EIO, filing on another file system",
                call: FaultInjectionRename,
                error: EIO,
                isFiledElsewhere: true
            ),
            Fault(
                testDescription: "open EMFILE, filing on another file system",
                call: FaultInjectionOpen,
                error: EMFILE,
                isFiledElsewhere: true
            ),
            Fault(testDescription: "sync EIO", call: FaultInjectionSync, error: EIO),
            Fault(
                testDescription: "sync EIO, filing on another file system",
                call: FaultInjectionSync,
                error: EIO,
                isFiledElsewhere: true
            ),
            Fault(testDescription: "write ENOSPC", call: FaultInjectionWrite, error: ENOSPC),
            Fault(testDescription: "rename ENOSPC", call: FaultInjectionRename, error: ENOSPC),
            Fault(testDescription: "rename EIO", call: FaultInjectionRename, error: EIO),
            Fault(testDescription: "open EMFILE", call: FaultInjectionOpen, error: EMFILE),
            Fault(testDescription: "read EIO", call: FaultInjectionRead, error: EIO),
        ]
    }

    /// Of how many calls one is tried; all with `CALL_STRIDE=1`.
    private static let stride =
        ProcessInfo.processInfo.environment["CALL_STRIDE"].flatMap { Int($0) } ?? 17

    @Test(
        "nothing is lost, nothing is filed twice, and the next start finishes",
        arguments: Fault.all.filter { !$0.isOthers || geteuid() == 0 }
    )
    func sweep(fault: Fault) async throws {
        let expected = try await Outcome.undisturbed()
        var number = 1
        var kills = 0
        // Few calls make so short a sweep that every one of them can be tried.
        var step =
            fault.call == FaultInjectionAny || fault.call == FaultInjectionRead
            ? Self.stride : max(1, Self.stride / 2)
        if [FaultInjectionRename, FaultInjectionUnlink].contains(fault.call) { step = 1 }
        while true {
            let inbox = try WatchedInbox()
            let other = try fault.isFiledElsewhere ? OtherFileSystem(for: inbox) : nil
            try inbox.fillForSweep()
            if fault.isOthers { try inbox.giveAway() }
            let run = try await FaultyRun(inbox, failing: fault.call, number, with: fault.error)
            let place: Comment = "at call \(number): \(run.output)"
            if run.isKilled { kills += 1 }
            // What is left to do is done by a start without faults, or by two where a file is not
            // complete only because a reading of it has failed.
            try await inbox.watch(isOnce: true)
            #expect(try Outcome(of: inbox) == expected, place)
            try other?.expectNothingHidden(place)
            if fault.isOthers { try inbox.expectNothingHidden(place) }
            if let calls = run.calls, calls < number { break }
            number += step
        }
        #expect(number > step)
        if fault.error == FAULT_INJECTION_KILL { #expect(kills > 0) }
    }

    /// What is on record and where the pictures are, by their contents.
    private struct Outcome: Equatable {
        let record: [[String]]
        /// The bytes of the pictures in each folder.
        let pictures: [String: [Data]]

        init(of inbox: WatchedInbox) throws {
            record = try inbox.record()
            var pictures: [String: [Data]] = [:]
            for place in ["origin", "destination", "processed", "duplicates", "failed"] {
                let names = try inbox.names(in: place).filter { !$0.hasSuffix(".error.json") }
                pictures[place] = try names.map { name in
                    try Data(contentsOf: URL(filePath: inbox.path(name, in: place)))
                }.sorted { $0.lexicographicallyPrecedes($1) }
            }
            self.pictures = pictures
            for name in try inbox.names(in: "failed") where !name.hasSuffix(".error.json") {
                let note = FailureNote.read(beside: Array(name.utf8), in: "\(inbox.path)/failed")
                #expect(note?.reason == "out-of-range", "\(name)")
            }
        }

        static func undisturbed() async throws -> Outcome {
            let inbox = try WatchedInbox()
            try inbox.fillForSweep()
            try await inbox.watch(isOnce: true)
            return try Outcome(of: inbox)
        }
    }
}

extension WatchedInbox {
    /// Looks whether a copy that was begun is left.
    ///
    /// The mark of one goes at the next start.
    fileprivate func expectNothingHidden(_ comment: Comment) throws {
        for place in ["processed", "duplicates", "failed"] {
            let names = try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(place)")
            #expect(names.filter { $0.hasPrefix(".") } == [], comment)
        }
    }

    /// A picture of every fate: filed, filed at the other point, a duplicate, and one that fails.
    fileprivate func fillForSweep() throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let pictures: [(String, [UInt8], String)] = [
            ("a.png", try tagPicture(1), "origin"),
            ("b.png", try tagPicture(1), "destination"),
            ("c.png", try tagPicture(1), "origin"),
            ("d.png", try tagPicture(2, weight: "-1"), "origin"),
        ]
        for (name, bytes, place) in pictures {
            let path = try drop(name, bytes, in: place)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        }
    }
}

extension OtherFileSystem {
    /// Looks whether a copy that was begun is left.
    fileprivate func expectNothingHidden(_ place: Comment) throws {
        for folder in ["processed", "duplicates", "failed"] {
            let names = try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")
            #expect(names.filter { $0.hasPrefix(".") } == [], place)
        }
    }
}
