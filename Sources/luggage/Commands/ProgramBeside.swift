internal import FoundationEssentials
internal import Glibc
internal import LuggageService
internal import ProgramSupport
internal import SQLiteStore
internal import SystemSupport

/// The programs beside this one that do what needs more than this one is linked with.
struct ProgramBeside {
    let name: String
    /// The variable of the environment that tells it what to do.
    let variable: String

    /// Becomes that program, which does what is asked; returns only if that fails.
    ///
    /// - Parameter request: What to do.
    /// - Throws: ``Failure`` if there is no such program.
    func become(_ request: String) throws -> Never {
        guard let folder = Self.ownFolder else {
            throw Failure(.ioFailed, "this program cannot tell where it is: \(SystemError.last)")
        }
        try Self.setVariable(variable, request)
        for path in ["\(folder)/\(name)", "\(folder)/../libexec/luggage/\(name)"] {
            execute(path)
            if errno != ENOENT {
                throw Failure(.ioFailed, "\(path.onOneLine) cannot be run: \(SystemError.last)")
            }
        }
        throw Failure(
            .unavailable,
            "the program \(name) is not installed; install it beside this one, in \(folder.onOneLine)"
        )
    }

    private static var ownFolder: String? {
        ownPath.flatMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } }
    }

    /// The path of this program.
    static var ownPath: String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = unsafe readlink("/proc/self/exe", &bytes, bytes.count)
        guard length > 0 else { return nil }
        return String(
            decoding: bytes.prefix(length).map { UInt8(bitPattern: $0) },
            as: UTF8.self
        )
    }

    private static func setVariable(_ name: String, _ value: String) throws {
        guard unsafe setenv(name, value, 1) == 0 else {
            throw Failure(.ioFailed, "there is no memory for \(name)")
        }
    }

    private func execute(_ path: String) {
        // Threads of the runtime block signals, and what they become would never hear Ctrl-C.
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe pthread_sigmask(SIG_SETMASK, &signals, nil)
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [strdup(name), nil]
        _ = unsafe execv(path, &arguments)
        let number = errno
        unsafe free(arguments[0])
        errno = number
    }
}

/// The program that is linked with the library for PostgreSQL.
enum SyncProgram {
    /// Becomes that program, which does what is asked; returns only if that fails.
    static func become(_ request: SyncRequest) throws -> Never {
        try ProgramBeside(name: "luggage-sync", variable: SyncRequest.variable)
            .become(request.text)
    }
}

extension StoreOptions {
    /// The path of the record, for a program beside this one.
    ///
    /// - Parameters:
    ///   - makesOne: Whether the other program makes a missing record.
    ///   - remedy: What to do if there is none.
    /// - Returns: The path.
    /// - Throws: ``Failure`` if this user may not change it, or there is none.
    func recordToExchange(
        makesOne: Bool,
        remedy: String = "make one that is a station of the hub with `luggage sync join`"
    ) throws -> String {
        let record = try record()
        try record.refuseWritingToOthers()
        try record.refuseFilesOfOthers()
        if !SQLiteStore.isMissing(at: record.path) {
            _ = try openFile()
            RecordFile.closeAll()
        } else if makesOne {
            try record.prepareFiling()
            let folder = record.folder
            guard FileManager.default.isWritableFile(atPath: folder) else {
                throw Failure(
                    .cannotCreate,
                    "\(folder.onOneLine) is no folder in which this user may make a record; make it, or name another "
                        + "place with --store"
                )
            }
        } else {
            try record.refuseGone()
            throw Failure(
                .noInput,
                "there is no record at \(record.path.onOneLine) yet; \(remedy), or name another file with "
                    + "--store"
            )
        }
        return record.path
    }
}
