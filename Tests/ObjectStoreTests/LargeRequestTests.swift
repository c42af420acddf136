import Foundation
import ObjectStore
import StoreTesting
import Testing

@Suite("No amount of data ends the program")
struct LargeRequestTests {
    private func withBags(_ store: TestStore, _ body: (ManagedObjectContext) throws -> Void) throws
    {
        try store.withContainer { container in
            let context = container.makeContext()
            for index in 0..<4 { _ = Luggage(context, "T\(index)", weight: Double(index)) }
            try context.save()
            _ = Luggage(context, "pending", weight: 9)
            try body(context)
        }
    }

    @Test("a cascade through 20,000 objects, one after the other", arguments: TestStore.allCases)
    func longCascade(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            var whole: Part?
            for index in 0..<20_000 {
                let part = Part(context: context)
                part.name = "\(index)"
                part.whole = whole
                whole = part
            }
            try context.save()
            let first = FetchRequest(Part.self).where(\.name, is: "0")
            for isSaved in [false, true] {
                let other = container.makeContext()
                try other.delete(try #require(try other.first(first)))
                #expect(other.deletedObjects.count == 20_000)
                if isSaved { try other.save() }
            }
            #expect(try container.makeContext().count(Part.self) == 0)
        }
    }

    @Test("conditions one after the other", arguments: [95, 1000, 5000, 20_000])
    func chained(count: Int) throws {
        var request = FetchRequest(Luggage.self)
        for index in 0..<count {
            request = request.where(\.weight, isLessThan: Double(9 + index))
        }
        for store in TestStore.allCases {
            try withBags(store) { context in
                let found = try context.fetch(request)
                #expect(found.count == 4)
            }
        }
    }

    @Test("alternatives side by side", arguments: TestStore.allCases, [0, 1, 95, 20_000])
    func alternatives(store: TestStore, count: Int) throws {
        try withBags(store) { context in
            let request = FetchRequest(Luggage.self).whereEither(
                (0..<count).map { index in { $0.where(\.tag, is: "T\(index)") } }
            )
            let found = try context.count(request)
            #expect(found == min(count, 4))
        }
    }

    @Test("alternatives of alternatives", arguments: TestStore.allCases)
    func nestedAlternatives(store: TestStore) throws {
        try withBags(store) { context in
            var request = FetchRequest(Luggage.self).where(\.tag, is: "T0")
            for index in 1..<3000 {
                let inner = request
                request = FetchRequest().whereEither(
                    { _ in inner },
                    { $0.where(\.tag, is: "T\(index)") }
                )
            }
            let found = try context.count(request)
            #expect(found == 4)
        }
    }

    @Test("conditions within conditions, up to a depth", arguments: TestStore.allCases)
    func deep(store: TestStore) throws {
        try withBags(store) { context in
            func request(_ depth: Int) -> FetchRequest<Luggage> {
                var request = FetchRequest(Luggage.self).where(\.tag, is: "T0")
                for index in 1...depth {
                    let inner = request
                    // The first condition keeps the alternatives from being joined.
                    request = FetchRequest(Luggage.self).where(\.weight, isAtLeast: 0)
                        .whereEither({ _ in inner }, { $0.where(\.tag, is: "T\(index)") })
                }
                return request
            }
            let found = try context.count(request(15))
            #expect(found == 4)
            for depth in [40, 101, 20_000] {
                #expect(throws: UnsupportedPredicateError.self) {
                    try context.count(request(depth))
                }
            }
        }
    }

    @Test("a predicate made of many parts", arguments: TestStore.allCases)
    func predicates(store: TestStore) throws {
        try withBags(store) { context in
            let found = try context.count(Self.negated(60))
            #expect(found == 1)
            #expect(throws: UnsupportedPredicateError.self) { try context.count(Self.negated(120)) }
        }
    }

    @Test(
        "a predicate of many conditions one after the other",
        arguments: TestStore.allCases,
        [95, 1000]
    )
    func chained(store: TestStore, count: Int) throws {
        try withBags(store) { context in
            for isAll in [true, false] {
                let found = try context.count(Self.chained(count, isAll: isAll))
                #expect(found == (isAll ? 1 : 4))
            }
        }
    }

    /// The bags that have none of so many tags but the second, or one of so many.
    private static func chained(_ count: Int, isAll: Bool) -> FetchRequest<Luggage> {
        typealias Condition = any StandardPredicateExpression<Bool>
        let predicate = Predicate<Luggage> { bag in
            func condition(_ index: Int) -> Condition {
                let tag = PredicateExpressions.build_KeyPath(
                    root: PredicateExpressions.build_Arg(bag),
                    keyPath: \.tag
                )
                let other = PredicateExpressions.build_Arg("T\(index)")
                return isAll && index != 1
                    ? PredicateExpressions.build_NotEqual(lhs: tag, rhs: other)
                    : PredicateExpressions.build_Equal(lhs: tag, rhs: other)
            }
            func joined(
                _ a: some StandardPredicateExpression<Bool>,
                _ b: some StandardPredicateExpression<Bool>
            ) -> Condition {
                isAll
                    ? PredicateExpressions.build_Conjunction(lhs: a, rhs: b)
                    : PredicateExpressions.build_Disjunction(lhs: a, rhs: b)
            }
            var all = condition(0)
            for index in 1..<count { all = joined(all, condition(index)) }
            return all
        }
        return FetchRequest(Luggage.self, predicate: predicate)
    }

    /// A request with an even number of negations, one within the other.
    private static func negated(_ depth: Int) -> FetchRequest<Luggage> {
        func wrap(
            _ expression: any StandardPredicateExpression<Bool>,
            _ depth: Int
        ) -> any StandardPredicateExpression<Bool> {
            func negate(
                _ expression: some StandardPredicateExpression<Bool>
            ) -> any StandardPredicateExpression<Bool> {
                PredicateExpressions.build_Negation(expression)
            }
            var expression = expression
            for _ in 0..<depth { expression = negate(expression) }
            return expression
        }
        let predicate = Predicate<Luggage> { bag in
            wrap(
                PredicateExpressions.build_Equal(
                    lhs: PredicateExpressions.build_KeyPath(
                        root: PredicateExpressions.build_Arg(bag),
                        keyPath: \.tag
                    ),
                    rhs: PredicateExpressions.build_Arg("T1")
                ),
                depth
            )
        }
        return FetchRequest(Luggage.self, predicate: predicate)
    }

    @Test("a limit or an offset below none is an error", arguments: TestStore.allCases)
    func negative(store: TestStore) throws {
        try withBags(store) { context in
            let all = FetchRequest(Luggage.self)
            for request in [all.limited(to: -1), all.skipping(-1), all.limited(to: .min)] {
                let error = #expect(throws: UnsupportedPredicateError.self) {
                    try context.fetch(request)
                }
                #expect(error?.description.contains("from 0 on") == true)
                #expect(throws: UnsupportedPredicateError.self) { try context.count(request) }
            }
            context.undoLimit = -3
            #expect(context.undoLimit == 0)
        }
    }
}
