import CFaultInjection
import Foundation
import GRDB
import ObjectStore
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

/// A way in which the disk lets a program down.
struct Fault: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let call: FaultInjectionCall
    let error: Int32
    let codes: [StoreError.Code]
    /// Whether it stays until the work under it has ended, or fails a single call.
    let lasts: Bool

    private init(
        _ name: String,
        _ call: FaultInjectionCall,
        _ error: Int32,
        _ codes: [StoreError.Code],
        lasts: Bool
    ) {
        testDescription = name + (lasts ? ", lasting" : ", once")
        self.call = call
        self.error = error
        self.codes = codes
        self.lasts = lasts
    }

    static let all = [false, true].flatMap { lasts in
        [
            Fault("sync EIO", FaultInjectionSync, EIO, [.ioFailed], lasts: lasts),
            Fault("sync ENOSPC", FaultInjectionSync, ENOSPC, [.ioFailed, .full], lasts: lasts),
            Fault("write EIO", FaultInjectionWrite, EIO, [.ioFailed], lasts: lasts),
            Fault("write ENOSPC", FaultInjectionWrite, ENOSPC, [.full, .ioFailed], lasts: lasts),
            Fault("truncate EIO", FaultInjectionTruncate, EIO, [.ioFailed], lasts: lasts),
            Fault("unlink EIO", FaultInjectionUnlink, EIO, [.ioFailed], lasts: lasts),
            // SQLite takes a failed read for a damaged file, and opens for reading what it cannot
            // open for writing. What the file is, is read before SQLite opens it.
            Fault(
                "read EIO",
                FaultInjectionRead,
                EIO,
                [.damaged, .ioFailed, .cannotOpen],
                lasts: lasts
            ),
            Fault("open EIO", FaultInjectionOpen, EIO, [.cannotOpen, .readOnly], lasts: lasts),
        ]
    }
}

extension Fault {
    /// For the longer sweep: of lasting faults, those that people meet.
    static let common = all.filter { fault in
        !fault.lasts || fault.error == ENOSPC || fault.call == FaultInjectionOpen
    }
}

@Suite("A disk that fails")
struct FaultTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("during any call of a save loses no save and keeps no half", arguments: Fault.all)
    func saves(fault: Fault) throws {
        let lines = try run("saves", fault)
        let place: Comment = "\(lines.joined(separator: "\n"))"
        try check(lines, fault)
        let acknowledged = lines.compactMap { Self.saved($0) }
        #expect(acknowledged == acknowledged.sorted(), place)
        // Once the fault is over, the next save succeeds.
        #expect(lines.allSatisfy { !$0.hasPrefix("later failed") }, place)
        try checkStore("saves.sqlite", acknowledged.last ?? 0, place)
        // Each save writes, and waits until the disk has what it wrote.
        guard [FaultInjectionSync, FaultInjectionWrite].contains(fault.call) else { return }
        #expect(lines.contains { $0.hasPrefix("failed") }, place)
    }

    @Test("from the making of a store to its closing does likewise", arguments: Fault.common)
    func lives(fault: Fault) throws {
        let lines = try run("lives", fault)
        try check(lines, fault)
        var name = ""
        var acknowledged: [String: Int] = [:]
        for line in lines {
            if line.hasPrefix("store ") { name = String(line.dropFirst(6)) }
            if let saved = Self.saved(line) { acknowledged[name] = saved }
            #expect(!line.hasPrefix("later failed"), "\(name): \(line)")
        }
        #expect(acknowledged.count > 0)
        #expect(lines.contains { $0.hasPrefix("failed") }, "\(lines)")
        for (name, saves) in acknowledged { try checkStore(name, saves, "\(name)") }
    }

    /// Runs the program under the fault and gives its lines.
    private func run(_ work: String, _ fault: Fault) throws -> [String] {
        let writer = try StartedProgram(
            "fault-writer",
            [
                folder.path, work, "\(fault.call.rawValue)", "\(fault.error)",
                fault.lasts ? "1000000" : "1",
            ]
        )
        let text = try writer.output.readToEnd() ?? Data()
        let end = writer.wait()
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
        // It went on to the end: no fault has ended it.
        let place: Comment = "\(lines.suffix(5))"
        #expect(end == .exit(0), place)
        #expect(lines.last?.hasPrefix("swept") == true, place)
        return lines
    }

    /// Each failure is one that the fault explains, in words that name the file.
    private func check(_ lines: [String], _ fault: Fault) throws {
        for line in lines {
            #expect(!line.contains("surprised"), "\(line)")
            guard line.hasPrefix("failed ") else { continue }
            let words = line.split(separator: " ", maxSplits: 2)
            #expect(fault.codes.contains { $0.description == words[1] }, "\(line)")
            #expect(words[2].contains(folder.path), "\(line)")
            #expect(words[2].contains(";"), "a remedy: \(line)")
        }
    }

    private static func saved(_ line: String) -> Int? {
        guard line.contains("saved ") else { return nil }
        return line.split(separator: " ").last.flatMap { Int($0) }
    }

    private func checkStore(_ name: String, _ acknowledged: Int, _ place: Comment) throws {
        let store = try SQLiteStore(path: folder.path(name))
        let container = try PersistentContainer(model: TestModel.make(), store: store)
        let saves = try #require(try SavedRound.count(in: container), place)
        #expect(saves >= acknowledged, place)
        try store.close()
        let queue = try DatabaseQueue(path: folder.path(name))
        let answer = try queue.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
        #expect(answer == "ok", place)
        try queue.close()
    }
}
