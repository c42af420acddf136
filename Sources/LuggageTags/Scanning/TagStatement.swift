internal import Foundation

/// What one scan says about a bag, and when.
///
/// Pictures may be filed in any order. What is on record in the end must not depend on it, so where
/// scans contradict one another, the last by their own order has the word: by time, and where they
/// have the same time, by digest and payload.
struct TagStatement {
    private let date: Date
    private let digest: String
    private let payload: [UInt8]

    init(_ scan: Scan) {
        date = scan.scannedAt
        digest = scan.imageDigest ?? ""
        payload = Array(scan.payload)
    }

    init(_ payload: [UInt8], _ picture: PictureScan) {
        date = picture.date
        digest = picture.digest ?? ""
        self.payload = payload
    }

    /// The weight and the owner that were named last, each by itself: not every tag names an owner.
    static func lastWords(of statements: [Self]) -> (weight: Float?, owner: PassengerName?) {
        var weight: Float?
        var owner: PassengerName?
        for statement in statements.sorted(by: precedes) {
            // What is kept was decoded before; a payload that cannot be any more says nothing.
            guard let contents = try? TagDecoder().contents(of: statement.payload) else { continue }
            weight = contents.weight
            owner = contents.owner ?? owner
        }
        return (weight, owner)
    }

    private static func precedes(_ a: Self, _ b: Self) -> Bool {
        if a.date != b.date { return a.date < b.date }
        if a.digest != b.digest { return a.digest < b.digest }
        return a.payload.lexicographicallyPrecedes(b.payload)
    }
}
