package import ObjectStore
internal import SystemSupport

/// Tells what a record knows about the files of pictures.
package struct FiledPictures: Sendable {
    private let container: PersistentContainer

    /// Uses a record.
    package init(container: PersistentContainer) {
        self.container = container
    }

    /// What the record knows about one file.
    package struct Answer: Sendable {
        /// The stations that have filed a picture with this content from a folder.
        package var stations: Set<String> = []
        /// Whether a scan has this content.
        package var isScanned = false
        /// Whether anything about it counts: a scan of a bag, a typed tag or a dismissal, not undone.
        package var stands = false
        /// Whether people have typed all its tags that could not be filed, or dismissed it.
        package var isClosed = false
        /// Whether nothing is on record about it.
        package var isUnknown: Bool { stations.isEmpty && !isScanned && !stands }
    }

    /// Looks up a file.
    ///
    /// - Parameter digest: The SHA-256 of its content, in hexadecimal.
    /// - Returns: What the record knows.
    /// - Throws: `StoreError`.
    package func answer(digest: String) throws -> Answer {
        try container.read { context in
            let entries = try context.fetch(
                FetchRequest(JournalEntry.self).where(\.imageDigest, is: digest)
            )
            var answer = Answer(stations: Set(entries.map(\.station)))
            let all = FetchRequest(Scan.self).where(\.imageDigest, is: digest)
            answer.isScanned = try context.exists(all)
            let scans = all.notUndone
                .where(\.outcome, isOneOf: Outcome.allCases.filter(\.isFiled))
            let closings = try context.fetch(
                FetchRequest(Correction.self).where(\.imageDigest, is: digest)
                    .where(\.undoneAt, isMissing: true)
            )
            answer.stands = try !closings.isEmpty || context.exists(scans)
            answer.isClosed = try closings.compactMap(FailedSight.init).contains {
                try context.progress(of: $0).isClosed
            }
            return answer
        }
    }

    /// Counts the processed pictures that have some names.
    ///
    /// - Parameters:
    ///   - names: The names.
    ///   - stations: The stations that have filed them; if empty, all stations.
    /// - Returns: For each name, the number of pictures by digest.
    /// - Throws: `StoreError`.
    package func filed(
        as names: some Collection<String>,
        by stations: Set<String>
    ) throws -> [String: [String: Int]] {
        if names.isEmpty { return [:] }
        return try container.read { context in
            var filed: [String: [String: Int]] = [:]
            let name = context.model.property(\Scan.imageName)
            let digest = context.model.property(\Scan.imageDigest)
            var request = FetchRequest(Scan.self).where(\.imageName, isOneOf: names)
            if !stations.isEmpty { request = request.where(\.station, isOneOf: stations) }
            try context.forEachBatch(
                ofSnapshots: request,
                omitting: [\.payload]
            ) { scans in
                let digests = Set(scans.compactMap { $0[digest] })
                let entries = try context.counts(
                    by: \JournalEntry.imageDigest,
                    FetchRequest(JournalEntry.self).where(\.imageDigest, isOneOf: digests)
                )
                for scan in scans {
                    guard let digest = scan[digest], let count = entries[digest] else { continue }
                    filed[scan[name], default: [:]][digest] = count
                }
            }
            let closings = try context.fetch(
                FetchRequest(Correction.self).where(\.imageName, isOneOf: names)
                    .where(\.undoneAt, isMissing: true)
            )
            for sight in Set(closings.compactMap(FailedSight.init))
            where try context.progress(of: sight).isClosed {
                filed[sight.imageName, default: [:]][sight.imageDigest, default: 0] += 1
            }
            return filed
        }
    }

    /// The pictures that stations have filed from folders.
    ///
    /// - Returns: Their digests by station, in the order of filing.
    /// - Throws: `StoreError`.
    package func filed() throws -> [String: [String]] {
        try container.read { context in
            var filed: [String: [String]] = [:]
            for entry in try context.fetch(FetchRequest(JournalEntry.self).sorted(by: \.filedAt)) {
                filed[entry.station, default: []].append(entry.imageDigest)
            }
            return filed
        }
    }

    /// The name under which a picture was filed.
    ///
    /// - Parameter digest: The picture's digest.
    /// - Returns: The name; the digest if the name is not on record.
    /// - Throws: `StoreError`.
    package func name(of digest: String) throws -> String {
        try container.read { context in
            let request = FetchRequest(Scan.self).where(\.imageDigest, is: digest).limited(to: 1)
            return try context.fetch(request).first?.imageName.onOneLine ?? digest
        }
    }
}
