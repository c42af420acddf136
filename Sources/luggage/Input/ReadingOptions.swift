internal import ArgumentParser
internal import Foundation
internal import LuggageTags
internal import ProgramSupport
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
                freshReaders: freshReaders
            )
        } catch {
            throw Failure(.configuration, error.message)
        }
    }
}

extension PictureFinder.Picture {
    /// Opens the picture; one from standard input is read to its end first.
    func open() async throws(ReadError) -> TagImage {
        if !isStandardInput { return try TagImage(path: path, name: name) }
        let name = name
        // Not on a task's thread: the bytes may be long in coming.
        let image = await WorkThreads.waiting.run {
            Result { () throws(ReadError) in
                try TagImage(bytes: Self.standardInput(), name: name)
            }
        }
        return try image.get()
    }

    /// Reads standard input to its end, but no more than shows that it is too long for a picture.
    ///
    /// The reader then refuses it like a file of that length, and says why.
    private static func standardInput() throws(ReadError) -> [UInt8] {
        let limit = ReadLimits.default.fileBytes
        var bytes: [UInt8] = []
        do {
            let input = try InputFile(path: StandardInput.sign)
            while bytes.count <= limit {
                let part = try input.read()
                if part.isEmpty { break }
                bytes += part
            }
        } catch {
            throw ReadError(.inputFailed, (error as? Failure)?.message ?? "\(error)")
        }
        return bytes
    }

    /// Whether the file at a path is this picture, even under another name.
    func isFile(at other: String) -> Bool {
        let own = isStandardInput ? nil : FileStatus(at: path)?.identity
        return own != nil && own == FileStatus(at: other)?.identity
    }
}
