internal import Foundation

/// How a reader did on several pictures.
struct Tally: Encodable {
    let pictures: Int
    /// Pictures that were read.
    let read: Int
    let payloads: Int
    let payloadsRead: Int
    /// Payloads that it returned and that are not there.
    let wrong: Int
    /// Runs that a signal ended.
    let ended: Int
    /// Pictures on which its answers differed between rounds.
    let unsteady: Int
    /// The median of the pictures.
    let milliseconds: Double
    /// The sum of the pictures.
    let seconds: Double
    /// The largest of the pictures.
    let mebibytes: Double

    init(_ scores: [PictureScore]) {
        pictures = scores.count
        read = scores.count(where: \.isRead)
        payloads = scores.reduce(0) { $0 + $1.expected }
        payloadsRead = scores.reduce(0) { $0 + $1.found }
        wrong = scores.reduce(0) { $0 + $1.wrong.count }
        ended = scores.count { $0.signal != nil }
        unsteady = scores.count(where: \.isUnsteady)
        milliseconds = scores.map(\.milliseconds).median
        seconds = scores.reduce(0) { $0 + $1.milliseconds } / 1000
        mebibytes = scores.map(\.mebibytes).max() ?? 0
    }
}

extension PictureScore {
    static func base64(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
    }
}

extension [Double] {
    /// The middle one; 0 of none.
    var median: Double {
        isEmpty ? 0 : sorted()[count / 2]
    }
}
