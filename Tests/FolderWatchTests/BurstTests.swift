internal import FolderWatch
internal import TestFolders
internal import Testing

/// Many files, and many who ask for them.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct BurstTests {
    /// Makes names of one file, which is much faster than making files.
    private func makeLinks(_ numbers: Range<Int>, in folder: TemporaryFolder, to source: [UInt8])
        throws
    {
        for number in numbers {
            try makeLink(to: source, at: folder.path(Array("\(number).png".utf8)))
        }
    }

    private func number(of file: WatchedFile) -> Int? {
        Int(String(decoding: file.name.dropLast(4), as: UTF8.self))
    }

    @Test(
        "A hundred thousand files at once are handed out, each once, and few names are held",
        arguments: [
            false, true,
        ]
    )
    func burst(wereThereBefore: Bool) async throws {
        let count = 100_000
        var options = FolderWatch.Options.default
        options.mostPending = 1000
        let sources = try TemporaryFolder()
        // A file has only so many links.
        let perSource = 50_000
        for number in 0..<count / perSource { try writeFile(sources.path([0x61 + UInt8(number)])) }
        func fill(_ folder: TemporaryFolder) throws {
            for source in 0..<count / perSource {
                let numbers = source * perSource..<(source + 1) * perSource
                try makeLinks(numbers, in: folder, to: sources.path([0x61 + UInt8(source)]))
            }
        }
        let inbox = try await Inbox(
            options: options,
            prepare: { if wereThereBefore { try fill($0) } }
        )
        let folder = inbox.folder
        async let filling: Void = { if !wereThereBefore { try fill(folder) } }()
        var isGiven = [Bool](repeating: false, count: count)
        var most = 0
        for _ in 0..<count {
            let file = try #require(await inbox.watch.next())
            let number = try #require(self.number(of: file))
            #expect(!isGiven[number], "\(number) is handed out twice")
            isGiven[number] = true
            try removeFile(file.path)
            inbox.watch.finish(file)
            let status = inbox.watch.status
            most = max(most, status.pending + status.waiting + status.delayed + status.settled)
        }
        try await filling
        #expect(!isGiven.contains(false))
        #expect(most <= 1000)
        try await inbox.expectNothing()
    }

    @Test("Many who ask at once get each file once, whether or not they are in time")
    func manyAskers() async throws {
        let inbox = try await Inbox()
        let source = inbox.elsewhere.path([0x61])
        try writeFile(source)
        let count = 5000
        let finished = Counter()
        let numbers = await withTaskGroup(of: [Int].self) { group in
            for _ in 0..<16 {
                group.addTask {
                    var numbers: [Int] = []
                    while let file = await inbox.watch.next() {
                        numbers.append(number(of: file) ?? -1)
                        try? removeFile(file.path)
                        inbox.watch.finish(file)
                        // Not before all are finished: what is handed out to others then would be dropped.
                        finished.increment()
                        if finished.value == count { inbox.watch.stop() }
                    }
                    return numbers
                }
            }
            group.addTask {
                do {
                    try makeLinks(0..<count, in: inbox.folder, to: source)
                } catch {
                    inbox.watch.stop()
                }
                return []
            }
            var numbers: [Int] = []
            for await some in group { numbers += some }
            return numbers
        }
        #expect(numbers.sorted() == Array(0..<count))
    }

    @Test("It is idle when nothing is left, and not while a scan looks for more")
    func idleness() async throws {
        var options = FolderWatch.Options.default
        options.mostPending = 3
        let count = 500
        let sources = try TemporaryFolder()
        let source = sources.path([0x61])
        try writeFile(source)
        let inbox = try await Inbox(
            options: options,
            prepare: { try makeLinks(0..<count, in: $0, to: source) }
        )
        let given = Counter()
        let watch = inbox.watch
        let asker = Task {
            for await file in watch {
                try? removeFile(file.path)
                given.increment()
                watch.finish(file)
            }
        }
        await watch.waitUntilIdle()
        #expect(given.value == count)
        watch.stop()
        await asker.value
        await watch.waitUntilIdle()
    }

    @Test("Whoever gives up asking takes no file with it")
    func cancelled() async throws {
        let inbox = try await Inbox()
        for round in 0..<300 as Range<Int> {
            let name = Array("\(round)".utf8)
            let tasks = (0..<4).map { _ in Task { await inbox.watch.next() } }
            for task in tasks.dropLast() { task.cancel() }
            try inbox.put(name)
            tasks.last?.cancel()
            var given: [WatchedFile] = []
            for task in tasks { if let file = await task.value { given.append(file) } }
            #expect(given.count <= 1)
            let file: WatchedFile
            if let first = given.first {
                file = first
            } else {
                file = try #require(await inbox.watch.next())
            }
            #expect(file.name == name)
            try removeFile(file.path)
            inbox.watch.finish(file)
        }
    }
}
