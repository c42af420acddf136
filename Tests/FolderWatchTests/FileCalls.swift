internal import Glibc
internal import TestFolders

/// A failure of a call that a test makes.
struct CallError: Error {
    let call: String
    let number: Int32
}

extension TemporaryFolder {
    var bytes: [UInt8] { Array(path.utf8) }

    func path(_ name: [UInt8]) -> [UInt8] { bytes + [0x2F] + name }

    /// Makes a folder inside, and gives its path.
    func makeFolder(_ name: String) throws -> [UInt8] {
        let path = path(Array(name.utf8))
        try call("mkdir", withPath(path) { path in unsafe mkdir(path, 0o777) })
        return path
    }
}

/// Calls with a path as the system takes it.
@safe func withPath<R>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) throws -> R) rethrows -> R {
    let bytes = path.map { CChar(bitPattern: $0) } + [0]
    return try unsafe bytes.withUnsafeBufferPointer { buffer in
        guard let address = buffer.baseAddress else { return try unsafe body("") }
        return try unsafe body(address)
    }
}

/// Throws when a call has failed.
@discardableResult
func call<Result: BinaryInteger>(_ name: String, _ result: Result) throws -> Result {
    guard result >= 0 else { throw CallError(call: name, number: errno) }
    return result
}

func openFile(_ path: [UInt8], _ flags: Int32, mode: mode_t = 0o644) throws -> Int32 {
    try call("open", withPath(path) { unsafe open($0, flags | O_CLOEXEC, mode) })
}

func writeBytes(_ descriptor: Int32, _ bytes: [UInt8]) throws {
    try call("write", unsafe write(descriptor, bytes, bytes.count))
}

/// Writes a file as any program does: opened, written and closed.
func writeFile(_ path: [UInt8], _ bytes: [UInt8] = [1]) throws {
    let descriptor = try openFile(path, O_WRONLY | O_CREAT | O_TRUNC)
    defer { close(descriptor) }
    try writeBytes(descriptor, bytes)
}

func removeFile(_ path: [UInt8]) throws {
    try call("unlink", withPath(path) { unsafe unlink($0) })
}

func renameFile(_ path: [UInt8], to other: [UInt8]) throws {
    try call("rename", withPath(path) { path in withPath(other) { unsafe rename(path, $0) } })
}

func makeLink(to path: [UInt8], at other: [UInt8], follow: Bool = false) throws {
    let flags = follow ? AT_SYMLINK_FOLLOW : 0
    try call(
        "linkat",
        withPath(path) { path in
            withPath(other) { unsafe linkat(AT_FDCWD, path, AT_FDCWD, $0, flags) }
        }
    )
}

func changeRights(of path: [UInt8], to mode: mode_t) throws {
    try call("chmod", withPath(path) { unsafe chmod($0, mode) })
}

func makeSymbolicLink(at path: [UInt8], to target: [UInt8]) throws {
    try call("symlink", withPath(path) { path in withPath(target) { unsafe symlink($0, path) } })
}

func makeFolder(_ path: [UInt8]) throws {
    try call("mkdir", withPath(path) { unsafe mkdir($0, 0o777) })
}

func removeFolder(_ path: [UInt8]) throws {
    try call("rmdir", withPath(path) { unsafe rmdir($0) })
}

/// What a descriptor of this process leads to; nothing if there is no such descriptor.
func descriptorTarget(_ descriptor: Int32) -> [UInt8] {
    var bytes = [CChar](repeating: 0, count: 4096)
    let count = withPath(Array("/proc/self/fd/\(descriptor)".utf8)) { path in
        unsafe readlink(path, &bytes, bytes.count)
    }
    return bytes.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
}
