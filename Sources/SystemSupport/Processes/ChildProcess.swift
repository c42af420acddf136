internal import CLinux
internal import Glibc

/// A process that this one has started in a session of its own, with a pipe from its output.
///
/// When this value is destroyed, it kills the process and everything in its process group.
package struct ChildProcess: ~Copyable {
    private let identifier: Int32

    /// A descriptor that becomes readable once the process has ended.
    package let end: Int32

    /// A descriptor from which to read what the process writes to standard output and standard error.
    package let output: Int32

    /// Starts a program.
    ///
    /// No signal is ignored or blocked in it, and it has no descriptors except its three streams.
    ///
    /// - Parameters:
    ///   - executable: The path of the program.
    ///   - arguments: Its arguments, the first of which is its name.
    ///   - environment: Its variables, as `NAME=VALUE`.
    ///   - input: The content of its standard input.
    /// - Returns: The process.
    /// - Throws: ``SystemError``, also if there is no such program.
    package static func start(
        _ executable: String,
        arguments: [[UInt8]],
        environment: [[UInt8]],
        input: [UInt8]
    ) throws(SystemError) -> ChildProcess {
        let input = input.memoryFile()
        guard input >= 0 else { throw SystemError(number: -input) }
        defer { close(input) }
        guard let pipe = PipeEnds() else { throw SystemError.last }
        let (output, writing) = (pipe.reading, pipe.writing)
        let (identifier, failure) = spawn(
            executable,
            arguments,
            environment,
            descriptors: [input, writing, writing],
            group: .ownSession
        )
        // From now on only the process holds this end, so that reading reaches the end of its output.
        close(writing)
        guard failure == 0 else {
            close(output)
            throw SystemError(number: failure)
        }
        let child = ChildProcess(
            identifier: identifier,
            end: system_open_process(identifier),
            output: output
        )
        // Without it nobody can wait; destroying `child` kills the process.
        guard child.end >= 0 else { throw SystemError(number: -child.end) }
        return child
    }

    private init(identifier: Int32, end: Int32, output: Int32) {
        self.identifier = identifier
        self.end = end
        self.output = output
    }

    /// What a program becomes when it is started.
    package enum Group: Sendable {
        /// The leader of a process group: keys of the terminal do not interrupt or stop it.
        case ownGroup
        /// The leader of a session without a terminal, and so of a process group.
        case ownSession

        fileprivate var number: SystemGroup {
            switch self {
            case .ownGroup: SYSTEM_OWN_GROUP
            case .ownSession: SYSTEM_OWN_SESSION
            }
        }
    }

    /// Starts a program with no signal ignored or blocked in it.
    ///
    /// - Parameters:
    ///   - executable: The path of the program.
    ///   - arguments: Its arguments, the first of which is its name.
    ///   - environment: Its variables, as `NAME=VALUE`.
    ///   - descriptors: What it has as its descriptors 0, 1, 2, …, nil for `/dev/null`; it has no others.
    ///   - group: What it becomes.
    /// - Returns: Its identifier, and 0 or the error number.
    package static func spawn(
        _ executable: String,
        _ arguments: [[UInt8]],
        _ environment: [[UInt8]],
        descriptors: [Int32?],
        group: Group
    ) -> (identifier: Int32, error: Int32) {
        let descriptors = descriptors.map { $0 ?? SYSTEM_NO_FILE }
        let arguments = CStrings(arguments)
        let environment = CStrings(environment)
        var identifier: pid_t = 0
        let error = unsafe arguments.use { arguments in
            unsafe environment.use { environment in
                unsafe executable.withCString { executable in
                    unsafe descriptors.withUnsafeBufferPointer { descriptors in
                        var program = unsafe SystemProgram(
                            executable: executable,
                            arguments: arguments,
                            environment: environment,
                            descriptors: descriptors.baseAddress,
                            descriptor_count: Int32(descriptors.count),
                            group: group.number
                        )
                        return unsafe system_start(&program, &identifier)
                    }
                }
            }
        }
        return (identifier, error)
    }

    deinit {
        signalGroup(SIGKILL)
        _ = ProcessEnd(collecting: identifier)
        close(output)
        if end >= 0 { close(end) }
    }

    /// Sends a signal to the process and its descendants in its process group.
    ///
    /// It never reaches other processes: until the end is collected, the identifier is not reused.
    package func signalGroup(_ signal: Int32) {
        kill(-identifier, signal)
    }

    /// Waits for the end of the process and reaps it; its descendants go on, and their output is not read.
    package consuming func collectEnd() -> ProcessEnd {
        let result = ProcessEnd(collecting: identifier)
        close(output)
        close(end)
        discard self
        return result
    }
}
