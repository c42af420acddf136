/// Why a picture could not be made.
public enum TagDrawingError: Error, Equatable {
    /// No symbol holds that many bytes (`ERANGE`), or the encoder failed otherwise.
    case symbol(bytes: Int, errno: Int32)
    /// cairo gave up, with its status in words.
    case drawing(String)
    /// libpng gave up, with its message.
    case png(String)
}
