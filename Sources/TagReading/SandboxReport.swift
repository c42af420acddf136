internal import CReaderProtocol
internal import Glibc
internal import SystemSupport

/// How far a reader process is confined on this machine.
///
/// On every kernel, a process cannot gain privileges, cannot make a child or a file, and has limits
/// on memory and time. Two more layers depend on the kernel, and each alone stops what the other
/// would: Landlock denies the process every file that it was not given, and a filter ends it at any
/// system call that reading a picture does not need. A process reports its layers before it gets
/// its first picture.
public struct SandboxReport: Hashable, Sendable {
    /// The version of Landlock that confines the process, as far as this program uses it; `nil` if
    /// none.
    public let landlockVersion: Int?

    /// Whether a filter of system calls confines the process.
    public let filtersSystemCalls: Bool

    /// The missing protections that no other layer replaces, each with the reason.
    ///
    /// Empty if the process is confined completely. For example "Landlock: not offered by this kernel".
    public let missing: [String]

    /// Whether nothing is missing.
    public var isComplete: Bool { missing.isEmpty }
}

extension SandboxReport: CustomStringConvertible {
    /// One line for a log.
    public var description: String {
        var parts: [String] = []
        if let landlockVersion { parts.append("Landlock version \(landlockVersion)") }
        if filtersSystemCalls { parts.append("system calls filtered") }
        return (parts + missing).joined(separator: "; ")
    }
}

extension SandboxReport {
    /// Makes a report from the greeting of a process.
    init(_ greeting: ReaderGreeting) {
        let isSanitized = greeting.is_sanitized != 0
        let version = greeting.landlock_error == 0 ? Int(greeting.landlock_version) : 0
        landlockVersion = version > 0 ? version : nil
        filtersSystemCalls = !isSanitized && greeting.filter_error == 0
        missing =
            if isSanitized {
                ["Landlock and the filter of system calls: left out of a sanitizer's build"]
            } else {
                Self.missingLandlock(version, greeting.landlock_error, filtersSystemCalls)
                    + Self.missingFilter(greeting.filter_error)
            }
    }

    private static func missingLandlock(
        _ version: Int,
        _ error: Int32,
        _ filtersSystemCalls: Bool
    ) -> [String] {
        switch error {
        case 0 where version == 0: return ["Landlock: not in effect"]
        case 0: break
        case ENOSYS: return ["Landlock: not offered by this kernel"]
        case EOPNOTSUPP: return ["Landlock: switched off when this kernel was started"]
        default: return ["Landlock: refused by the system: \(describe(errorNumber: error))"]
        }
        // The filter denies all of this, so only its absence leaves a gap.
        let gaps = undenied.filter { $0.before > version }.map(\.what)
        guard !filtersSystemCalls, !gaps.isEmpty else { return [] }
        let list = gaps.joined(separator: ", ")
        return ["Landlock: version \(version) of this kernel does not deny \(list)"]
    }

    /// What Landlock does not deny before a version.
    ///
    /// It denies moving files from the first version.
    private static let undenied: [(before: Int, what: String)] = [
        (3, "truncating files"), (4, "TCP"), (5, "commands to devices"),
        (6, "abstract sockets and signals"),
    ]

    private static func missingFilter(_ error: Int32) -> [String] {
        let reason =
            switch error {
            case 0: ""
            case EINVAL, ENOSYS: "not offered by this kernel"
            case ENOTSUP: "not known for this kind of processor"
            default: "refused by the system: \(describe(errorNumber: error))"
            }
        return reason.isEmpty ? [] : ["filter of system calls: \(reason)"]
    }
}
