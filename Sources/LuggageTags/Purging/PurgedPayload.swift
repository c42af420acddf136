internal import Foundation

/// What is left of a tag's payload after names were removed.
enum PurgedPayload {
    /// The part that tells nothing about people: identifier and weight of a bag, otherwise nothing.
    static func of(_ payload: [UInt8], outcome: Outcome) -> Data {
        guard outcome.isFiled, var contents = try? TagDecoder().contents(of: payload)
        else { return Data() }
        contents.owner = nil
        return (try? TagEncoder().encode(contents)).map { Data($0) } ?? Data()
    }

    /// Whether a payload on record is the rest of another one after a purge.
    ///
    /// Spaces at its end are ignored: they keep rests apart whose payloads were different.
    static func isPurged(_ payload: Data, to rest: Data) -> Bool {
        let spaces = payload.reversed().prefix { $0 == UInt8(ascii: " ") }.count
        return payload.dropLast(spaces) == rest
    }
}
