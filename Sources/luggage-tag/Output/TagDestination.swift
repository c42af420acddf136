internal import FoundationEssentials
internal import ProgramSupport
internal import TagPrinting

/// The destination of tags: a file, a folder or standard output.
struct TagDestination {
    let path: String
    /// The format; nil if nothing tells it.
    let format: TagFileFormat?
    /// The format from the path's ending, if any.
    let told: TagFileFormat?
    /// Whether each page becomes a file in a folder.
    let isFolder: Bool

    init(_ path: String, _ chosen: TagFileFormat?, isForTable: Bool) {
        self.path = path
        let ending = URL(fileURLWithPath: path).pathExtension.lowercased()
        told = path == "-" ? nil : TagFileFormat(rawValue: ending)
        let hasPages = path == "-" || told?.hasPages == true
        isFolder = isForTable && !hasPages
        format = chosen ?? (isFolder ? .png : told)
    }

    /// Writes a file, whole or not at all.
    func write(_ bytes: [UInt8], replaces: Bool) throws {
        if path == "-" { return try StandardOutput.writeWhole(bytes) }
        var file = try AtomicFile(path: path, replaces: replaces)
        try file.write(bytes)
        try file.finish()
    }
}
