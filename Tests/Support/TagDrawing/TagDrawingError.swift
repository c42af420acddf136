/// Why a picture could not be made.
public enum TagDrawingError: Error, Equatable {
    /// cairo gave up, with its status in words.
    case drawing(String)
    /// libpng gave up, with its message.
    case png(String)
    /// libjpeg gave up, with its message.
    case jpeg(String)
}
