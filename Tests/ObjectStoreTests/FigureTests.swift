import Foundation
import ObjectStore
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

@Suite("Figures of each type of attribute")
struct FigureTests {
    /// Runs on parcels that are saved in each store, and that are pending.
    private func withParcels(
        _ fill: (Int, Parcel) -> Void,
        count: Int = 3,
        _ body: (ManagedObjectContext, Comment) throws -> Void
    ) throws {
        let folder = try TemporaryFolder()
        for store in try PredicateTableTests.stores(folder) {
            let container = try PersistentContainer(model: PredicateData.model(), store: store)
            let context = container.makeContext()
            for index in 0..<count {
                let parcel = Parcel(context: context)
                (parcel.label, parcel.name, parcel.count, parcel.weight) = ("p\(index)", "", 0, 0)
                fill(index, parcel)
            }
            try body(context, "\(type(of: store)), pending")
            try context.save()
            try body(container.makeContext(), "\(type(of: store)), saved")
        }
    }

    private func expectOutOfRange<Figure>(
        _ place: Comment,
        naming name: String,
        _ body: () throws -> Figure
    ) {
        let error = #expect(throws: StoreError.self, place) { _ = try body() }
        #expect(error?.code == .outOfRange, place)
        #expect(error?.message.contains(name) == true, place)
    }

    @Test("a sum of whole numbers is exact, or refused where it does not fit")
    func wholeSums() throws {
        let counts = [Int.max, 1, -1]
        try withParcels({ $1.count = counts[$0] }) { context, place throws in
            // The sum of the first two alone would not fit.
            #expect(try context.sum(of: \Parcel.count) == .max, place)
            let positive = FetchRequest(Parcel.self, predicate: #Predicate { $0.count > 0 })
            expectOutOfRange(place, naming: "Parcel.count") {
                try context.sum(of: \Parcel.count, positive)
            }
            #expect(try context.average(of: \Parcel.count, positive) == 0x1p62, place)
        }
        try withParcels({ $1.number = $0 == 2 ? nil : .min }) { context, place throws in
            expectOutOfRange(place, naming: "Parcel.number") {
                try context.sum(of: \Parcel.number)
            }
            #expect(try context.average(of: \Parcel.number) == -0x1p63, place)
        }
    }

    @Test("small numbers have a sum that they themselves could not hold")
    func smallNumbers() throws {
        try withParcels({ ($1.tiny, $1.small) = (.max, .min) }) { context, place throws in
            #expect(try context.sum(of: \Parcel.tiny) == 765, place)
            #expect(try context.sum(of: \Parcel.small) == -384, place)
            #expect(try context.average(of: \Parcel.tiny) == 255, place)
            #expect(try context.maximum(of: \Parcel.small) == Int8.min, place)
        }
    }

    @Test("numbers that need the 64th bit are compared, sorted and summed exactly")
    func unsigned() throws {
        let sizes: [UInt64] = [.max - 1, 9, 1 << 63]
        try withParcels({ ($1.size, $1.pieces) = (sizes[$0], UInt(10 * $0)) }) {
            context,
            place throws in
            let request = FetchRequest(Parcel.self).sorted(by: \.size)
            #expect(try context.fetch(request).map(\.size) == [9, 1 << 63, .max - 1], place)
            let limit = UInt64(Int64.max)
            let large = FetchRequest(Parcel.self, predicate: #Predicate { $0.size ?? 0 > limit })
            #expect(try context.count(large) == 2, place)
            let some = [UInt64.max - 1, 9]
            let two = FetchRequest(
                Parcel.self,
                predicate: #Predicate { $0.size.flatMap { some.contains($0) } == true }
            )
            #expect(try context.count(two) == 2, place)
            #expect(try context.minimum(of: \Parcel.size) == UInt64(9), place)
            #expect(try context.maximum(of: \Parcel.size) == UInt64.max - 1, place)
            #expect(try context.sum(of: \Parcel.pieces) == 30, place)
            #expect(try context.average(of: \Parcel.pieces) == 10, place)
            #expect(try context.distinctValues(of: \Parcel.pieces) == [0, 10, 20], place)
            expectOutOfRange(place, naming: "Parcel.size") { try context.sum(of: \Parcel.size) }
            let least = request.limited(to: 2)
            #expect(try context.sum(of: \Parcel.size, least) == 1 << 63 + 9, place)
            let sum = #Predicate<Parcel> { $0.pieces + 1 > 5 }
            #expect(throws: UnsupportedPredicateError.self, place) {
                try context.count(FetchRequest(predicate: sum))
            }
        }
    }

    @Test("a sum of floating-point numbers is rounded once, or refused where it is no number")
    func realSums() throws {
        let weights: [Double] = [1e300, 1, -1e300]
        try withParcels({ $1.weight = weights[$0] }) { context, place throws in
            #expect(try context.sum(of: \Parcel.weight) == 1, place)
            #expect(try context.average(of: \Parcel.weight) == 1.0 / 3, place)
        }
        let infinities: [Double] = [.infinity, 1, -.infinity]
        try withParcels({ $1.weight = infinities[$0] }) { context, place throws in
            let some = FetchRequest(Parcel.self, predicate: #Predicate { $0.weight > 0 })
            #expect(try context.sum(of: \Parcel.weight, some) == Double.infinity, place)
            #expect(try context.maximum(of: \Parcel.weight) == Double.infinity, place)
            expectOutOfRange(place, naming: "sum of Parcel.weight") {
                try context.sum(of: \Parcel.weight)
            }
            expectOutOfRange(place, naming: "mean of Parcel.weight") {
                try context.average(of: \Parcel.weight)
            }
        }
    }

    @Test("texts, dates, bytes and enumerations have a least and a greatest value")
    func extremes() throws {
        let names = ["e\u{301}", "\u{E9}", "z"]
        try withParcels({ index, parcel in
            parcel.name = names[index]
            parcel.date = index == 0 ? nil : Date(timeIntervalSince1970: Double(-index))
            parcel.data = Data([UInt8(2 - index)])
            parcel.status = index == 2 ? .handedOut : .stored
        }) { context, place throws in
            let first = try context.minimum(of: \Parcel.name)
            #expect(first?.utf8.elementsEqual(names[0].utf8) == true, place)
            let last = try context.maximum(of: \Parcel.name)
            #expect(last?.utf8.elementsEqual(names[1].utf8) == true, place)
            #expect(try context.distinctValues(of: \Parcel.name).count == 3, place)
            #expect(try context.minimum(of: \Parcel.date) == Date(timeIntervalSince1970: -2), place)
            #expect(try context.maximum(of: \Parcel.data) == Data([2]), place)
            #expect(try context.maximum(of: \Parcel.status) == .handedOut, place)
            // To Swift, the first two are one.
            #expect(try context.counts(by: \Parcel.name) == ["\u{E9}": 2, "z": 1], place)
        }
    }

    @Test("are computed group by group")
    func groups() throws {
        try withParcels(
            { index, parcel in
                parcel.status = index < 3 ? .stored : .awaited
                parcel.number = index == 1 ? nil : Int64(index)
                parcel.price = index < 3 ? Double(index) / 10 : nil
            },
            count: 4
        ) { context, place throws in
            let sums = try context.sums(of: \Parcel.number, by: \.status)
            #expect(sums.map(\.key) == [.awaited, .stored], place)
            #expect(sums.map(\.sum) == [3, 2], place)
            let averages = try context.averages(of: \Parcel.price, by: \.status)
            #expect(averages.map(\.average) == [nil, (0.1 + 0.2) / 3], place)
            let extremes = try context.extremes(of: \Parcel.number, by: \.isOpen)
            #expect(extremes.map(\.key) == [nil], place)
            #expect(extremes.first?.extremes?.minimum == 0, place)
            #expect(extremes.first?.extremes?.maximum == 3, place)
            let prices = try context.extremes(of: \Parcel.price, by: \.status)
            #expect(prices.map { $0.extremes?.maximum } == [nil, 0.2], place)
        }
    }

    @Test("are of the objects that a limited request selects")
    func limited() throws {
        try withParcels({ ($1.count, $1.name) = ($0, "\(9 - $0)") }, count: 5) {
            context,
            place throws in
            let request = FetchRequest(Parcel.self).sorted(by: \.name).skipping(1).limited(to: 2)
            #expect(try context.sum(of: \Parcel.count, request) == 5, place)
            #expect(try context.distinctValues(of: \Parcel.count, request) == [2, 3], place)
            #expect(try context.minimum(of: \Parcel.count, request.limited(to: 0)) == nil, place)
            #expect(try context.exists(request), place)
            #expect(try !context.exists(request.limited(to: 0)), place)
            #expect(try !context.exists(request.skipping(5)), place)
            #expect(try context.exists(FetchRequest(Parcel.self).limited(to: 3)), place)
        }
    }

    @Test("of values whose kept form has another order are refused")
    func refused() throws {
        let model = try PredicateData.model()
        let parcel = model.entities[1]
        func column(_ name: String) throws -> Int {
            try #require(parcel.columns.firstIndex { $0.name == name })
        }
        let folder = try TemporaryFolder()
        for store in try PredicateTableTests.stores(folder) {
            try store.prepare(for: model)
            let query = StoreQuery(model: model, entity: parcel)
            for name in ["name", "data", "uuid", "shelf"] {
                for figure in [
                    StoreAggregate.Figure.sum(try column(name)), .average(try column(name)),
                ] {
                    let aggregate = StoreAggregate(query: query, figures: [figure])
                    let error = #expect(throws: UnsupportedPredicateError.self) {
                        try store.read { try $0.groups(of: aggregate) }
                    }
                    #expect(error?.expression == "the sum of Parcel.\(name)")
                }
            }
            let nothing = StoreAggregate(query: query, figures: [])
            #expect(
                try store.read { try $0.groups(of: nothing) } == [StoreGroup(key: [], figures: [])]
            )
        }
    }
}
