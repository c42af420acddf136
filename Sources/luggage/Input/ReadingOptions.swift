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
    /// Opens the picture.
    func open() throws(ReadError) -> TagImage {
        try TagImage(path: path, name: name)
    }

    /// Whether the file at a path is this picture, even under another name.
    func isFile(at other: String) -> Bool {
        let own = FileStatus(at: path)?.identity
        return own != nil && own == FileStatus(at: other)?.identity
    }
}
