public import FoundationEssentials
internal import SystemSupport

/// A format of lists of expected bags, which is found by the content.
protocol ExpectationFormat: Sendable {
    /// Whether a file is in this format, by its first bytes.
    func recognises(_ file: [UInt8]) -> Bool

    /// The bags of a file, each with its place in the file, or why it is unusable.
    ///
    /// - Throws: ``ImportFault`` if the file as a whole cannot be read.
    func bags(of file: [UInt8]) throws -> [ListedEntry]
}

/// A bag of a list, and what the list does to what was said of it before.
struct ListedEntry {
    /// What becomes of what lists have said of the bag before.
    enum Effect {
        /// It stays, unless the list says that the bag is cancelled.
        case list
        /// It stays: this comes to it, unless it was said before and something else has taken its place.
        case add
        /// This takes its place.
        case replace
        /// It is taken back as far as it is of this flight, and this is not expected.
        case takeBack
        /// It is taken back whatever the flight, and this is not expected.
        case takeAllBack
    }

    let place: RecordPlace
    let bag: Result<ListedBag, TagError>
    var effect = Effect.list
    /// Whether it is no matter of a list, for the reason that stands for the bag.
    var isPassedOver = false
}

/// What a list says of a bag: what it takes back of what was said before, and what it expects then.
struct ListedStatement {
    /// The identifier of the bag.
    let identifier: UUID
    /// What is to be expected; nil for nothing.
    var expected: ExpectedBag?
    /// Which earlier expectations it ends; nil for none.
    var ended: EndedExpectations?
    /// Which expectations say that it only comes again, if they were said after it had ended; nil for none.
    var rivals: EndedExpectations?
}

/// A list of expected bags.
public struct ExpectationList: Sendable {
    /// The most bytes that a list may have.
    public static let longest = 64 << 20

    let entries: [(place: RecordPlace, statement: Result<ListedStatement, TagError>)]
    let fault: ImportFault?
    /// What else is in the file, and why that is no matter of a list.
    private(set) var passedOver: [(place: RecordPlace, reason: String)] = []

    /// Takes bags that are known.
    ///
    /// - Parameter bags: The bags.
    public init(_ bags: [ExpectedBag]) {
        entries = bags.enumerated().map { number, bag in
            let statement = ListedStatement(identifier: bag.identifier, expected: bag)
            return (RecordPlace(number: number + 1), .success(statement))
        }
        fault = bags.isEmpty ? .emptyList : nil
    }

    /// Reads a list.
    ///
    /// - Parameters:
    ///   - file: The bytes of the file.
    ///   - defaults: What holds for bags that do not say it themselves.
    ///   - date: When it is read; days without a year are near it, unless the defaults say a time.
    public init(
        _ file: [UInt8],
        _ defaults: ExpectationDefaults = .init(),
        date: Date = Date()
    ) {
        do {
            if let fault = ImportFault.utf16(file) { throw fault }
            // A list that none of them recognises is a table.
            let formats: [any ExpectationFormat] = [
                JSONExpectations(), MessageExpectations(date: defaults.due ?? date),
            ]
            let format = formats.first { $0.recognises(file) } ?? CSVExpectations()
            let found = try format.bags(of: file)
            passedOver = found.filter(\.isPassedOver).compactMap { entry in
                guard case .failure(let error) = entry.bag else { return nil }
                return (entry.place, "passed over: \(error.message)")
            }
            entries = found.filter { !$0.isPassedOver }.map { entry in
                (
                    entry.place,
                    entry.bag.flatMap { listed in
                        Result { () throws(TagError) in
                            try listed.statement(entry.effect, defaults, date: date)
                        }
                    }
                )
            }
            fault = entries.isEmpty ? .emptyList : nil
        } catch {
            entries = []
            fault =
                error as? ImportFault
                ?? ImportFault(.malformed, "\(error)", remedy: "write it as CSV, JSON or BSM")
        }
    }
}

extension ImportFault {
    fileprivate static let emptyList = Self(
        .malformed,
        "the list names no bag",
        remedy: "write one a line, below a line with the names of the columns"
    )
}
