import Foundation
import LuggageTags
import ObjectStore
import SeededRandom
import TagReading

/// Random records of stations that know some of the same bags.
struct StationStores {
    var generator: SeededGenerator

    init(seed: Int) {
        generator = SeededGenerator(seed: UInt64(seed))
    }

    mutating func number(_ bound: Int) -> Int { generator.number(below: bound) }

    mutating func choice<Value>(_ values: [Value]) -> Value { values[number(values.count)] }

    private mutating func id() -> String { "F432BDB8-D84F-4461-8362-AFF89F6C49\(10 + number(6))" }

    private mutating func owner() -> [String]? {
        choice([
            ["D", "ZMU"], ["E", "ZMU"], ["=", "+1"], nil,
            // Spellings of two names.
            ["\u{C9}", "M\u{DC}L"], ["E\u{301}", "MU\u{308}L"], ["D", "\u{674E}"],
            ["D", "\u{F9E1}"],
        ])
    }

    private mutating func date() -> Date {
        let second = Double(1_000_000 + number(8))
        return Date(timeIntervalSince1970: number(3) == 0 ? second + generator.unit() : second)
    }

    /// A picture that stations may have in common, with whatever it gives.
    private mutating func picture(of station: String) -> ReadPicture {
        // Stations see the same pictures, and some have the same name.
        let picture = number(8)
        var payloads = [[UInt8]]()
        for _ in 0..<choice([0, 1, 1, 1, 2]) {
            // Some weights are the same but for rounding.
            let weight = choice(["40", "41", "42", "\"19.05 kg\"", "42.04", nil])
            let text = payload(id(), owner: owner(), weight: weight)
            payloads.append(choice([Array(text.utf8), Array(text.utf8), [0xFF, 0, 0x0D]]))
        }
        return ReadPicture(
            name: choice(["a.png", "=b.png", "new\nline.png", "\u{1B}\r.png", "\"c\", d.png"]),
            digest: number(6) == 0 ? nil : "digest \(picture)",
            reading: number(6) == 0
                ? .failure(ReadError(.timedOut, "it took too long"))
                : .success(.of(payloads)),
            point: choice(Point.builtIn),
            station: choice([station, "gate", "t\u{F6}r", "to\u{308}r"]),
            date: date()
        )
    }

    /// Puts a bag on record, or more of one, that nobody has scanned here.
    private mutating func insertBag(into context: ManagedObjectContext) throws {
        guard let id = UUID(uuidString: id()) else { return }
        let known = try context.fetch(FetchRequest(Luggage.self).where(\.identifier, is: id))
        if known.contains(where: { !$0.scans.isEmpty }) { return }
        let luggage = Luggage(context: context)
        luggage.identifier = id
        luggage.weight = choice([40, 41, 42, 43, 41.96, 42.04, nil])
        if let names = owner() {
            let name = PassengerName(givenName: names[0], familyName: names[1])
            let passenger = Passenger(context: context)
            passenger.givenName = name.givenName
            passenger.familyName = name.familyName
            luggage.owner = passenger
        }
        if number(2) == 0 { luggage.departedAt = date() }
        try context.save()
    }

    /// Puts something on record.
    mutating func fill(_ container: PersistentContainer, as station: String) throws {
        let recorder = ScanRecorder(container: container)
        for _ in 0..<number(12) {
            if number(5) == 0 {
                try insertBag(into: container.makeContext())
            } else {
                let picture = picture(of: station)
                // A picture may be named twice in one command.
                for _ in 0...number(2) { _ = try recorder.record(picture) }
            }
        }
        // What nobody has scanned becomes a fact too.
        try RecordCheckup(container: container).settle()
    }
}

extension PersistentContainer {
    /// All that is on record, or a part of it, as a file.
    func exported(
        as format: ExchangeFormat = .json,
        _ selection: ExportSelection = .everything
    ) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let exporter = StoreExporter(container: self, selection: selection)
        _ = try exporter.export(as: format) { bytes += $0 }
        return bytes
    }

    /// Merges a file.
    @discardableResult
    func importing(
        _ bytes: [UInt8],
        format: ExchangeFormat? = nil,
        policy: ImportPolicy = .objectTrump,
        partial: Bool = false,
        chunk: Int = .max
    ) throws -> ImportReport {
        var rest = bytes[...]
        let importer = StoreImporter(container: self, policy: policy, isPartial: partial)
        return try importer.run(format: format) {
            defer { rest = rest.dropFirst(chunk) }
            return Array(rest.prefix(chunk))
        }
    }

    @discardableResult
    func importing(
        _ text: String,
        format: ExchangeFormat? = nil,
        policy: ImportPolicy = .objectTrump,
        partial: Bool = false
    ) throws -> ImportReport {
        try importing(Array(text.utf8), format: format, policy: policy, partial: partial)
    }
}

/// Makes an empty record in memory.
func emptyRecord() throws -> PersistentContainer {
    try PersistentContainer(model: LuggageModel.make(), store: InMemoryStore())
}
