internal import CLinux

/// The number of processors that this process may run on; at least 1.
package func availableProcessors() -> Int {
    Int(system_processor_count())
}
