internal import CLinux

#if canImport(Glibc)
internal import Glibc
#endif

/// A process that this one has started, in a session of its own, and what it writes.
///
/// When this goes, nothing is left of the process, nor of what it has started in its group.
package struct ChildProcess: ~Copyable {
    /// A program could not be started.
    package struct StartFailure: Error {
        /// The number of the error.
        package let number: Int32
    }

    private let identifier: Int32

    /// What to wait for: it can be read from once the process has ended.
    package let end: Int32

    /// What the process writes, also as errors, is read from here.
    package let output: Int32

    /// Starts a program.
    ///
    /// None of its signals is ignored or blocked, and it has no descriptors but its three streams.
    ///
    /// - Parameters:
    ///   - executable: The path of the program.
    ///   - arguments: Its arguments, the first of which is its name.
    ///   - environment: Its variables, as `NAME=VALUE`.
    ///   - input: What it finds on its standard input.
    /// - Returns: The process.
    /// - Throws: ``StartFailure``, where there is no such program too.
    package static func start(
        _ executable: String,
        arguments: [[UInt8]],
        environment: [[UInt8]],
        input: [UInt8]
    ) throws(StartFailure) -> ChildProcess {
        let input = input.memoryFile()
        guard input >= 0 else { throw StartFailure(number: -input) }
        defer { close(input) }
        guard let pipe = PipeEnds() else { throw StartFailure(number: errno) }
        let (output, writing) = (pipe.reading, pipe.writing)
        let (identifier, failure) = spawn(
            executable,
            arguments,
            environment,
            streams: [input, writing, writing]
        )
        // From now on only the process holds this end, so that there is an end of what it writes.
        close(writing)
        guard failure == 0 else {
            close(output)
            throw StartFailure(number: failure)
        }
        let child = ChildProcess(
            identifier: identifier,
            end: system_open_process(identifier),
            output: output
        )
        // Without it nobody can wait, and the process goes with its value.
        guard child.end >= 0 else { throw StartFailure(number: -child.end) }
        return child
    }

    private init(identifier: Int32, end: Int32, output: Int32) {
        self.identifier = identifier
        self.end = end
        self.output = output
    }

    /// Starts a program.
    ///
    /// - Returns: Its identifier, and 0 or the number of the error.
    private static func spawn(
        _ executable: String,
        _ arguments: [[UInt8]],
        _ environment: [[UInt8]],
        streams: [Int32]
    ) -> (identifier: Int32, error: Int32) {
        let arguments = CStrings(arguments)
        let environment = CStrings(environment)
        var identifier: pid_t = 0
        let error = unsafe arguments.use { arguments in
            unsafe environment.use { environment in
                unsafe executable.withCString { executable in
                    unsafe streams.withUnsafeBufferPointer { streams in
                        var program = unsafe SystemProgram(
                            executable: executable,
                            arguments: arguments,
                            environment: environment,
                            descriptors: streams.baseAddress,
                            descriptor_count: Int32(streams.count),
                            group: SYSTEM_OWN_SESSION
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

    /// Sends a signal to the process and to all that it has started, but for what has left its group.
    ///
    /// It reaches nobody else when the process has ended, as its end has not been collected.
    package func signalGroup(_ signal: Int32) {
        kill(-identifier, signal)
    }

    /// Waits for the end of the process and collects it; what it has started goes on, unheard.
    package consuming func collectEnd() -> ProcessEnd {
        let result = ProcessEnd(collecting: identifier)
        close(output)
        close(end)
        discard self
        return result
    }
}
