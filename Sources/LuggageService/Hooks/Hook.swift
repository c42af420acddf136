internal import System

#if canImport(Glibc)
internal import Glibc
#endif

/// A command of the operator's that is run for each picture, at most once, whatever became of it.
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
        "LUGGAGE_CONFIGURATION", "LUGGAGE_STORE", "STATE_DIRECTORY", "XDG_DATA_HOME",
    ]

    /// What came of a run.
    struct Outcome: Equatable {
        /// How it ended.
        enum End: Equatable {
            case exited(Int32)
            case killed(signal: Int32)
            /// Somebody else took the news.
            case unknown
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
        let words = environment(facts)
        let cancellation = WakeSignal()
        guard cancellation.descriptor != nil else {
            // It could not be ended with the service.
            return Outcome(end: .notRun(describe(errorNumber: EMFILE)))
        }
        return await withTaskCancellationHandler {
            await WorkThreads.waiting.run {
                do {
                    let run = try HookRun(
                        command: command,
                        environment: words,
                        input: try facts.json,
                        timeLimit: timeLimit
                    )
                    return run.outcome(unless: cancellation)
                } catch let failure as ChildProcess.StartFailure {
                    return Outcome(end: .notRun(describe(errorNumber: failure.number)))
                } catch {
                    return Outcome(end: .notRun(String(describing: error)))
                }
            }
        } onCancel: {
            cancellation.raise()
        }
    }

    private func environment(_ facts: HookFacts) -> [[UInt8]] {
        let inherited = inherited.mapValues { Array($0.utf8) }
        let all = inherited.merging(facts.environment) { _, fact in fact }
        return all.map { name, value in Array("\(name)=".utf8) + value }
    }
}
