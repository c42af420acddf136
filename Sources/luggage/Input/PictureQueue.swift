/// Works on several pictures at once, and delivers the results in the order of the pictures.
enum PictureQueue {
    /// Runs the work for every picture.
    ///
    /// - Parameters:
    ///   - pictures: The pictures.
    ///   - width: How many pictures are in work, or wait for delivery, at the same time.
    ///   - work: What to do with one picture.
    ///   - deliver: Gets each result, in order.
    /// - Throws: What `deliver` throws; work in progress is then cancelled.
    static func run<Result: Sendable>(
        _ pictures: [PictureFinder.Picture],
        width: Int,
        work: @escaping @Sendable (PictureFinder.Picture) async -> Result,
        deliver: (Result) async throws -> Void
    ) async throws {
        if pictures.count == 1 { return try await deliver(await work(pictures[0])) }
        try await withThrowingTaskGroup(of: (Int, Result).self) { group in
            var begun = 0
            func begin(_ group: inout ThrowingTaskGroup<(Int, Result), any Error>) {
                guard begun < pictures.count else { return }
                let (index, picture) = (begun, pictures[begun])
                begun += 1
                group.addTask { (index, await work(picture)) }
            }
            for _ in 0..<width { begin(&group) }
            var waiting: [Int: Result] = [:]
            var next = 0
            while let (index, result) = try await group.next() {
                waiting[index] = result
                while let result = waiting.removeValue(forKey: next) {
                    try await deliver(result)
                    next += 1
                    begin(&group)
                }
            }
        }
    }
}
