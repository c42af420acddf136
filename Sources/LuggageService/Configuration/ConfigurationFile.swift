internal import Glibc
internal import SystemSupport

/// A configuration file: what it sets, and what is wrong with it.
struct ConfigurationFile {
    /// The most bytes: more than anyone writes by hand, and few enough to read at once.
    private static let byteLimit = 65536

    /// Its path, whether it exists or not.
    let path: String
    /// Whether it may be absent.
    let isOptional: Bool
    /// Whether there is none.
    private(set) var isAbsent = false
    /// The settings that could be read, even if their values are wrong.
    private(set) var settings: [WatchSetting: WrittenSetting] = [:]
    /// What is wrong with the form of the file.
    private(set) var mistakes: [ConfigurationMistake] = []

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - isOptional: Whether it may be absent.
    init(path: String, isOptional: Bool) {
        self.path = path
        self.isOptional = isOptional
        do throws(WrongValue) {
            let lines = SettingLines(try text(), path: path)
            (settings, mistakes) = (lines.settings, lines.mistakes)
        } catch {
            if !isAbsent || !isOptional {
                mistakes = [ConfigurationMistake(.file(path: path), error)]
            }
        }
    }

    /// Reads the named file, else the one of this machine, which may be absent.
    init(named name: String?, environment: [String: String]) {
        let variable = environment[WatchConfiguration.fileVariable] ?? ""
        let path = name ?? (variable.isEmpty ? nil : variable)
        self.init(path: path ?? WatchConfiguration.defaultFile, isOptional: path == nil)
    }

    /// Whether every setting in it is known; if not, the unreadable part may set any.
    var isWhole: Bool {
        mistakes.count < SettingLines.mistakeLimit && !mistakes.contains { $0.key == nil }
    }

    /// The mistakes in the file that may affect a setting.
    func mistakes(concerning setting: WatchSetting) -> [ConfigurationMistake] {
        let found = mistakes.filter { $0.key == nil || $0.isKnown(toConcern: setting) }
        return found.isEmpty && !isWhole ? mistakes : found
    }

    private mutating func text() throws(WrongValue) -> String {
        // Non-blocking: the file may be a pipe without a writer.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        if descriptor < 0 {
            let number = errno
            isAbsent = number == ENOENT || number == ENOTDIR
            throw WrongValue(
                "cannot be opened: \(describe(errorNumber: number))",
                remedy: number == EACCES
                    ? "let this user read it, for instance through the group of the service"
                    : "name another file, or make this one"
            )
        }
        defer { close(descriptor) }
        guard FileStatus(of: descriptor)?.kind == .file else {
            throw WrongValue("is not a regular file", remedy: "name a file of settings")
        }
        var bytes: [UInt8] = []
        var number: Int32 = 0
        repeat {
            let more = unsafe [UInt8](unsafeUninitializedCapacity: Self.byteLimit + 1) {
                let result = unsafe read(descriptor, $0.baseAddress, $0.count)
                number = result < 0 ? errno : 0
                $1 = max(0, result)
            }
            if number != 0 && number != EINTR {
                let words = describe(errorNumber: number)
                throw WrongValue("cannot be read: \(words)", remedy: "name another file")
            }
            if more.isEmpty && number == 0 { break }
            bytes += more
        } while bytes.count <= Self.byteLimit
        if bytes.count > Self.byteLimit {
            throw WrongValue(
                "has more than \(Self.byteLimit) bytes",
                remedy: "name a file of settings; put what a hook does into a script"
            )
        }
        // YAML allows a byte order mark, which is not part of the text.
        let marked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        guard let text = String(validating: bytes.dropFirst(marked ? 3 : 0), as: UTF8.self) else {
            throw WrongValue("is not text in UTF-8", remedy: "save it in that encoding")
        }
        return text
    }
}
