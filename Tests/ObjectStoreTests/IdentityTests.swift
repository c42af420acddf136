import Foundation
import ObjectStore
import StoreTesting
import Testing

@Suite("Identity and values")
struct IdentityTests {
    @Test("a context gives one handle for one row", arguments: TestStore.allCases)
    func identity(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let luggage = Luggage(context, "A1", weight: 1)
            luggage.owner = Passenger(context, "D", "ZMU")
            let provisional = luggage.objectID
            #expect(try context.existingObject(Luggage.self, id: provisional) === luggage)
            try context.save()
            #expect(try context.luggage("A1") === luggage)
            #expect(try context.existingObject(Luggage.self, id: luggage.objectID) === luggage)
            #expect(try context.existingObject(Luggage.self, id: provisional) === luggage)
            let other = container.makeContext()
            #expect(try other.existingObject(Luggage.self, id: provisional) == nil)
            #expect(luggage.owner?.luggage.first === luggage)
        }
    }

    @Test("identities lead to nothing in the wrong place", arguments: TestStore.allCases)
    func wrongIdentity(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let luggage = Luggage(context, "A1", weight: 1)
            try context.save()
            let id = luggage.objectID
            #expect(try context.existingObject(Passenger.self, id: id) == nil)
            for key in [Int64.min, .min + 1, 0, 2, .max] {
                let other = ObjectID(entity: id.entity, key: key)
                #expect(try context.existingObject(Luggage.self, id: other) == nil)
            }
            let beyond = ObjectID(entity: 99, key: 1)
            #expect(try context.existingObject(Luggage.self, id: beyond) == nil)
        }
    }

    @Test("a key is never given twice", arguments: TestStore.allCases)
    func keys(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            var seen: Set<ObjectID> = []
            for round in 0..<20 {
                let luggage = Luggage(context, "A1", weight: Double(round))
                try context.save()
                #expect(seen.insert(luggage.objectID).inserted)
                try context.delete(luggage)
                try context.save()
            }
        }
    }

    /// The longest text is far longer than a page of the file.
    static let texts = [
        "", " ", "\n", "'\";--", "\u{FEFF}", "\u{10FFFF}", "e\u{301}", "👩‍👩‍👧‍👦🧳",
        String(repeating: "\u{1F9F3}", count: 1_000_000),
    ]

    @Test("text comes back byte for byte", arguments: TestStore.allCases, texts)
    func text(store: TestStore, text: String) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            Sample(context: context).text = text
            try context.save()
            let stored = try #require(try container.makeContext().first(FetchRequest(Sample.self)))
            let isSame = stored.text.map { $0.utf8.elementsEqual(text.utf8) }
            #expect(isSame == true)
        }
    }

    @Test(
        "floating-point numbers come back to the last bit",
        arguments: TestStore.allCases,
        [
            0, 1, -1, 0.1, .pi, .infinity, -.infinity, .greatestFiniteMagnitude,
            .leastNonzeroMagnitude, 1e15 + 0.3, 9_007_199_254_740_992, 9.3e18, -9.3e18,
        ] as [Double]
    )
    func double(store: TestStore, number: Double) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let sample = Sample(context: context)
            sample.double = number
            sample.float = Float(number)
            sample.date = Date(timeIntervalSince1970: number)
            let date = sample.date
            try context.save()
            let stored = try #require(try container.makeContext().first(FetchRequest(Sample.self)))
            #expect(stored.double?.bitPattern == number.bitPattern)
            #expect(stored.float?.bitPattern == Float(number).bitPattern)
            #expect(stored.date == date)
        }
    }

    @Test("a zero has no sign in any store", arguments: TestStore.allCases)
    func negativeZero(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            Sample(context: context).double = -0.0
            try context.save()
            let other = container.makeContext()
            let stored = try #require(try other.first(FetchRequest(Sample.self)))
            #expect(stored.double?.sign == .plus)
            let found = try other.first(FetchRequest(Sample.self).where(\.double, is: -0.0))
            #expect(found === stored)
        }
    }

    @Test("values of every type come back", arguments: TestStore.allCases)
    func everyType(store: TestStore) throws {
        try store.withContainer { container in
            let uuid = UUID()
            for (int, data) in [
                (Int64.min, Data()), (.max, Data([0, 255, 0])), (0, Data(count: 9)),
            ] {
                let context = container.makeContext()
                let sample = Sample(context: context)
                sample.name = "\(int)"
                sample.int = int
                sample.small = 255
                sample.bool = true
                sample.data = data
                sample.uuid = uuid
                try context.save()
                let request = FetchRequest(Sample.self).where(\.int, is: int)
                let stored = try #require(try container.makeContext().first(request))
                #expect(stored.int == int)
                #expect(stored.small == 255)
                #expect(stored.bool == true)
                #expect(stored.data == data)
                #expect(stored.uuid == uuid)
                #expect(stored.text == nil)
            }
        }
    }
}
