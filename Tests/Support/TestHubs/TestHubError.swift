/// Why a test has no hub.
package struct TestHubError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
