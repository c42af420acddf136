internal import Foundation
internal import MessagePack

/// Measures the MessagePack coders in turn with Foundation's JSON coders.
///
/// Machines are noisy: the ratios are what counts. Times are milliseconds, medians of all rounds.
///
/// Run with `BENCHMARK=1 swift run -c release coding-speed [ROUNDS]`.
@main
enum CodingSpeed {
    static func main() async throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 15
        var payloads = Payloads()
        let tags = payloads.tags(10_000)
        let document = payloads.document()
        Comparison<Int>.printHead()
        try Comparison(name: "10,000 tags", value: tags).run(rounds: rounds)
        var text = Comparison(name: "10,000 tags, UUID as text", value: tags)
        text.encoder.uuidEncodingStrategy = .text
        try text.run(rounds: rounds)
        try Comparison(name: "nested document", value: document).run(rounds: rounds)
        try await PythonComparison(rounds: rounds).run([
            ("10,000 tags", MessagePackEncoder().encode(tags)),
            ("nested document", MessagePackEncoder().encode(document)),
        ])
    }
}
