internal import FoundationEssentials
internal import ObjectStore

// The changes of one save as bytes: a few for each object, so that the history stays small.
// Entities and properties are stored by name, once per save, so that the history stays readable
// when the model changes. Integers are stored in groups of seven bits, lowest first; those that may
// be negative are zigzag-coded (0, -1, 1, -2 …) first. Version 1 counts dates from 1970, version 2 from
// 2001.

/// Writes the changes of one save.
struct HistoryEncoder {
    private let model: ManagedObjectModel
    /// The properties whose dates are counted from 1970.
    private let olderDates: [String: Set<String>]
    private var names: [String] = []
    private var bytes: [UInt8] = []

    private init(_ model: ManagedObjectModel, _ dates: StoredDates) {
        self.model = model
        olderDates = dates == .since1970 ? model.dateProperties : [:]
    }

    /// The changes as bytes.
    static func encode(
        _ changes: [HistoryChange],
        in model: ManagedObjectModel,
        _ dates: StoredDates
    ) -> [UInt8] {
        var encoder = HistoryEncoder(model, dates)
        // Enough for most: a kind, and an entity with a key.
        encoder.bytes.reserveCapacity(16 * (changes.count + 1))
        encoder.write(changes)
        let body = encoder.bytes
        encoder.bytes = []
        encoder.bytes.reserveCapacity(body.count + 64)
        encoder.bytes.append(dates == .since1970 ? 1 : 2)
        encoder.write(encoder.names.count)
        for name in encoder.names { encoder.write(text: name) }
        encoder.bytes += body
        return encoder.bytes
    }

    private mutating func write(_ changes: [HistoryChange]) {
        write(changes.count)
        for change in changes {
            bytes.append(change.kind.rawValue)
            write(change.id)
            if change.kind == .inserted { continue }
            write(change.properties.count)
            let olderDates = olderDates[model.entities[change.id.entity].name] ?? []
            for property in change.properties {
                let isOlderDate = olderDates.contains(property.name)
                write(name: property.name)
                write(property.before, isOlderDate)
                if change.kind == .updated { write(property.after, isOlderDate) }
            }
        }
    }

    private mutating func write(_ value: AttributeValue, _ isOlderDate: Bool) {
        switch value {
        case .null, .invalid: bytes.append(0)
        case .integer(let number):
            bytes.append(1)
            write(folded: number)
        case .real(var number):
            if isOlderDate { number += StoredDates.difference }
            bytes.append(2)
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> shift))
            }
        case .text(let text):
            bytes.append(3)
            write(text: text)
        case .data(let data):
            bytes.append(4)
            write(data.count)
            bytes += data
        case .reference(let id):
            bytes.append(5)
            write(id)
        }
    }

    private mutating func write(_ id: ObjectID) {
        write(name: model.entities[id.entity].name)
        write(folded: id.key)
    }

    private mutating func write(name: String) {
        // Few enough to look through, which costs less than hashing one.
        let place = names.firstIndex(of: name)
        write(place ?? names.count)
        if place == nil { names.append(name) }
    }

    private mutating func write(text: String) {
        write(text.utf8.count)
        bytes += text.utf8
    }

    private mutating func write(folded number: Int64) {
        write(UInt64(bitPattern: number << 1 ^ number >> 63))
    }

    private mutating func write(_ count: Int) {
        write(UInt64(count))
    }

    private mutating func write(_ number: UInt64) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

/// Decodes the changes of one save; damaged bytes give nil, never a crash.
struct HistoryDecoder {
    private struct Malformed: Error {}

    private let model: ManagedObjectModel?
    private let entities: [String: Int]
    private let bytes: [UInt8]
    private var position = 0
    private var names: [String] = []
    /// The properties whose dates are counted from 1970.
    private var olderDates: [String: Set<String>] = [:]

    private init(_ data: Data, _ model: ManagedObjectModel?, _ entities: [String: Int]) {
        bytes = Array(data)
        self.model = model
        self.entities = entities
    }

    /// The changes in the bytes, and whether there are any, or nil if these are damaged.
    ///
    /// Changes of entities that are not in the model are left out.
    static func decode(
        _ data: Data,
        in model: ManagedObjectModel?,
        entities: [String: Int]
    ) -> (changes: [HistoryChange], isComplete: Bool)? {
        var decoder = HistoryDecoder(data, model, entities)
        return try? decoder.changes()
    }

    private mutating func changes() throws -> (changes: [HistoryChange], isComplete: Bool) {
        switch try byte() {
        case 1: olderDates = model?.dateProperties ?? [:]
        case 2: break
        default: throw Malformed()
        }
        for _ in 0..<(try count()) { names.append(try text()) }
        var changes: [HistoryChange] = []
        let count = try count()
        for _ in 0..<count {
            guard let kind = HistoryChange.Kind(rawValue: try byte()) else { throw Malformed() }
            let entity = try name()
            let id = id(of: entity, key: try folded())
            let properties = kind == .inserted ? [] : try properties(kind, entity)
            if let id {
                changes.append(HistoryChange(id: id, kind: kind, properties: properties))
            }
        }
        guard position == bytes.count else { throw Malformed() }
        return (changes, count > 0)
    }

    private mutating func properties(
        _ kind: HistoryChange.Kind,
        _ entity: String
    ) throws -> [HistoryChange.Property] {
        var properties: [HistoryChange.Property] = []
        for _ in 0..<(try count()) {
            let name = try name()
            let isOlderDate = olderDates[entity]?.contains(name) ?? false
            let before = try value(isOlderDate)
            let after = kind == .updated ? try value(isOlderDate) : .null
            properties.append(HistoryChange.Property(name: name, before: before, after: after))
        }
        return properties
    }

    private mutating func value(_ isOlderDate: Bool) throws -> AttributeValue {
        switch try byte() {
        case 0: return .null
        case 1: return .integer(try folded())
        case 2:
            var bits: UInt64 = 0
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                bits |= UInt64(try byte()) << shift
            }
            let number = Double(bitPattern: bits)
            return .real(isOlderDate ? number - StoredDates.difference : number)
        case 3: return .text(try text())
        case 4: return .data(Data(try slice()))
        case 5:
            let entity = try name()
            return id(of: entity, key: try folded()).map { .reference($0) } ?? .null
        default: throw Malformed()
        }
    }

    /// An identity, or nil if its entity is not in the model.
    private func id(of entity: String, key: Int64) -> ObjectID? {
        entities[entity].map { ObjectID(entity: $0, key: key) }
    }

    private mutating func name() throws -> String {
        let place = try number()
        guard place < UInt64(names.count) else { throw Malformed() }
        return names[Int(place)]
    }

    private mutating func text() throws -> String {
        String(decoding: try slice(), as: UTF8.self)
    }

    private mutating func slice() throws -> ArraySlice<UInt8> {
        let size = try count()
        defer { position += size }
        return bytes[position..<position + size]
    }

    private mutating func folded() throws -> Int64 {
        let number = try number()
        return Int64(bitPattern: number >> 1 ^ (0 &- (number & 1)))
    }

    /// A count of items of at least one byte each, so at most the number of remaining bytes.
    private mutating func count() throws -> Int {
        let number = try number()
        guard number <= UInt64(bytes.count - position) else { throw Malformed() }
        return Int(number)
    }

    private mutating func number() throws -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let byte = try byte()
            number |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return number }
        }
        throw Malformed()
    }

    private mutating func byte() throws -> UInt8 {
        guard position < bytes.count else { throw Malformed() }
        defer { position += 1 }
        return bytes[position]
    }
}
