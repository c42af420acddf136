internal import Foundation
internal import ObjectStore

/// Tells what changes have done to bags.
struct ChangeWords {
    private let context: ManagedObjectContext
    private let luggage: Int?
    private let passenger: Int?
    /// The names of passengers who are not on record any more.
    private var names: [ObjectID: String] = [:]

    init(_ log: ChangeLog, in context: ManagedObjectContext) {
        self.context = context
        func index(_ name: String) -> Int? {
            context.model.entities.first { $0.name == name }?.index
        }
        luggage = index("Luggage")
        passenger = index("Passenger")
        for standing in log.standings.values {
            for change in standing.last.changes
            where change.kind == .deleted && change.id.entity == passenger {
                let values = Dictionary(
                    change.properties.map { ($0.name, $0.before) },
                    uniquingKeysWith: { first, _ in first }
                )
                if case .text(let given) = values["givenName"],
                    case .text(let family) = values["familyName"]
                {
                    names[change.id] = "\(given)/\(family)"
                }
            }
        }
    }

    /// What an entry says, or nil where it is none that people know.
    func change(_ entry: ChangeLog.Entry, isUndone: Bool) throws -> RecordChange? {
        guard entry.isUndoable, let save = entry.saves.last else { return nil }
        var kind = RecordChange.Kind.scan
        var scan: Scan?
        var correction: Correction?
        switch entry.origin {
        case .scan(let id, _): scan = try context.existingObject(Scan.self, id: id)
        case .correction(let id, let made, _):
            correction = try context.existingObject(Correction.self, id: id)
            kind = made == .file ? .file : made == .dismiss ? .dismiss : .edit
            let kept = save.changes.first { $0.kind == .inserted && $0.id != id }
            scan = try kept.flatMap { try context.existingObject(Scan.self, id: $0.id) }
        case .other: return nil
        }
        let told = scan.flatMap { try? TagDecoder().contents(of: Array($0.payload)).identifier }
        let bag = correction?.identifier ?? scan?.luggage?.identifier ?? told
        if bag == nil { return nil }
        return try RecordChange(
            number: entry.number,
            kind: kind,
            bag: kind == .dismiss ? nil : bag,
            date: correction?.madeAt ?? save.date,
            author: save.author ?? "",
            reason: correction.flatMap { $0.reason.isEmpty ? nil : $0.reason },
            point: scan?.point ?? correction?.point,
            picture: kind == .scan ? scan?.imageName : correction?.imageName,
            isNewBag: entry.changes.contains {
                $0.id.entity == luggage && $0.kind == .inserted
            },
            details: details(entry),
            isUndone: isUndone
        )
    }

    /// What became of the properties of the bag, all saves together.
    private func details(_ entry: ChangeLog.Entry) throws -> [RecordChange.Detail] {
        var net: [String: (before: AttributeValue, after: AttributeValue)] = [:]
        for change in entry.changes
        where change.id.entity == luggage && change.kind == .updated {
            for property in change.properties {
                net[property.name] = (
                    net[property.name]?.before ?? property.before, property.after
                )
            }
        }
        return try net.filter { $0.value.before != $0.value.after }.sorted { $0.key > $1.key }.map {
            RecordChange.Detail(
                property: $0,
                before: try value($1.before, of: $0),
                after: try value($1.after, of: $0)
            )
        }
    }

    private func value(_ value: AttributeValue, of name: String) throws -> RecordChange.Value? {
        switch value {
        case .real(let number):
            return name == "weight"
                ? .weight(Float(number)) : .time(Date(timeIntervalSince1970: number))
        case .reference(let id):
            let passenger = try context.existingObject(Passenger.self, id: id)
            return .owner(passenger?.name.description ?? names[id] ?? "?")
        default: return nil
        }
    }
}
