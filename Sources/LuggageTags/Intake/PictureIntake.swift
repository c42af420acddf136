internal import SystemSupport
package import TagReading

/// The one way from an open picture to its reading: the digest of its bytes, then its codes.
///
/// `luggage scan`, the service and ``LuggageTagScanner`` use it. They differ only in where their pictures
/// come from and where the readings go.
package struct PictureIntake: Sendable {
    private let reader: any TagReader
    private let limits: ReadLimits

    /// How many times a picture is tried if the reader fails.
    private static let mostAttempts = 2

    /// Makes an intake.
    ///
    /// - Parameters:
    ///   - reader: Reads the pictures.
    ///   - limits: The limits of the reading; of a longer file only that many bytes are hashed.
    package init(reader: any TagReader, limits: ReadLimits = .default) {
        self.reader = reader
        self.limits = limits
    }

    /// What reading a picture gave.
    package struct Content: Sendable {
        /// The SHA-256 of its bytes, in hexadecimal; nil if they could not be read.
        package var digest: String?
        /// Its codes, or the error that stopped the reading.
        package var reading: Result<Reading, ReadError>
        /// How often the reader tried; 0 if nothing was learnt about the picture.
        package var attempts = 0
    }

    /// A picture from a folder into which other programs are still writing.
    package enum Arrival<Known: Sendable>: Sendable {
        case read(Content)
        /// It need not be read.
        case known(digest: String, Known)
        /// It is not complete; the words complete "NAME …".
        case unfinished(String)
    }

    /// Reads a picture that is complete, as far as the caller knows.
    ///
    /// - Parameter image: The picture.
    /// - Returns: Its content. If the file changes meanwhile, the reading is an error.
    package func take(_ image: TagImage) async -> Content {
        var content = Content(reading: .failure(.cancelled))
        do throws(ReadError) {
            content.digest = try await image.digest(within: limits)
            (content.reading, content.attempts) = try await read(image)
        } catch {
            content.reading = .failure(error)
        }
        return content
    }

    /// Reads a picture that another program may still be writing, unless it is known.
    ///
    /// - Parameters:
    ///   - image: The picture.
    ///   - grace: For how long nothing was added to an incomplete picture that must now be taken as it is;
    ///     nil if it may still become complete.
    ///   - known: Says what is known of a digest; nil if nothing is.
    /// - Returns: What was learnt.
    /// - Throws: `ReadError` if nothing was learnt about the picture.
    package func take<Known: Sendable>(
        _ image: TagImage,
        after grace: Duration?,
        unless known: @escaping @Sendable (_ digest: String) -> Known?
    ) async throws(ReadError) -> Arrival<Known> {
        let look = try await look(at: image, known)
        switch look.state {
        case .complete, .foreign: break
        case .unfinished:
            guard let grace else { return .unfinished("is not complete yet") }
            let error = ReadError(
                .incomplete,
                "the picture is not complete: it ends after \(image.byteCount) bytes, and nothing was "
                    + "added to it for \(grace.components.seconds) s"
            )
            return .read(Content(digest: look.digest, reading: .failure(error)))
        case .inconsistent:
            if grace == nil { return .unfinished("is damaged, or not complete yet") }
        }
        if let known = look.known { return .known(digest: look.digest, known) }
        do throws(ReadError) {
            let (reading, attempts) = try await read(image)
            return .read(Content(digest: look.digest, reading: reading, attempts: attempts))
        } catch {
            if image.isUnchanged { throw error }
            return .unfinished("was changed while it was read")
        }
    }

    /// Reads a picture, and again if the reader fails: another picture may have ended its process.
    ///
    /// - Parameter image: The picture.
    /// - Returns: Its codes or the error that stopped the reading, and how often the reader tried.
    /// - Throws: `ReadError` if nothing was learnt about the picture, also if its file changed meanwhile.
    package func read(
        _ image: TagImage
    ) async throws(ReadError) -> (reading: Result<Reading, ReadError>, attempts: Int) {
        var attempts = 0
        while true {
            attempts += 1
            do throws(ReadError) {
                let reading = try await reader.read(image)
                try image.checkUnchanged()
                return (.success(reading), attempts)
            } catch {
                if error.isInconclusive { throw error }
                if error.isPermanent || attempts >= Self.mostAttempts {
                    try image.checkUnchanged()
                    return (.failure(error), attempts)
                }
            }
        }
    }

    private typealias Look<Known> = (
        digest: String, state: PictureCompleteness.State, known: Known?
    )

    /// Reads the bytes of a picture, and asks what is known of them if they are complete.
    private func look<Known: Sendable>(
        at image: TagImage,
        _ known: @escaping @Sendable (_ digest: String) -> Known?
    ) async throws(ReadError) -> Look<Known> {
        let result: Result<Look<Known>, ReadError> = await WorkThreads.pictures.run {
            Result { () throws(ReadError) in
                var walk = PictureCompleteness()
                let digest = try image.digestNow(within: limits) { walk.update($0) }
                // The reader refuses a file of this length by itself, and tells why.
                let isTooLong = image.byteCount > limits.fileBytes
                if isTooLong { return (digest, .complete, nil) }
                // The file of a slow writer may be looked at many times before it is complete.
                if walk.state == .unfinished { return (digest, walk.state, nil) }
                return (digest, walk.state, known(digest))
            }
        }
        return try result.get()
    }
}

extension TagImage {
    /// Identifies the picture's content, and reads at most as many bytes as a picture may have.
    ///
    /// - Parameter limits: The greatest length of a picture.
    /// - Returns: The SHA-256 of the file, in hexadecimal. For a longer file, it is the SHA-256 of its
    ///   beginning up to that length, followed by the file's length in decimal digits.
    /// - Throws: `ReadError` with the code `inputFailed` if the file cannot be read.
    package func digest(within limits: ReadLimits) async throws(ReadError) -> String {
        let result: Result<String, ReadError> = await WorkThreads.pictures.run {
            Result { () throws(ReadError) in try self.digestNow(within: limits) }
        }
        return try result.get()
    }

    /// The same digest, on the current thread; not on a task's, because it waits for the disk.
    ///
    /// - Parameters:
    ///   - limits: The greatest length of a picture.
    ///   - update: Gets the same bytes, piece by piece; it must not keep them.
    /// - Returns: The digest.
    /// - Throws: `ReadError` with the code `inputFailed` if the file cannot be read.
    package func digestNow(
        within limits: ReadLimits,
        _ update: (ArraySlice<UInt8>) -> Void = { _ in }
    ) throws(ReadError) -> String {
        var hash = SHA256()
        try forEachChunk(upTo: limits.fileBytes) { chunk in
            hash.update(chunk)
            update(chunk)
        }
        if byteCount > limits.fileBytes { hash.update(String(byteCount).utf8) }
        return hash.finalize().hexadecimal
    }
}

extension WorkThreads {
    /// Threads for work on picture files, which keeps them busy or waits for a disk.
    ///
    /// Swift's tasks share a few threads. This work would block them, and all tasks behind it, if many
    /// pictures came at once. There are only a few of these threads too.
    fileprivate static let pictures = WorkThreads(limit: max(2, availableProcessors()))
}
