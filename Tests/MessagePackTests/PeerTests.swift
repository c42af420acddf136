import Foundation
import MessagePack
import Subprocess
import SystemPackage
import Testing
import TestProcesses

/// The Python package `msgpack`, which others have written, must understand our messages and we its.
@Suite struct PeerTests {
    @Test(
        "Python decodes what is encoded here, and encodes it to the same bytes",
        .enabled("Python has no msgpack") { await Python.hasMessagePack },
        arguments: 0..<4
    )
    func repacked(_ seed: UInt64) async throws {
        var generator = ValueGenerator(seed: 300 + seed)
        let messages = try (0..<150).map { _ in
            try MessagePackEncoder().encode(generator.value()).hexadecimal
        }
        let input = messages.joined(separator: "\n")
        let output = try await Python.run(["repack"], input: input).split(separator: "\n")
        try #require(output.count == messages.count)
        for (ours, theirs) in zip(messages, output) { try Self.checkRepacked(ours, String(theirs)) }
    }

    @Test(
        "what Python encodes is decoded to the same values",
        .enabled("Python has no msgpack") { await Python.hasMessagePack },
        arguments: 0..<4
    )
    func generated(_ seed: Int) async throws {
        let output = try await Python.run(["generate", "\(seed)", "60"], input: "")
        let lines = output.split(separator: "\n")
        #expect(lines.count == 60)
        for line in lines { try Self.checkGenerated(line) }
    }

    @Test("what Python once made of our messages is still what they mean")
    func recordedRepacked() throws {
        let lines = try Python.recorded("repacked.tsv")
        #expect(lines.count == 40)
        for line in lines {
            let fields = line.split(separator: "\t").map(String.init)
            try #require(fields.count == 2)
            try Self.checkRepacked(fields[0], fields[1])
        }
    }

    @Test("what Python once encoded is still decoded to the same values")
    func recordedGenerated() throws {
        let lines = try Python.recorded("generated.tsv")
        #expect(lines.count == 25)
        for line in lines { try Self.checkGenerated(line) }
    }

    private static func checkRepacked(_ ours: String, _ theirs: String) throws {
        let value = try MessagePackDecoder().decode(MessagePackValue.self, from: bytes(ours))
        #expect(try MessagePackEncoder().encode(value.asPython).hexadecimal == theirs)
        #expect(
            try MessagePackDecoder().decode(MessagePackValue.self, from: bytes(theirs))
                == value.asPython
        )
    }

    private static func checkGenerated(_ line: Substring) throws {
        let fields = line.split(separator: "\t", maxSplits: 1)
        try #require(fields.count == 2)
        let decoded = try MessagePackDecoder().decode(
            MessagePackValue.self,
            from: bytes(String(fields[0]))
        )
        let expected = try JSONDecoder().decode(MessagePackValue.self, from: Data(fields[1].utf8))
        #expect(decoded.sorted == expected.sorted)
        #expect(try MessagePackEncoder().encode(decoded).hexadecimal == fields[0])
    }
}

/// Python, where it is installed.
private enum Python {
    static var hasMessagePack: Bool {
        get async { (try? await run(["generate", "0", "1"], input: "")) != nil }
    }

    static func run(_ arguments: [String], input: String) async throws -> String {
        let script = try file("peer.py").path(percentEncoded: false)
        let result = try await Subprocess.run(
            .name("python3"),
            arguments: Arguments([script] + arguments),
            platformOptions: .endingWithTests,
            input: .string(input),
            output: .string(limit: 1 << 26),
            error: .discarded
        )
        try #require(result.terminationStatus.isSuccess)
        return result.standardOutput
    }

    static func recorded(_ name: String) throws -> [Substring] {
        try String(contentsOf: file(name), encoding: .utf8).split(separator: "\n")
    }

    private static func file(_ name: String) throws -> URL {
        try #require(
            Bundle.module.url(forResource: name, withExtension: nil, subdirectory: "Python")
        )
    }
}

extension MessagePackValue {
    /// The value with what Python keeps of it: its floats have 64 bits.
    fileprivate var asPython: MessagePackValue {
        switch self {
        case .float(let number): .double(Double(number))
        case .array(let items): .array(items.map(\.asPython))
        case .map(let map):
            .map(MessagePackMap(map.map { .init($0.key.asPython, $0.value.asPython) }))
        default: self
        }
    }

    /// The value with all maps in the order of their keys.
    fileprivate var sorted: MessagePackValue {
        switch self {
        case .array(let items): .array(items.map(\.sorted))
        case .map(let map):
            .map(
                MessagePackMap(
                    map.map { .init($0.key, $0.value.sorted) }
                        .sorted { $0.key.description < $1.key.description }
                )
            )
        default: self
        }
    }
}
