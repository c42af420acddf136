package import FoundationEssentials
internal import ObjectStore
internal import Synchronization

extension UUID {
    /// A counter, so that the tags of one picture are in order.
    private static let count = Mutex(UInt16(0))

    /// Makes an identifier for a new fact (RFC 9562, version 7): the time, a counter and random bits.
    static func fact(at date: Date) -> UUID {
        let milliseconds = UInt64(max(0, (date.timeIntervalSince1970 * 1000).rounded()))
        let count = count.withLock { count in
            count = (count + 1) % 0x1000
            return count
        }
        var bytes = (0..<16).map { _ in UInt8.random(in: 0...255) }
        (bytes[6], bytes[7]) = (UInt8(count >> 8), UInt8(count & 0xFF))
        for index in 0..<6 {
            bytes[index] = UInt8(truncatingIfNeeded: milliseconds >> (40 - 8 * index))
        }
        return UUID(bytes, version: 7)
    }

    /// Makes an identifier from the contents of a fact, the same in every record (RFC 9562, version 8).
    package static func fact(telling parts: [String]) -> UUID {
        var hash = SHA256()
        for part in parts {
            // With the lengths, no two lists of parts give the same bytes.
            hash.update("\(part.utf8.count):".utf8)
            hash.update(part.utf8)
        }
        return UUID(Array(hash.finalize().prefix(16)), version: 8)
    }

    /// Whether it was computed from the contents of a fact.
    var isByContents: Bool { uuid.6 >> 4 == 8 }

    private init(_ bytes: [UInt8], version: UInt8) {
        var bytes = bytes
        bytes[6] = bytes[6] & 0x0F | version << 4
        bytes[8] = bytes[8] & 0x3F | 0x80
        self = unsafe bytes.withUnsafeBytes { unsafe UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}

extension ManagedObjectContext {
    /// The time at which a new fact becomes known here.
    ///
    /// It is the present, or just after the last fact if the clock was set back since.
    func nextFactTime(_ now: Date) throws -> Date {
        let scans = FetchRequest(Scan.self).where(\.filedAt, isMissing: false)
            .sorted(by: \.filedAt, .descending).limited(to: 1)
        let corrections = FetchRequest(Correction.self).where(\.knownAt, isMissing: false)
            .sorted(by: \.knownAt, .descending).limited(to: 1)
        let last = [try fetch(scans).first?.filedAt, try fetch(corrections).first?.knownAt]
            .compactMap(\.self).max()
        return max(now, last.map { $0 + Date.precisionOfFacts } ?? now).ofFacts
    }
}

extension Date {
    /// The precision of times of facts in seconds, the same everywhere, so that all records agree on order.
    static let precisionOfFacts: TimeInterval = 0.001

    /// The time rounded to the precision of facts.
    var ofFacts: Date {
        let seconds = timeIntervalSince1970
        // A time that no calendar has stays as it is.
        guard abs(seconds) < 1e12 else { return self }
        return Date(timeIntervalSince1970: (seconds * 1000).rounded() / 1000)
    }
}
