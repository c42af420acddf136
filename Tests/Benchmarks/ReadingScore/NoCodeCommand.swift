internal import ArgumentParser
internal import Foundation
internal import Synchronization
internal import SystemSupport
internal import TagReading
internal import TagScenes

/// Reads pictures that hold no code, and counts what is read all the same.
struct NoCodeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "no-code",
        abstract: "Have luggage read pictures without a code, and count what it reads from them.",
        discussion: """
            Noise, patterns like those of codes, and symbols broken beyond correction, drawn from a seed \
            and their numbers. What a broken symbol said before is right, everything else is wrong. \
            Interrupt it whenever you like: it tells how far it came and how to go on.

            reading-score no-code --count 100000 --seed 7
            reading-score no-code --from 4711 --count 1 --seed 7 --into folder
            """
    )

    @Option(help: "How many pictures.")
    var count = 100_000

    @Option(help: "What they are drawn from.")
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("The number of the first picture.", valueName: "number"))
    var from = 0

    @Option(help: "How hard to try: fast, normal or thorough.")
    var effort = "normal"

    @Option(
        help: ArgumentHelp(
            "Put the pictures there instead of having them read.",
            valueName: "folder"
        )
    )
    var into: String?

    func validate() throws {
        guard count > 0, from >= 0, from <= .max - count else {
            throw ValidationError("--count is 1 at least, and --from 0")
        }
        guard ReadEffort(rawValue: effort) != nil else {
            throw ValidationError("--effort is fast, normal or thorough, not '\(effort)'")
        }
    }

    func run() async throws {
        let set = NoCodeSet(seed: seed)
        if let into {
            let folder = URL(filePath: into, directoryHint: .isDirectory)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for number in from..<from + count {
                let picture = try set.picture(number)
                let name = String(format: "%06d-", number) + picture.kind.rawValue + ".png"
                try Data(picture.png()).write(to: folder.appending(path: name))
            }
            return
        }
        var limits = ReadLimits.default
        limits.effort = ReadEffort(rawValue: effort) ?? .normal
        let pool = ReaderPool(executable: try ReaderPool.locateExecutable(), limits: limits)
        let stop = Interruption()
        let waiting = Task { await stop.wait() }
        defer { waiting.cancel() }
        let trial = NoCodeTrial(set: set, reader: pool)
        let done = try await trial.run(
            from..<from + count,
            atOnce: pool.workers,
            isStopped: { stop.isWanted }
        ) { tally in
            let line = "\(tally.pictures) of \(count): \(tally.summary)\n"
            FileHandle.standardError.write(Data(line.utf8))
        }
        await pool.shutdown()
        print(done.report(seed: seed, from: from, count: count))
        if !done.wrong.isEmpty { throw ExitCode.failure }
    }
}

/// Whether the user has asked to stop, with Ctrl-C.
private final class Interruption: Sendable {
    private let wanted = Atomic(false)

    var isWanted: Bool { wanted.load(ordering: .relaxed) }

    /// Waits until the user asks.
    func wait() async {
        for await _ in await AsyncStream.signals([SIGINT]) {
            wanted.store(true, ordering: .relaxed)
        }
    }
}
