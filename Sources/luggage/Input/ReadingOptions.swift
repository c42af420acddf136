internal import ArgumentParser
internal import ProgramSupport
internal import SQLiteStore
internal import SystemSupport
internal import TagReading

/// Options for reading pictures.
struct ReadingOptions: ParsableArguments {
    @Option(
        word: "How hard to try if a picture cannot be read at once.",
        discussion: """
            fast: the likeliest ways only. normal: what nearly all codes need. thorough: every way \
            there is; for a picture that must be read.
            """
    )
    var effort: ReadEffort = .normal
}

extension ReaderPool {
    /// Makes a pool of this program's reader processes.
    static func forThisProgram(
        _ effort: ReadEffort,
        workers: Int? = nil,
        freshReaders: Bool = false
    ) throws -> ReaderPool {
        var limits = ReadLimits.default
        limits.effort = effort
        do throws(ReadError) {
            return ReaderPool(
                executable: try locateExecutable(),
                limits: limits,
                workers: workers,
                freshReaders: freshReaders,
                early: FirstReader.take()
            )
        } catch {
            throw Failure(.configuration, error.message)
        }
    }
}

extension PictureFinder.Picture {
    /// Opens the picture; one from standard input is read to its end first.
    func open() async throws(ReadError) -> TagImage {
        if !isStandardInput {
            guard !SQLiteStore.hasOpen(path) else {
                throw ReadError(.notAnImage, "is a file of the record, and no picture")
            }
            return try TagImage(path: path, name: name)
        }
        let name = name
        // Not on a task's thread: the bytes may be long in coming.
        let image = await WorkThreads.waiting.run {
            Result { () throws(ReadError) in
                try TagImage(bytes: Self.standardInput(), name: name)
            }
        }
        return try image.get()
    }

    /// Corrects what the reader says of standard input that is too long: its length is not known.
    func told<Reading>(_ result: Result<Reading, ReadError>) -> Result<Reading, ReadError> {
        result.mapError { error in
            guard isStandardInput, error.code == .tooManyBytes else { return error }
            let limit = ReadLimits.default.fileBytes
            return ReadError(
                .tooManyBytes,
                "standard input has more than \(limit) bytes, which is the limit"
            )
        }
    }

    /// Reads standard input to its end, but no more than shows that it is too long for a picture.
    ///
    /// The reader then refuses it like a file of that length.
    private static func standardInput() throws(ReadError) -> [UInt8] {
        let limit = ReadLimits.default.fileBytes
        var bytes: [UInt8] = []
        do {
            let input = try InputFile(path: StandardInput.sign)
            while bytes.count <= limit {
                let part = try input.read()
                if part.isEmpty { break }
                // Always the same number, so that the same input is known again.
                bytes += part.prefix(limit + 1 - bytes.count)
            }
        } catch {
            throw ReadError(.inputFailed, error.message)
        }
        return bytes
    }

    /// Whether the file at a path is this picture, even under another name.
    func isFile(at other: String) -> Bool {
        let own = isStandardInput ? nil : FileStatus(at: path)?.identity
        return own != nil && own == FileStatus(at: other)?.identity
    }
}
