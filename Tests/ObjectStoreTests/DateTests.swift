import Foundation
import ObjectStore
import SeededRandom
import StoreTesting
import Testing

@Suite("A date reads back equal")
struct DateTests {
    /// Dates of all magnitudes, those that a clock gives, and the ends of what there is.
    private static func dates() -> [Date] {
        var random = SeededGenerator(seed: 0xDA7E)
        func any(upTo limit: Double) -> Date {
            let fraction = Double(random.next() >> 11) / 0x1p53
            return Date(timeIntervalSinceReferenceDate: (2 * fraction - 1) * limit)
        }
        let clock = (0..<200).map { _ in Date() }
        let limits = [1e-6, 1, 1e3, 1e6, 1e9, 7e10, 1e15]
        let other: [Date] = [
            .distantPast, .distantFuture, Date(timeIntervalSince1970: 0),
            Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: -0.0),
            Date(timeIntervalSinceReferenceDate: .leastNonzeroMagnitude),
            Date(timeIntervalSinceReferenceDate: .greatestFiniteMagnitude),
            Date(timeIntervalSinceReferenceDate: .infinity),
        ]
        return clock + other + limits.flatMap { limit in (0..<100).map { _ in any(upTo: limit) } }
    }

    @Test("of any magnitude, and is found by it", arguments: TestStore.allCases)
    func roundTrip(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let dates = Self.dates()
            for (index, date) in dates.enumerated() {
                let sample = Sample(context: context)
                sample.name = "\(index)"
                sample.date = date
                #expect(sample.date == date)
            }
            try context.save()
            let other = container.makeContext()
            let samples = try other.fetch(FetchRequest(Sample.self))
            #expect(samples.map(\.date) == dates)
            for (index, date) in dates.enumerated().filter({ $0.offset.isMultiple(of: 37) }) {
                let found = try other.fetch(FetchRequest(Sample.self).where(\.date, is: date))
                #expect(found.contains { $0.name == "\(index)" })
                let predicate = #Predicate<Sample> { $0.date == date }
                let same = try other.fetch(FetchRequest(Sample.self, predicate: predicate))
                #expect(same == found)
            }
            // The history has the same dates.
            let later = dates[0] + 1
            samples[0].date = later
            try other.save()
            let property = try container.history(after: nil).last?.changes.first?.properties.first
            #expect(property?.before == dates[0].attributeValue)
            #expect(property.map { Date(attributeValue: $0.after) } == later)
        }
    }
}
