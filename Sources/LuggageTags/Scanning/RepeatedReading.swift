package import TagReading

/// What was read of a picture, or why nothing was, and how often it was tried.
package struct RepeatedReading: Sendable {
    package var reading: Result<Reading, ReadError>
    package var attempts: Int

    /// Takes what is known already.
    package init(_ reading: Result<Reading, ReadError>, attempts: Int) {
        self.reading = reading
        self.attempts = attempts
    }

    /// So often a picture is tried at which a reader fails.
    private static let mostAttempts = 2

    /// Reads a picture, again if the reader fails: what ends a process may be another one's picture.
    ///
    /// - Parameters:
    ///   - image: The picture.
    ///   - reader: What reads it.
    /// - Throws: `ReadError` if nothing was learnt about the picture.
    package init(of image: TagImage, by reader: some TagReader) async throws(ReadError) {
        var attempts = 0
        while true {
            attempts += 1
            do throws(ReadError) {
                self.init(.success(try await reader.read(image)), attempts: attempts)
                return
            } catch {
                if error.isBeforeReading { throw error }
                if error.isPermanent || attempts >= Self.mostAttempts {
                    self.init(.failure(error), attempts: attempts)
                    return
                }
            }
        }
    }
}
