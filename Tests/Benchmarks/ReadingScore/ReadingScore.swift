internal import ArgumentParser

/// Compares readers on pictures whose truth is known, and has one read what has no code.
///
/// Build with `BENCHMARK=1 swift build -c release`, draw pictures with `draw-tags`, then run
/// `.build/release/reading-score FOLDER` or `.build/release/reading-score no-code`.
@main
struct ReadingScore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reading-score",
        abstract: "Find out how much readers read, how much of it is wrong, and what it costs.",
        subcommands: [ScoreCommand.self, NoCodeCommand.self],
        defaultSubcommand: ScoreCommand.self
    )
}
