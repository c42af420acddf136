/// The text of a statement, with its hash.
///
/// A save runs a handful of statements: finding them by their texts alone would read and hash all of
/// these each time, which is seen beside the time of the disk.
struct SQLText: Hashable, Sendable {
    static let begin = SQLText("BEGIN IMMEDIATE")
    static let commit = SQLText("COMMIT")

    let text: String
    private let number: Int

    init(_ text: String) {
        self.text = text
        number = text.hashValue
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
