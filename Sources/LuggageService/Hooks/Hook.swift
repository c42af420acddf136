internal import Subprocess
internal import SystemCalls
internal import SystemPackage

/// A command of the operator's that is run for each picture, whatever became of it.
///
/// It is told in variables of its environment, and in JSON on standard input, what happened. Nothing
/// of that is part of the command line, so no name of a file is ever taken for a command.
public struct Hook: Equatable, Sendable {
    /// A command line for `/bin/sh`.
    public let command: String
    /// How long one run may take.
    public let timeLimit: Duration
    /// What it inherits, as `NAME=VALUE`.
    private let inherited: [String: String]

    /// How long a process that is asked to end may take for it.
    static let patience = Duration.seconds(2)

    /// Describes a hook.
    ///
    /// - Parameters:
    ///   - command: A command line for `/bin/sh`.
    ///   - timeLimit: How long one run may take. Then its process group is asked to end, and two
    ///     seconds later killed.
    ///   - environment: The variables of this process. Only those are passed on that tell where
    ///     programs, files, the record and the user's language are: a hook must not be able to speak
    ///     to systemd for the service, as it could with `NOTIFY_SOCKET`.
    public init(command: String, timeLimit: Duration, environment: [String: String]) {
        self.command = command
        self.timeLimit = timeLimit
        var inherited = environment.filter { name, _ in
            Self.inheritedNames.contains(name) || name.hasPrefix("LC_")
        }
        if inherited["PATH"] == nil { inherited["PATH"] = "/usr/local/bin:/usr/bin:/bin" }
        self.inherited = inherited
    }

    private static let inheritedNames: Set<String> = [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR",
        "LUGGAGE_STORE", "STATE_DIRECTORY", "XDG_DATA_HOME",
    ]

    /// What came of a run.
    struct Outcome: Equatable {
        /// How it ended.
        enum End: Equatable {
            case exited(Int32)
            case killed(signal: Int32)
            /// It took longer than it may, and was ended.
            case tooSlow
            /// It could not be run; the words say why.
            case notRun(String)
        }

        var end: End
        /// What it wrote, as far as that is kept.
        var output = HookOutput()
    }

    /// Runs the command to its end.
    ///
    /// A process that it leaves behind on purpose goes on, without being heard. Cancellation ends the
    /// command as the time limit does.
    func run(_ facts: HookFacts) async -> Outcome {
        do {
            let input = try Self.file(of: facts.json)
            var options = PlatformOptions()
            // In a session of its own, all of its processes can be ended together.
            options.createSession = true
            options.teardownSequence = [
                .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: Self.patience)
            ]
            let result = try await Subprocess.run(
                .path("/bin/sh"),
                arguments: ["-c", command],
                environment: environment(facts),
                platformOptions: options,
                input: .fileDescriptor(input, closeAfterSpawningProcess: true),
                output: .sequence,
                error: .combinedWithOutput
            ) { execution in
                await follow(execution)
            }
            let (output, isTooSlow) = result.closureResult
            if isTooSlow { return Outcome(end: .tooSlow, output: output) }
            switch result.terminationStatus {
            case .exited(let status): return Outcome(end: .exited(status), output: output)
            case .signaled(let signal): return Outcome(end: .killed(signal: signal), output: output)
            }
        } catch {
            return Outcome(end: .notRun(String(describing: error)))
        }
    }

    private func follow<Input: InputProtocol, Failure: ErrorOutputProtocol>(
        _ execution: Execution<Input, SequenceOutput, Failure>
    ) async -> (HookOutput, isTooSlow: Bool) {
        async let output = HookOutput(of: execution.standardOutput)
        let start = ContinuousClock.now
        // Signal 0 does nothing, so this waits for the end, however soon the output is closed.
        await execution.teardown(using: [
            .send(signal: Signal(rawValue: 0), allowedDurationToNextStep: timeLimit),
            .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: Self.patience),
        ])
        let isTooSlow = start.duration(to: .now) >= timeLimit
        // The shell has ended; what it has started and was deaf to the request has not. Its number
        // cannot be anybody else's yet, as its end has not been collected.
        if isTooSlow || Task.isCancelled {
            try? execution.send(signal: .kill, toProcessGroup: true)
        }
        return (await output, isTooSlow)
    }

    private func environment(_ facts: HookFacts) -> Environment {
        let inherited = inherited.mapValues { Array($0.utf8) }
        let all = inherited.merging(facts.environment) { _, fact in fact }
        return .custom(all.map { name, value in Array("\(name)=".utf8) + value + [0] })
    }

    private static func file(of bytes: [UInt8]) throws -> FileDescriptor {
        let descriptor = bytes.memoryFile()
        guard descriptor >= 0 else { throw Errno(rawValue: -descriptor) }
        return FileDescriptor(rawValue: descriptor)
    }
}
