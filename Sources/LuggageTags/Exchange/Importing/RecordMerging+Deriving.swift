internal import FoundationEssentials
internal import ObjectStore

// Derives what a batch has touched, and forgets what it says is forgotten.

extension RecordMerging {
    /// Derives the bags with new facts.
    mutating func derive() throws {
        for (id, before) in touched {
            guard let luggage = met.bags[id] else { continue }
            if let before, let next = facts.next(of: id, after: before, of: luggage) {
                try deriving.apply(next, to: luggage, before)
                continue
            }
            let recorded = try facts.all(of: id) ?? RecordedFacts(of: luggage, in: context)
            let hasLost = try forgotten.contains(id) && forget(recorded)
            let stays = try deriving.derive(luggage, before, from: recorded.withoutDeleted)
            guard hasLost else { continue }
            guard before != nil else {
                // Of no bag on record, only what people have said of it was here before.
                if !stays, recorded.corrections.contains(where: { $0.kind == .note }) {
                    purged.remarks += 1
                }
                continue
            }
            if stays { purged.names += 1 } else { purged.bags += 1 }
        }
        if failures.isEmpty { return }
        try deriving.mark(failures: failures)
        // Otherwise each fetch would search all that is not saved.
        try context.save()
        let digests = Set(failures.compactMap(\.imageDigest))
        let filings = try context.fetch(
            FetchRequest(Scan.self).where(\.imageDigest, isOneOf: digests)
        )
        let groups = Dictionary(grouping: filings) { Failure($0) }
        for failure in Set(failures.filter { $0.imageDigest != nil }.map { Failure($0) }) {
            // Nobody can tell whether purged tags are equal.
            if failure.isPurged { continue }
            RecordedFacts.markRepeats(among: groups[failure, default: []])
        }
    }

    /// What all filings of one failure have in common.
    private struct Failure: Hashable {
        let digest: String?
        let station: String
        let point: Point
        let reason: String
        let payload: Data
        let isPurged: Bool

        init(_ scan: Scan) {
            digest = scan.imageDigest
            station = scan.station
            point = scan.point
            reason = scan.reason
            payload = scan.payload
            isPurged = scan.outcome == .invalid && scan.payload.isEmpty
        }
    }

    /// Applies the statements of purges about a bag.
    ///
    /// - Returns: Whether anything was removed.
    private func forget(_ recorded: RecordedFacts) throws -> Bool {
        var hasLost = false
        for forgetting in recorded.corrections.compactMap(\.forgetting) {
            var forgetter = Forgetter(forgetting.scope, in: context)
            for scan in recorded.scans
            where !scan.isDeleted && forgetter.concerns(scan)
                && forgetting.covers(scan.scannedAt, known: scan.filedAt)
            {
                try forgetter.forget(scan)
                hasLost = true
            }
            let covered = recorded.corrections.filter {
                !$0.isDeleted && forgetter.concerns($0)
                    && forgetting.covers($0.age.time, known: $0.age.known)
            }
            hasLost = hasLost || !covered.isEmpty
            try forgetter.forget(covered, among: recorded.corrections)
            try forgetter.saveCounts()
        }
        return hasLost
    }

    /// Applies the statements of purges about facts of no bag.
    ///
    /// The merged records are saved, and their objects are no longer used.
    mutating func forgetFailures() throws {
        for forgetting in forgottenFailures {
            var forgetter = Forgetter(forgetting.scope, in: context)
            let scans = Scan.looseBefore(forgetting.until)
            try context.forEachPage(of: scans, size: RecordBatch.size) { page in
                for scan in page
                where scan.bagTold == nil && forgetter.concerns(scan)
                    && forgetting.covers(scan.scannedAt, known: scan.filedAt)
                {
                    try forgetter.forget(scan)
                    purged.pictures += 1
                }
                try context.save()
            }
            let dismissals = try context.fetch(
                Correction.looseBefore(forgetting.until).where(\.kind, is: .dismiss)
            ).filter {
                forgetter.concerns($0) && forgetting.covers($0.age.time, known: $0.age.known)
            }
            purged.remarks += dismissals.count
            try forgetter.forget(dismissals, among: dismissals)
            try forgetter.saveCounts()
        }
    }
}
