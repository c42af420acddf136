internal import Foundation

/// What is left of a tag's payload once names were taken away.
enum PurgedPayload {
    /// What is left when nothing in it may tell about people: identifier and weight of a bag, and of
    /// anything else nothing.
    static func of(_ payload: [UInt8], outcome: Outcome) -> Data {
        guard outcome.isFiled, var contents = try? TagDecoder().contents(of: payload)
        else { return Data() }
        contents.owner = nil
        return (try? TagEncoder().encode(contents)).map { Data($0) } ?? Data()
    }

    /// Whether a payload on record is what is left of another one.
    ///
    /// Spaces behind it mean nothing: they keep apart what was different before.
    static func isPurged(_ payload: Data, to rest: Data) -> Bool {
        let spaces = payload.reversed().prefix { $0 == UInt8(ascii: " ") }.count
        return payload.dropLast(spaces) == rest
    }
}
