internal import PictureReaders
internal import TagScenes

/// How a reader did on a picture, over all rounds.
struct PictureScore: Encodable {
    let file: String
    let category: String
    /// Payloads in the picture.
    let expected: Int
    /// Payloads of those that it returned, byte for byte, in every round.
    let found: Int
    /// What it returned in any round and is not in the picture, in base64.
    let wrong: [String]
    /// Whether it returned everything that is in the picture, or nothing where nothing is there; where
    /// nobody knows what is there, whether it returned anything.
    let isRead: Bool
    /// Whether its answers differed between rounds.
    let isUnsteady: Bool
    /// The signal that ended it in some round.
    let signal: Int?
    /// The median of the rounds.
    let milliseconds: Double
    /// The largest of the rounds.
    let mebibytes: Double

    /// Judges the runs on a picture, one at least.
    init(_ picture: SceneTruth, _ runs: [MeasuredRun], format: AnswerFormat) {
        let expected = picture.payloads
        let answers = runs.map { run in
            Set(format.payloads(in: run.output, expecting: expected))
        }
        file = picture.file
        category = picture.category
        // Two symbols that say the same are one bag: readers may fold them.
        let different = Set(expected)
        let always = different.filter { payload in answers.allSatisfy { $0.contains(payload) } }
        let other = answers.reduce(Set()) { $0.union($1) }.subtracting(different)
        self.expected = different.count
        found = always.count
        wrong = picture.isKnown ? other.map(Self.base64).sorted() : []
        isRead =
            picture.isKnown
            ? always.count == different.count && (!different.isEmpty || other.isEmpty)
            : answers.allSatisfy { !$0.isEmpty }
        isUnsteady = answers.contains { $0 != answers.first }
        signal = runs.lazy.compactMap(\.signal).first
        milliseconds = runs.map(\.milliseconds).median
        mebibytes = runs.map(\.mebibytes).max() ?? 0
    }
}
