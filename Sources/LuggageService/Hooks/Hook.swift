internal import SystemSupport

#if canImport(Glibc)
internal import Glibc
#endif

/// An operator's command that is run for each picture, at most once, whatever its result.
///
/// It gets the facts in environment variables, and as JSON on standard input. No fact is part of the
/// command line, so no file name is ever taken for a command.
package struct Hook: Equatable, Sendable {
    /// A command line for `/bin/sh`.
    package let command: String
    /// How long one run may take.
    package let timeLimit: Duration
    /// The variables that it inherits, by name.
    private let inherited: [String: String]

    /// Describes a hook.
    ///
    /// - Parameters:
    ///   - command: A command line for `/bin/sh`.
    ///   - timeLimit: How long one run may take. Then its process group gets SIGTERM, and two
    ///     seconds later SIGKILL.
    ///   - environment: The variables of this process. The hook inherits only those that say where
    ///     programs, files and the record are, and the user's language. With `NOTIFY_SOCKET`, for
    ///     example, it could speak to systemd for the service.
    package init(command: String, timeLimit: Duration, environment: [String: String]) {
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

    /// The result of a run.
    struct Outcome: Equatable {
        /// How it ended.
        enum End: Equatable {
            case exited(Int32)
            case killed(signal: Int32)
            /// Someone else has collected the exit status.
            case unknown
            /// It exceeded its time limit, and was ended.
            case tooSlow
            /// It could not be started; the words say why.
            case notRun(String)
        }

        var end: End
        /// The beginning of its output.
        var output = HookOutput()
    }

    /// Runs the command to its end.
    ///
    /// A background process that it leaves goes on, but its output is no longer read. Cancellation ends
    /// the command as the time limit does.
    func run(_ facts: HookFacts) async -> Outcome {
        let words = environment(facts)
        let cancellation = WakeSignal()
        guard cancellation.descriptor != nil else {
            // The service could not end the command at a stop.
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
