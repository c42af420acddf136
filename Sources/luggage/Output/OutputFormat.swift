internal import FoundationEssentials
internal import LuggageTags
internal import ProgramSupport

/// The format of results.
enum OutputFormat: String, CaseIterable {
    case table, json
}

extension StandardOutput {
    /// Writes a value as JSON on one line.
    static func jsonLine(_ value: some Encodable) throws {
        try write(Array(JSONEncoder.forReports().encode(value)) + [UInt8(ascii: "\n")])
    }

    /// Writes a value as indented JSON.
    static func jsonDocument(_ value: some Encodable) throws {
        try write(
            Array(JSONEncoder.forReports(isIndented: true).encode(value)) + [UInt8(ascii: "\n")]
        )
    }
}
