internal import Foundation
internal import Synchronization
internal import TagReading
internal import TagScenes
internal import Testing
@testable internal import reading_score

/// A reader that answers each picture in turn.
private final class AnsweringReader: TagReader {
    private let answer: @Sendable (Int) -> Result<[[UInt8]], ReadError>
    private let count = Mutex(0)

    init(_ answer: @escaping @Sendable (Int) -> Result<[[UInt8]], ReadError>) {
        self.answer = answer
    }

    var pictures: Int { count.withLock { $0 } }

    func read(_ image: TagImage) async throws(ReadError) -> Reading {
        let number = count.withLock { count in
            count += 1
            return count - 1
        }
        let symbols = try answer(number).get().map { Symbol(payload: $0) }
        return Reading(symbols: symbols, width: 1, height: 1, duration: .zero)
    }
}

@Suite("A trial of pictures without a code")
struct NoCodeTrialTests {
    private let set = NoCodeSet(seed: 4)

    @Test("counts nothing when nothing is read")
    func nothing() async throws {
        let reader = AnsweringReader { _ in .success([]) }
        let tally = try await NoCodeTrial(set: set, reader: reader)
            .run(0..<30, atOnce: 3, isStopped: { false }) { _ in }
        #expect(tally.pictures == 30 && reader.pictures == 30)
        #expect(tally.wrong.isEmpty && tally.mended.isEmpty && tally.failed.isEmpty)
    }

    @Test("takes what a broken symbol said for right, and everything else for wrong")
    func wrong() async throws {
        let broken = try (0..<40).first { try set.picture($0).kind == .broken }
        let number = try #require(broken)
        let original = try #require(try set.picture(number).originals.first)
        let reader = AnsweringReader { number in
            number == 0 ? .success([original]) : .success([original, [1, 2]])
        }
        let trial = NoCodeTrial(set: set, reader: reader)
        let right = try await trial.run(number..<number + 1, atOnce: 1, isStopped: { false }) { _ in
        }
        #expect(right.mended == [.broken: 1] && right.wrong.isEmpty)
        let wrong = try await trial.run(0..<1, atOnce: 1, isStopped: { false }) { _ in }
        #expect(wrong.wrong.map(\.payload) == [original, [1, 2]])
        let report = wrong.report(seed: 4, from: 0, count: 1)
        #expect(report.contains("wrong: AQI= (base64) from noise; see: "))
        #expect(report.contains("--seed 4 --count 1 --into folder --from 0"))
    }

    @Test("goes on after a picture on which the reader fails, and tells which one it was")
    func failing() async throws {
        let reader = AnsweringReader { number in
            number == 2 ? .failure(ReadError(.readerCrashed, "gone")) : .success([])
        }
        let tally = try await NoCodeTrial(set: set, reader: reader)
            .run(100..<110, atOnce: 1, isStopped: { false }) { _ in }
        #expect(tally.pictures == 10)
        #expect(tally.failed.map(\.number) == [102])
        #expect(tally.report(seed: 4, from: 100, count: 10).contains("--from 102"))
    }

    @Test("stops where it is told to, with nothing left out before, and tells how to go on")
    func stopping() async throws {
        let reader = AnsweringReader { _ in .success([]) }
        let tally = try await NoCodeTrial(set: set, reader: reader)
            .run(50..<5000, atOnce: 2, isStopped: { reader.pictures >= 7 }) { _ in }
        #expect(tally.pictures == reader.pictures)
        #expect((7...10).contains(tally.pictures))
        let next = "--from \(50 + tally.pictures) --count \(4950 - tally.pictures)"
        #expect(tally.report(seed: 4, from: 50, count: 4950).contains("--seed 4 \(next)"))
    }
}
