internal import Foundation
internal import ObjectStore

/// What unsaved changes add to the requests of a context that lives long.
enum PendingCase {
    /// Requests of a context with changes, in turn with the same of one without.
    static func run(_ turns: Turns, bags count: Int = 100_000) throws {
        let folder = try ScratchFolder.inMemory()
        let pair = try StorePair(in: folder, bags: count)
        let identifiers = Scans(of: stride(from: 0, to: count, by: 97)).forObjects.map(\.identifier)
        let few = FetchRequest(Bag.self).limited(to: 20)
        let heavy = FetchRequest(Bag.self).where(\.weight, isGreaterThan: 20).limited(to: 20)
        for pending in [1, 500] {
            Line.printHead(
                "\(count) bags, \(pending) unsaved change\(pending == 1 ? "" : "s")",
                ours: "changed",
                other: "clean"
            )
            let clean = pair.container.makeContext()
            let changed = pair.container.makeContext()
            // Half of them are new, and half are on record, from all over it.
            for scan in Scans(of: count..<count + (pending + 1) / 2).forObjects {
                _ = Bag(scan, changed)
            }
            for identifier in identifiers.prefix(pending / 2) {
                let bag = try changed.fetch(find(identifier)).first
                bag?.weight += 1
            }
            var number = 0
            try compare("fetch, 20 in order of identity", turns, clean, changed, times: 200) {
                _ = try $0.fetch(few)
            }
            try compare("fetch, 20 by a condition", turns, clean, changed, times: 200) {
                _ = try $0.fetch(heavy)
            }
            try compare("fetch, 20 in order of an index", turns, clean, changed, times: 200) {
                _ = try $0.fetch(FetchRequest(Bag.self).sorted(by: \.identifier).limited(to: 20))
            }
            try compare("count", turns, clean, changed, times: 10) {
                _ = try $0.count(FetchRequest(Bag.self))
            }
            try compare("edit another, then count", turns, clean, changed, times: 10) { context in
                number += 1
                let bag = try context.fetch(find(identifiers[identifiers.count - 1 - number % 500]))
                    .first
                if context === changed { bag?.weight += 1 }
                _ = try context.count(FetchRequest(Bag.self))
            }
            try compare("count by a condition", turns, clean, changed, times: 5) {
                _ = try $0.count(FetchRequest(Bag.self).where(\.weight, isGreaterThan: 20))
            }
            try compare("find by a unique value", turns, clean, changed, times: 500) {
                number += 1
                _ = try $0.fetch(find(identifiers[number % identifiers.count]))
            }
            try compare("edit, then fetch 20 by a condition", turns, clean, changed, times: 200) {
                context in
                number += 1
                let bag = try context.fetch(find(identifiers[number % max(1, pending / 2)])).first
                if context === changed { bag?.weight += 1 }
                _ = try context.fetch(heavy)
            }
        }
    }

    /// Finding or making more and more objects in one context.
    static func findOrMake(_ turns: Turns, upTo largest: Int) throws {
        let folder = try ScratchFolder.inMemory()
        let pair = try StorePair(in: folder, bags: 10_000)
        Line.printHead("Find or make in one context, an object", ours: "in one", other: "1,000")
        let sizes = [1000, 10_000, 100_000].filter { $0 <= largest }
        for size in sizes {
            let scans = Scans(of: 10_000..<10_000 + size).forObjects
            let times = try turns.medians(units: size) { _ in
                try make(scans[...], pair.container)
            } _: { _ in
                for start in stride(from: 0, to: size, by: 1000) {
                    try make(scans[start..<start + 1000], pair.container)
                }
            }
            Line(
                name: "\(size) objects (ratio: to a context for each 1,000)",
                ours: times[0],
                other: times[1],
                ratio: times[0] / times[1],
                goal: .atMost(2)
            ).print()
        }
    }

    private static func make(_ scans: ArraySlice<Scan>, _ container: PersistentContainer) throws {
        let context = container.makeContext()
        for scan in scans where try context.fetch(find(scan.identifier)).isEmpty {
            _ = Bag(scan, context)
        }
    }

    private static func find(_ identifier: UUID) -> FetchRequest<Bag> {
        FetchRequest(Bag.self).where(\.identifier, is: identifier)
    }

    private static func compare(
        _ name: String,
        _ turns: Turns,
        _ clean: ManagedObjectContext,
        _ changed: ManagedObjectContext,
        times count: Int,
        _ request: @escaping (ManagedObjectContext) throws -> Void
    ) throws {
        let times = try turns.medians(units: count) { _ in
            for _ in 0..<count { try request(changed) }
        } _: { _ in
            for _ in 0..<count { try request(clean) }
        }
        Line(
            name: name,
            ours: times[0],
            other: times[1],
            ratio: times[0] / times[1],
            goal: .atMost(2)
        ).print()
    }
}
