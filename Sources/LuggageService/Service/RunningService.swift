package import SystemSupport

/// Work that goes on until somebody asks it to stop.
package protocol RunningService: Sendable {
    /// Runs until it is asked to stop, and then finishes what it has begun.
    func run(until stop: StopRequest) async
}
