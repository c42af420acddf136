internal import Foundation

extension TestProcesses {
    /// Whether a test is to be run that a machine may not permit.
    ///
    /// It is where the attempt succeeds, and in CI, where it must not be overlooked that it fails: unless a
    /// variable says that this is known, the test fails there. Elsewhere it is told that the test is not run.
    ///
    /// - Parameters:
    ///   - what: What is tested.
    ///   - variable: The name of the variable.
    ///   - attempt: Does what the machine must permit.
    /// - Returns: Whether to run it.
    package static func isExpected(
        _ what: String,
        unless variable: String,
        _ attempt: () throws -> Void
    )
        -> Bool
    {
        do {
            try attempt()
            return true
        } catch {
            let environment = ProcessInfo.processInfo.environment
            print("NOT TESTED HERE: \(what), because \(error)")
            return environment["CI"] != nil && environment[variable] == nil
        }
    }
}
