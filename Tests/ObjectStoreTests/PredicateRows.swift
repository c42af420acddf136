import Foundation

/// The operators of predicates, each in one or more rows.
enum PredicateRows {
    static let all = comparisons + optionals + texts + sequences + relationships + arithmetic

    private static let captured = 2
    private static let missing: String? = nil
    private static let wholes = [1, 3, 5, 99]
    private static let day = Date(timeIntervalSince1970: 8e8)
    private static let uuid = UUID(uuidString: PredicateData.uuids[1]) ?? UUID()

    private static var comparisons: [PredicateRow] {
        let (limit, day, uuid, handedOut) = (captured, day, uuid, Status.handedOut)
        let (bytes, infinity, states) = (Data([0, 1]), Double.infinity, [Status.stored, .awaited])
        return [
            PredicateRow("==", 1, #Predicate { $0.count == 2 }) { $0.count == 2 },
            PredicateRow("!=", 9, #Predicate { $0.count != limit }) { $0.count != limit },
            PredicateRow("<", 6, #Predicate { $0.count < limit }) { $0.count < limit },
            PredicateRow("<=", 7, #Predicate { $0.count <= limit }) { $0.count <= limit },
            PredicateRow(">", 3, #Predicate { $0.count > limit }) { $0.count > limit },
            PredicateRow(">=", 4, #Predicate { $0.count >= limit }) { $0.count >= limit },
            PredicateRow("Double", 7, #Predicate { $0.weight > 0 }) { $0.weight > 0 },
            PredicateRow("infinity", 1, #Predicate { $0.price == infinity }) {
                $0.price == infinity
            },
            PredicateRow("Date", 1, #Predicate { $0.date == day }) { $0.date == day },
            PredicateRow("UUID", 1, #Predicate { $0.uuid == uuid }) { $0.uuid == uuid },
            PredicateRow("Data", 1, #Predicate { $0.data == bytes }) { $0.data == bytes },
            PredicateRow("Bool", 3, #Predicate { $0.isOpen == true }) { $0.isOpen == true },
            PredicateRow("enumeration", 3, #Predicate { $0.status == handedOut }) {
                $0.status == handedOut
            },
            PredicateRow("one of some", 7, #Predicate { states.contains($0.status) }) {
                states.contains($0.status)
            },
            PredicateRow("&&", 2, #Predicate { $0.count > 0 && $0.weight < 2.5 }) {
                $0.count > 0 && $0.weight < 2.5
            },
            PredicateRow("||", 4, #Predicate { $0.count > 3 || $0.weight < 0 }) {
                $0.count > 3 || $0.weight < 0
            },
            PredicateRow("!", 5, #Predicate { !($0.count > 0) }) { !($0.count > 0) },
            PredicateRow("always", 10, #Predicate { _ in true }) { _ in true },
            PredicateRow("never", 0, #Predicate { _ in false }) { _ in false },
        ]
    }

    private static var optionals: [PredicateRow] {
        let missing = missing
        return [
            PredicateRow("== nil", 5, #Predicate { $0.number == nil }) { $0.number == nil },
            PredicateRow("!= nil", 5, #Predicate { $0.number != nil }) { $0.number != nil },
            PredicateRow("captured nil", 5, #Predicate { $0.text == missing }) {
                $0.text == missing
            },
            PredicateRow("!= with nil", 9, #Predicate { $0.number != 3 }) { $0.number != 3 },
            PredicateRow("??", 6, #Predicate { ($0.number ?? 9) > 3 }) { ($0.number ?? 9) > 3 },
            PredicateRow("if let", 2, #Predicate { if let n = $0.number { n > 2 } else { false } })
            {
                if let number = $0.number { number > 2 } else { false }
            },
            PredicateRow("else", 7, #Predicate { if let n = $0.number { n > 2 } else { true } }) {
                if let number = $0.number { number > 2 } else { true }
            },
            PredicateRow("flatMap", 2, #Predicate { $0.number.flatMap { $0 > 2 } == true }) {
                $0.number.flatMap { $0 > 2 } == true
            },
            PredicateRow("? :", 6, #Predicate { $0.isOpen == true ? $0.count > 0 : $0.count < 3 }) {
                $0.isOpen == true ? $0.count > 0 : $0.count < 3
            },
            PredicateRow("optional chain", 3, #Predicate { $0.shelf?.rank == 7 }) {
                $0.shelf?.rank == 7
            },
            PredicateRow("chain to nil", 7, #Predicate { $0.shelf?.rank == nil }) {
                $0.shelf?.rank == nil
            },
            PredicateRow(
                "two chains",
                2,
                #Predicate { $0.outer?.shelf?.label == "s0" && $0.count > 0 }
            ) {
                $0.outer?.shelf?.label == "s0" && $0.count > 0
            },
            PredicateRow("no target", 4, #Predicate { $0.shelf == nil }) { $0.shelf == nil },
            PredicateRow("a target", 3, #Predicate { $0.outer != nil }) { $0.outer != nil },
            PredicateRow(
                "object in if let",
                3,
                #Predicate { if let shelf = $0.shelf { shelf.label == "s1" } else { false } }
            ) { $0.shelf.map { $0.label == "s1" } ?? false },
        ]
    }

    private static var texts: [PredicateRow] {
        let (a, e, kyo, empty) = ("a", "\u{E9}", "\u{4EAC}", "")
        let bytes = Data([0])
        return [
            PredicateRow("text ==", 1, #Predicate { $0.name == a }) { $0.name == a },
            PredicateRow("accents by their bytes", 1, #Predicate { $0.name == e }) {
                $0.name.utf8.elementsEqual(e.utf8)
            },
            PredicateRow("text <", 4, #Predicate { $0.name < "ab" }) {
                $0.name.utf8.lexicographicallyPrecedes("ab".utf8)
            },
            PredicateRow("starts(with:)", 3, #Predicate { $0.name.starts(with: a) }) {
                $0.name.starts(with: a)
            },
            PredicateRow("starts with nothing", 10, #Predicate { $0.name.starts(with: empty) }) {
                $0.name.starts(with: empty)
            },
            PredicateRow(
                "starts with a property",
                7,
                #Predicate { $0.name.starts(with: $0.text ?? "") }
            ) {
                $0.name.utf8.starts(with: ($0.text ?? "").utf8)
            },
            PredicateRow("contains", 1, #Predicate { $0.name.contains(kyo) }) {
                $0.name.contains(kyo)
            },
            PredicateRow("contains nothing", 10, #Predicate { $0.name.contains(empty) }) { _ in
                true
            },
            PredicateRow("isEmpty", 1, #Predicate { $0.name.isEmpty }) { $0.name.isEmpty },
            PredicateRow("optional isEmpty", 1, #Predicate { $0.text?.isEmpty == true }) {
                $0.text?.isEmpty == true
            },
            PredicateRow("optional contains", 3, #Predicate { $0.text?.contains(a) ?? false }) {
                $0.text?.contains(a) ?? false
            },
            PredicateRow("bytes start with", 3, #Predicate { $0.data?.starts(with: bytes) == true })
            {
                $0.data?.starts(with: bytes) == true
            },
        ]
    }

    private static var sequences: [PredicateRow] {
        let (wholes, names, none) = (wholes, ["a", "A", "zz"], [Int]())
        let (some, closed, open) = (Set([1, 2]), 1...4, -1.0..<0.5)
        let (unbounded, optional) = (0...Int.max, [Int64?.none, 3])
        return [
            PredicateRow("array", 3, #Predicate { wholes.contains($0.count) }) {
                wholes.contains($0.count)
            },
            PredicateRow("set", 2, #Predicate { some.contains($0.count) }) {
                some.contains($0.count)
            },
            PredicateRow("texts", 2, #Predicate { names.contains($0.name) }) {
                names.contains($0.name)
            },
            PredicateRow("empty array", 0, #Predicate { none.contains($0.count) }) { _ in false },
            PredicateRow("not in an array", 7, #Predicate { !wholes.contains($0.count) }) {
                !wholes.contains($0.count)
            },
            PredicateRow("array with nil", 6, #Predicate { optional.contains($0.number) }) {
                optional.contains($0.number)
            },
            PredicateRow("written array", 2, #Predicate { [1, 2].contains($0.count) }) {
                [1, 2].contains($0.count)
            },
            PredicateRow("closed range", 4, #Predicate { (1...4).contains($0.count) }) {
                (1...4).contains($0.count)
            },
            PredicateRow("half-open range", 3, #Predicate { (1..<4).contains($0.count) }) {
                (1..<4).contains($0.count)
            },
            PredicateRow("range to a property", 5, #Predicate { (0.0...$0.weight).contains(1.5) }) {
                $0.weight >= 1.5
            },
            PredicateRow("captured range", 4, #Predicate { closed.contains($0.count) }) {
                closed.contains($0.count)
            },
            PredicateRow("captured half-open range", 3, #Predicate { open.contains($0.weight) }) {
                open.contains($0.weight)
            },
            PredicateRow("captured huge range", 6, #Predicate { unbounded.contains($0.count) }) {
                unbounded.contains($0.count)
            },
        ]
    }

    private static var relationships: [PredicateRow] {
        [
            PredicateRow("count of members", 2, #Predicate { $0.slips.count > 2 }) {
                $0.slips.count > 2
            },
            PredicateRow("no members", 6, #Predicate { $0.slips.isEmpty }) { $0.slips.isEmpty },
            PredicateRow("contains(where:)", 3, #Predicate { $0.slips.contains { $0.number == 1 } })
            {
                $0.slips.contains { $0.number == 1 }
            },
            PredicateRow("allSatisfy", 7, #Predicate { $0.slips.allSatisfy { $0.number == nil } }) {
                $0.slips.allSatisfy { $0.number == nil }
            },
            PredicateRow(
                "members of a target",
                3,
                #Predicate { $0.outer?.inner.contains { $0.count == 5 } ?? false }
            ) { $0.outer?.inner.contains { $0.count == 5 } ?? false },
            PredicateRow("count of a target's", 6, #Predicate { $0.shelf?.parcels.count == 3 }) {
                $0.shelf?.parcels.count == 3
            },
            PredicateRow(
                "members of members",
                1,
                #Predicate { $0.inner.contains { $0.slips.contains { $0.number == 2 } } }
            ) { $0.inner.contains { $0.slips.contains { $0.number == 2 } } },
            PredicateRow(
                "way back from members",
                4,
                #Predicate { $0.slips.contains { $0.parcel?.weight != nil } }
            ) { $0.slips.contains { $0.parcel?.weight != nil } },
        ]
    }

    private static var arithmetic: [PredicateRow] {
        [
            PredicateRow("+", 3, #Predicate { $0.count + 1 > 3 }) { $0.count + 1 > 3 },
            PredicateRow("-", 2, #Predicate { 3 - $0.count < 0 }) { 3 - $0.count < 0 },
            PredicateRow("*", 3, #Predicate { $0.count * $0.count > 9 }) {
                $0.count * $0.count > 9
            },
            PredicateRow("unary minus", 4, #Predicate { -$0.count > 0 }) { -$0.count > 0 },
            PredicateRow("of Doubles", 1, #Predicate { $0.weight * 2 - 0.5 == 4.5 }) {
                $0.weight * 2 - 0.5 == 4.5
            },
            PredicateRow("with ??", 6, #Predicate { ($0.price ?? 0) + $0.weight > 1 }) {
                ($0.price ?? 0) + $0.weight > 1
            },
            PredicateRow(
                "of a count",
                2,
                #Predicate { $0.slips.count * 2 == $0.count + 4 && $0.slips.count > 2 }
            ) {
                $0.slips.count * 2 == $0.count + 4 && $0.slips.count > 2
            },
        ]
    }
}
