public import FoundationEssentials
public import ObjectStore

/// Files what a reader read from pictures: bags, owners, and a scan for each tag, failures included.
///
/// It files everything from one picture in one transaction. Filing a picture again at the same station
/// and point changes nothing and is reported as repeated. So after an interruption a caller may file
/// everything again.
public struct ScanRecorder: Sendable {
    let container: PersistentContainer
    let bounds: TagBounds
    let author: String?
    let now: @Sendable () -> Date

    /// Makes a recorder.
    ///
    /// - Parameters:
    ///   - container: The container to file in, with the model of ``LuggageModel``.
    ///   - bounds: The earliest time and the greatest weight to believe.
    ///   - author: The person who files; they can then undo their latest filing without naming it. Nil if
    ///     nobody files, for example if a service watches a folder.
    ///   - now: Gives the present moment; no scan can be later.
    public init(
        container: PersistentContainer,
        bounds: TagBounds = .none,
        author: String? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.container = container
        self.bounds = bounds
        self.author = author
        self.now = now
    }

    /// Files one picture.
    ///
    /// - Parameter picture: What was read, where and when. If its time is in the future or before the
    ///   bounds, the present is used instead; the reports tell a time before the bounds.
    /// - Returns: A report for each tag, from top to bottom; never empty.
    /// - Throws: `StoreError`; then nothing of the picture is filed.
    public func record(_ picture: ReadPicture) throws -> [ScanReport] {
        try record([picture])[0]
    }

    /// Files pictures in one transaction, so that they share one write to the disk.
    ///
    /// Each picture is filed as if it were the only one.
    ///
    /// - Parameter pictures: What was read, where and when.
    /// - Returns: For each picture, a report for each of its tags.
    /// - Throws: `StoreError`; then nothing of any of them is filed.
    public func record(_ pictures: [ReadPicture]) throws -> [[ScanReport]] {
        try together(pictures) { try record($0, $1) }
    }

    /// Files pictures in one transaction.
    ///
    /// - Parameters:
    ///   - pictures: The pictures.
    ///   - file: Files one picture in the given transaction.
    /// - Returns: The result for each picture.
    /// - Throws: What `file` throws, or `StoreError`.
    func together<Picture, Outcome>(
        _ pictures: [Picture],
        _ file: (Picture, FilingTurn) throws -> Outcome
    ) throws -> [Outcome] {
        try container.transaction { context in
            let turn = try FilingTurn(context, at: now())
            return try pictures.map { picture in
                // The next picture does not need the objects that this one has read and saved.
                defer { context.reset() }
                return try file(picture, turn)
            }
        }
    }

    /// Files one picture in a transaction that has begun.
    func record(
        _ picture: ReadPicture,
        _ turn: FilingTurn
    ) throws -> [ScanReport] {
        let reports = try prepare(picture, turn)
        try turn.context.save()
        return reports
    }

    /// Files one picture; the caller saves what is left to save.
    func prepare(
        _ picture: ReadPicture,
        _ turn: FilingTurn
    ) throws -> [ScanReport] {
        var picture = picture
        let now = now()
        if picture.date < bounds.earliest {
            picture.implausibleDate = picture.date
            picture.date = now
        }
        picture.date = min(picture.date, now).ofFacts
        turn.context.author = picture.station
        return try PictureFiling(
            picture: picture,
            bounds: bounds,
            author: author,
            context: turn.context,
            knownAt: max(turn.knownAt, now.ofFacts),
            deriving: turn.deriving
        ).reports()
    }
}
