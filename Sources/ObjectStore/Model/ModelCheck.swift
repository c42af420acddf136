/// Combines descriptions of entities into a model and collects the mistakes in them.
struct ModelCheck {
    private(set) var problems: [String] = []
    private(set) var places: [PropertyPath: ManagedObjectModel.PropertyPlace] = [:]
    private(set) var indices: [ObjectIdentifier: Int] = [:]
    private let descriptions: [EntityDescription]

    init(_ descriptions: [EntityDescription]) {
        self.descriptions = descriptions
        checkNames()
        for (index, description) in descriptions.enumerated() {
            indices[ObjectIdentifier(description.type)] = index
            for (slot, keyPath) in description.slotKeyPaths.enumerated() {
                places[keyPath] = .slot(entity: index, slot: slot)
            }
        }
        placeRelationshipsToMany()
    }

    private mutating func checkNames() {
        var entityNames: Set<String> = []
        var types: Set<ObjectIdentifier> = []
        for description in descriptions {
            problems += description.problems
            let name = description.name
            if !Self.isName(name) { problems.append(Self.badName("entity", name)) }
            if ["objectstore", "sqlite_"].contains(where: name.lowercased().hasPrefix) {
                problems.append("\(name): names of stores themselves begin like that")
            }
            if !entityNames.insert(name.lowercased()).inserted {
                problems.append("two entities are named \(name)")
            }
            if !types.insert(ObjectIdentifier(description.type)).inserted {
                problems.append("\(name): another entity has the class \(description.type) too")
            }
            var names: Set<String> = ["id", "version"]
            for property in description.slots.map(\.name)
                + description.toMany.map(\.description.name)
            {
                if !Self.isName(property) {
                    problems.append("\(name): " + Self.badName("property", property))
                }
                if !names.insert(property.lowercased()).inserted {
                    problems.append("\(name).\(property): the name is taken or reserved")
                }
            }
            if Set(description.slotKeyPaths).count != description.slotKeyPaths.count {
                problems.append("\(name): a property is declared twice")
            }
        }
    }

    private static func badName(_ what: String, _ name: String) -> String {
        "\"\(name)\" is no name for a \(what): use letters, digits and _, and begin with a letter"
    }

    private static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, Self.isLetter(first) else { return false }
        return name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private mutating func placeRelationshipsToMany() {
        for description in descriptions {
            for (keyPath, relationship) in description.toMany {
                let name = "\(description.name).\(relationship.name)"
                guard case .slot(let entity, let slot) = places[relationship.inverse] else {
                    problems.append("\(name): its inverse is not described by the model")
                    continue
                }
                places[keyPath] = .members(entity: entity, slot: slot)
                guard case .toOne(let inverse) = descriptions[entity].slots[slot],
                    ObjectIdentifier(inverse.target) == ObjectIdentifier(description.type)
                else {
                    problems.append("\(name): its inverse does not lead to \(description.name)")
                    continue
                }
                if inverse.inverse != keyPath {
                    problems.append(
                        "\(name): \(descriptions[entity].name).\(inverse.name) names another inverse"
                    )
                }
            }
        }
    }

    mutating func entities() -> [ManagedObjectModel.Entity] {
        var incoming: [[(entity: Int, slot: Int, rule: DeleteRule)]] =
            descriptions.map { _ in [] }
        var columns: [[ManagedObjectModel.Column]] = []
        for (index, description) in descriptions.enumerated() {
            columns.append([])
            for (slot, property) in description.slots.enumerated() {
                switch property {
                case .attribute(let attribute):
                    check(attribute, in: description)
                    columns[index].append(.init(name: attribute.name, kind: .attribute(attribute)))
                case .toOne(let relationship):
                    let target = resolve(relationship, in: description, index, slot)
                    columns[index].append(
                        .init(
                            name: relationship.name,
                            kind: .reference(entity: target, isOptional: relationship.isOptional)
                        )
                    )
                    incoming[target].append((index, slot, relationship.deleteRule))
                }
            }
        }
        return descriptions.enumerated().map { index, description in
            let constraints = constraints(of: description)
            return ManagedObjectModel.Entity(
                index: index,
                name: description.name,
                columns: columns[index],
                constraints: constraints,
                compoundIndices: compoundIndices(of: description, besides: constraints),
                type: description.type,
                incoming: incoming[index],
                memberPlaces: description.toMany.compactMap { keyPath, _ in
                    guard case .members(let entity, let slot) = places[keyPath] else { return nil }
                    return MemberPlace(entity: entity, slot: slot)
                },
                rules: description.rules
            )
        }
    }

    private mutating func check(_ attribute: AttributeDescription, in entity: EntityDescription) {
        let name = "\(entity.name).\(attribute.name)"
        for problem in attribute.problems { problems.append("\(name): \(problem)") }
        if !attribute.isOrdered && [.maximum, .minimum].contains(attribute.combination) {
            problems.append("\(name): its values have no order in a store, so none is the greatest")
        }
        if attribute.textForm != .asAssigned && attribute.storage != .text {
            problems.append("\(name): its values are not texts, so they have no form of texts")
        }
        guard !attribute.defaultValue.isNull else { return }
        if let reason = attribute.defaultValue.reasonNotStorable {
            problems.append("\(name): its default \(reason)")
        }
        for violation in attribute.violations(attribute.defaultValue) ?? [
            ValidationFailure.unreadable
        ] {
            problems.append("\(name): its default \(violation)")
        }
    }

    private mutating func resolve(
        _ relationship: ToOneDescription,
        in entity: EntityDescription,
        _ index: Int,
        _ slot: Int
    ) -> Int {
        let name = "\(entity.name).\(relationship.name)"
        if let inverse = relationship.inverse {
            if let place = places[inverse] {
                if place != .members(entity: index, slot: slot) {
                    problems.append("\(name): its inverse does not lead back to it")
                }
            } else {
                problems.append("\(name): its inverse is not described by the model")
            }
        }
        guard let target = indices[ObjectIdentifier(relationship.target)] else {
            problems.append("\(name): \(relationship.target) is not an entity of the model")
            return 0
        }
        return target
    }

    private mutating func constraints(of description: EntityDescription) -> [[Int]] {
        var known: Set<[Int]> = []
        return description.constraintKeyPaths.compactMap { keyPaths in
            let slots = slots(of: keyPaths, "a uniqueness constraint", description)
            guard let slots else { return nil }
            if Set(slots).count < slots.count || !known.insert(slots).inserted {
                let names = slots.map { description.slots[$0].name }.joined(separator: ", ")
                problems.append(
                    "\(description.name): a uniqueness constraint over \(names) is declared twice, or "
                        + "names one twice"
                )
            }
            return slots
        }
    }

    private mutating func compoundIndices(
        of description: EntityDescription,
        besides constraints: [[Int]]
    ) -> [[Int]] {
        var known = Set(constraints)
        return description.indexKeyPaths.compactMap { keyPaths in
            guard let slots = slots(of: keyPaths, "an index", description) else { return nil }
            let names = slots.map { description.slots[$0].name }.joined(separator: ", ")
            if slots.count < 2 {
                problems.append(
                    "\(description.name): an index over \(names) alone is declared with the "
                        + "property, or made anyway for a relationship"
                )
            } else if Set(slots).count < slots.count {
                problems.append("\(description.name): an index over \(names) names one twice")
            } else if !known.insert(slots).inserted {
                problems.append(
                    "\(description.name): an index over \(names) is there already, declared or for "
                        + "a uniqueness constraint"
                )
            }
            return slots
        }
    }

    /// The slots of properties, or nil if one has no slot in the entity.
    private mutating func slots(
        of keyPaths: [PropertyPath],
        _ what: String,
        _ description: EntityDescription
    ) -> [Int]? {
        let slots = keyPaths.compactMap { description.places[$0.keyPath] }
        if slots.count == keyPaths.count && !slots.isEmpty { return slots }
        problems.append(
            "\(description.name): \(what) may name its own attributes and to-one relationships only"
        )
        return nil
    }

    /// Orders the entities so that the targets of references in a constraint come before its entity.
    mutating func constraintOrder(of entities: [ManagedObjectModel.Entity]) -> [Int] {
        var order: [Int] = []
        var isVisiting: Set<Int> = []
        func visit(_ index: Int, problems: inout [String]) {
            if order.contains(index) { return }
            guard isVisiting.insert(index).inserted else {
                problems.append(
                    "\(entities[index].name): its uniqueness constraints refer to one another in a circle"
                )
                return
            }
            for slot in Set(entities[index].constraints.joined()).sorted() {
                if case .reference(let target, _) = entities[index].columns[slot].kind {
                    visit(target, problems: &problems)
                }
            }
            isVisiting.remove(index)
            if !order.contains(index) { order.append(index) }
        }
        for index in entities.indices { visit(index, problems: &problems) }
        return order
    }
}
