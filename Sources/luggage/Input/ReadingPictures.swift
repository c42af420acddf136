internal import Foundation
internal import LuggageTags
internal import TagReading

extension ReaderPool {
    /// A pool of the reader processes that belong to this program.
    static func forThisProgram() throws -> ReaderPool {
        do throws(ReadError) {
            return ReaderPool(executable: try locateExecutable())
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
}
