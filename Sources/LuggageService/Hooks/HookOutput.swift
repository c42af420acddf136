internal import LuggageTags
internal import SystemSupport

/// The beginning of what a command wrote.
struct HookOutput: Equatable {
    /// How much of it is kept, in bytes.
    static let byteLimit = 8192
    /// How many lines of it are kept.
    static let lineLimit = 40

    private var bytes: [UInt8] = []
    /// Whether more was written than is kept.
    private(set) var isCut = false

    mutating func add(_ more: ArraySlice<UInt8>) {
        let room = Self.byteLimit - bytes.count
        bytes += more.prefix(room)
        if more.count > room { isCut = true }
    }

    /// Its lines without empty ones, each safe to show, and an extra last line if it was cut.
    var lines: [String] {
        let all = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        let lines = all.prefix(Self.lineLimit).map { String(decoding: $0, as: UTF8.self).onOneLine }
        return isCut || all.count > Self.lineLimit ? lines + ["… and more"] : lines
    }
}
