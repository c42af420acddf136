internal import Foundation
package import SystemSupport

/// A process that lasts as long as this is held, or the tests last, and what it and its children write.
package final class LastingProcess: Sendable {
    private struct State: Sendable {
        var lines: [String] = []
        /// What it has written since the last end of a line.
        var rest: [UInt8] = []
        var end: ProcessEnd?
    }

    package let identifier: Int32
    private let state: TimedWait<State>

    /// Starts a command.
    ///
    /// - Parameters:
    ///   - command: Its words.
    ///   - remains: What a shell does after the process has ended with the tests.
    /// - Throws: What the system says if it starts no process.
    package init(_ command: [String], remains: String = ":") throws(SystemError) {
        // A server ends all of its processes at SIGQUIT, and frees the memory that they share; one that
        // stands still must go on for that. Its children lead groups of their own.
        let watcher = """
            \(TestProcesses.endOfTests); trap '' QUIT; children=/proc/$$/task/$$/children
            kill -CONT $(cat $children) 0; kill -QUIT 0; sleep 2; kill -KILL $(cat $children)
            \(remains); kill -KILL 0
            """
        // The watcher is no child of the server's, and does not hold its output.
        let script = "((\(watcher)) >/dev/null 2>&1 &); exec \"$@\""
        let words = ["sh", "-c", script, "sh"] + command
        guard let pipe = PipeEnds() else { throw SystemError.last }
        let (identifier, error) = ChildProcess.spawn(
            "/bin/sh",
            words.map { Array($0.utf8) },
            [
                "LC_ALL=C", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                "TZ=UTC",
            ]
            .map { Array($0.utf8) },
            descriptors: [nil, pipe.writing, pipe.writing],
            group: .ownSession
        )
        close(pipe.writing)
        guard error == 0 else {
            close(pipe.reading)
            throw SystemError(number: error)
        }
        let state = TimedWait(State())
        (self.identifier, self.state) = (identifier, state)
        DetachedThread.startPatiently {
            Self.read(pipe.reading, into: state)
            close(pipe.reading)
            // Some close their output before they end.
            while waitid(P_PID, id_t(identifier), nil, WEXITED | WNOWAIT) != 0,
                errno == EINTR
            {}
            // The watcher goes; until the process is collected, the group is nobody else's.
            kill(-identifier, SIGKILL)
            let status = ProcessEnd(collecting: identifier)
            state.change { state in
                if !state.rest.isEmpty { state.lines.append(state.rest.escapedText) }
                state.end = status
                return ((), .toTell)
            }
        }
    }

    deinit {
        // A server needs a moment, and then is not there any more to need its files.
        for (signal, time) in [(SIGQUIT, 10), (SIGKILL, 600)] {
            send(signal)
            guard waitForEnd(within: .seconds(time)) == nil else { return }
            if signal == SIGQUIT { killAll() }
        }
    }

    /// What has been written so far.
    package var log: String { state.change { ($0.lines.joined(separator: "\n"), .none) } }

    /// Sends a signal to the process, unless it has ended.
    package func send(_ signal: Int32) {
        state.change { state in
            if state.end == nil { kill(identifier, signal) }
            return ((), .none)
        }
    }

    /// Sends a signal to the process and all of its children; while it does, no child is added.
    package func sendToAll(_ signal: Int32) {
        send(SIGSTOP)
        for child in children { kill(child, signal) }
        send(signal)
    }

    /// Kills the process and all of its children, as a failing machine would.
    package func killAll() {
        sendToAll(SIGKILL)
    }

    private var children: [Int32] {
        let path = "/proc/\(identifier)/task/\(identifier)/children"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: " ").compactMap { Int32($0) }
    }

    /// Waits until the process and all that write to its output have ended.
    package func waitForEnd() -> ProcessEnd {
        waitForEnd(within: TestProcesses.patience) ?? .unknown
    }

    private func waitForEnd(within time: Duration) -> ProcessEnd? {
        let limit = SuspendingClock.now + time
        return state.wait { state in
            if let end = state.end { return .found(end) }
            return SuspendingClock.now >= limit ? .found(nil) : .wait(until: limit)
        }
    }

    /// Waits for a line that contains one of these texts.
    ///
    /// - Parameters:
    ///   - texts: The texts.
    ///   - start: How many lines to pass over.
    /// - Returns: Whether it came before the end.
    package func waitForLine(containing texts: [String], after start: Int = 0) -> Bool {
        let limit = SuspendingClock.now + TestProcesses.patience
        return state.wait { state in
            if state.lines.dropFirst(start).contains(where: { texts.contains(where: $0.contains) })
            {
                return .found(true)
            }
            return state.end != nil || SuspendingClock.now >= limit
                ? .found(false) : .wait(until: limit)
        }
    }

    private static func read(_ descriptor: Int32, into state: TimedWait<State>) {
        var buffer = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = unsafe Foundation.read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            let new = buffer.prefix(count)
            state.change { state in
                state.rest += new
                var lines = state.rest.split(
                    separator: UInt8(ascii: "\n"),
                    omittingEmptySubsequences: false
                )
                state.rest = lines.popLast().map(Array.init) ?? []
                state.lines += lines.map { String(decoding: $0, as: UTF8.self) }
                return ((), .toTell)
            }
        }
    }
}

/// Runs a command to its end.
///
/// - Parameter command: Its words.
/// - Returns: What it has written.
/// - Throws: ``CommandFailure`` if it does not succeed.
@discardableResult
package func runToEnd(_ command: [String]) throws -> String {
    let process = try LastingProcess(command)
    let end = process.waitForEnd()
    guard end == .exited(0) else {
        throw CommandFailure(
            description: "\(command.joined(separator: " ")) \(end):\n\(process.log)"
        )
    }
    return process.log
}

/// What a command has written that did not succeed.
package struct CommandFailure: Error, CustomStringConvertible {
    package let description: String
}
