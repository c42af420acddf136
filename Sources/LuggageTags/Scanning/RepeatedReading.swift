package import TagReading

/// The reading of a picture, or the error that stopped it, and the number of attempts.
package struct RepeatedReading: Sendable {
    package var reading: Result<Reading, ReadError>
    package var attempts: Int

    /// Takes a known result.
    package init(_ reading: Result<Reading, ReadError>, attempts: Int) {
        self.reading = reading
        self.attempts = attempts
    }

    /// How many times a picture is tried if the reader fails.
    private static let mostAttempts = 2

    /// Reads a picture, and again if the reader fails: another picture may have ended its process.
    ///
    /// - Parameters:
    ///   - image: The picture.
    ///   - reader: The reader.
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
