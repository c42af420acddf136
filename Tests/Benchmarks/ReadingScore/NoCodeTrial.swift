internal import Foundation
internal import TagReading
internal import TagScenes

/// Has a reader read pictures without a code.
struct NoCodeTrial {
    let set: NoCodeSet
    let reader: any TagReader

    /// What came of the pictures.
    struct Tally {
        /// A payload that is not there.
        struct Wrong: Equatable {
            let number: Int
            let kind: NoCodeKind
            let payload: [UInt8]
        }

        /// Pictures that were tried, one after the other.
        var pictures = 0
        /// Pictures from which what a broken symbol had said was read: it could be corrected.
        var mended: [NoCodeKind: Int] = [:]
        var wrong: [Wrong] = []
        /// Pictures that the reader failed on, and why.
        var failed: [(number: Int, reason: String)] = []
    }

    /// Reads pictures.
    ///
    /// - Parameters:
    ///   - numbers: Which ones.
    ///   - atOnce: How many at a time.
    ///   - isStopped: Whether to begin no more.
    ///   - progress: Told of what has come of it so far, every 1,000 pictures.
    /// - Returns: What came of them; all up to a number, none behind it.
    /// - Throws: `TagDrawingError` when a picture cannot be drawn.
    func run(
        _ numbers: Range<Int>,
        atOnce: Int,
        isStopped: @Sendable () -> Bool,
        progress: (Tally) -> Void
    ) async throws -> Tally {
        try await withThrowingTaskGroup(of: Answer.self) { group in
            var tally = Tally()
            for number in numbers {
                if number - numbers.lowerBound >= atOnce, let answer = try await group.next() {
                    tally.add(answer)
                    if tally.pictures.isMultiple(of: 1000) { progress(tally) }
                }
                if isStopped() { break }
                group.addTask { try await answer(to: number) }
            }
            for try await answer in group { tally.add(answer) }
            return tally
        }
    }

    fileprivate struct Answer {
        let number: Int
        let picture: NoCodePicture
        let result: Result<[[UInt8]], ReadError>
    }

    @concurrent
    private func answer(to number: Int) async throws -> Answer {
        let picture = try set.picture(number)
        let bytes = try picture.png()
        do throws(ReadError) {
            let image = try TagImage(bytes: bytes)
            let payloads = try await reader.read(image).symbols.map(\.payload)
            return Answer(number: number, picture: picture, result: .success(payloads))
        } catch {
            return Answer(number: number, picture: picture, result: .failure(error))
        }
    }
}

extension NoCodeTrial.Tally {
    fileprivate mutating func add(_ answer: NoCodeTrial.Answer) {
        pictures += 1
        let kind = answer.picture.kind
        switch answer.result {
        case .success(let payloads):
            let other = payloads.filter { !answer.picture.originals.contains($0) }
            wrong += other.map { Wrong(number: answer.number, kind: kind, payload: $0) }
            if other.count < payloads.count { mended[kind, default: 0] += 1 }
        case .failure(let error):
            failed.append((answer.number, "\(error)"))
        }
    }

    /// The figures in a line.
    var summary: String {
        "\(wrong.count) wrong, \(mended.values.reduce(0, +)) mended, \(failed.count) failed"
    }

    /// Everything, and how to go on or to look at it.
    func report(seed: UInt64, from: Int, count: Int) -> String {
        var lines = ["\(pictures) pictures from \(from) on, seed \(seed): \(summary)"]
        for (kind, count) in mended.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            lines.append("mended: \(count) \(kind.rawValue)")
        }
        let look = "reading-score no-code --seed \(seed) --count 1 --into folder --from"
        for wrong in wrong.sorted(by: { $0.number < $1.number }) {
            let base64 = Data(wrong.payload).base64EncodedString()
            lines.append(
                "wrong: \(base64) (base64) from \(wrong.kind.rawValue); see: \(look) \(wrong.number)"
            )
        }
        for (number, reason) in failed.sorted(by: { $0.number < $1.number }) {
            lines.append("failed: \(reason); see: \(look) \(number)")
        }
        if pictures < count {
            let next = "--from \(from + pictures) --count \(count - pictures)"
            lines.append("stopped; go on: reading-score no-code --seed \(seed) \(next)")
        }
        return lines.joined(separator: "\n")
    }
}
