internal import Foundation
internal import MessagePack

/// One payload, coded by both.
struct Comparison<Payload: Codable & Equatable> {
    /// How many times as fast as JSON the coders are to be.
    private var goal: Double { 3 }

    let name: String
    let value: Payload
    var encoder = MessagePackEncoder()

    init(name: String, value: Payload) {
        self.name = name
        self.value = value
    }

    func run(rounds: Int) throws {
        let jsonEncoder = JSONEncoder()
        let jsonDecoder = JSONDecoder()
        let decoder = MessagePackDecoder()
        let message = try encoder.encode(value)
        let json = try jsonEncoder.encode(value)
        guard try decoder.decode(Payload.self, from: message) == value else {
            print("\(name): decoding gave another value")
            return
        }
        let times = try medians(
            rounds: rounds,
            { _ = try encoder.encode(value) },
            { _ = try jsonEncoder.encode(value) },
            { _ = try decoder.decode(Payload.self, from: message) },
            { _ = try jsonDecoder.decode(Payload.self, from: json) }
        )
        printLine("encode \(name)", times[0], times[1], message.count, json.count)
        printLine("decode \(name)", times[2], times[3], message.count, json.count)
    }

    /// Milliseconds of each body: the median of all rounds, each begun by another body.
    private func medians(rounds: Int, _ bodies: (() throws -> Void)...) throws -> [Double] {
        var times = bodies.map { _ in [Double]() }
        for round in 0..<rounds {
            for turn in bodies.indices {
                let index = (turn + round) % bodies.count
                let started = ContinuousClock.now
                try bodies[index]()
                times[index].append((ContinuousClock.now - started) / .milliseconds(1))
            }
        }
        return times.map { $0.sorted()[$0.count / 2] }
    }

    private func printLine(
        _ name: String,
        _ ours: Double,
        _ json: Double,
        _ size: Int,
        _ other: Int
    ) {
        let ratio = json / ours
        let numbers = String(
            format: "%10.2f%10.2f%8.2f  %@%10d%10d",
            ours,
            json,
            ratio,
            ratio >= goal ? "ok    " : "MISSED",
            size,
            other
        )
        print(name.padding(toLength: 36, withPad: " ", startingAt: 0) + numbers)
    }
}

extension Comparison where Payload == Int {
    static func printHead() {
        print(
            "payload                            ours, ms  JSON, ms   ratio  goal 3    bytes JSON bytes"
        )
    }
}
