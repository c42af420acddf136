import Foundation
import ObjectStore
import SeededRandom

/// Random expressions on the rows of a model, each of the type that is asked for, as predicates
/// have them: whole numbers, floating-point numbers, text and bytes are never mixed.
struct RandomExpressions {
    let model: ManagedObjectModel
    var random: SeededGenerator

    /// Keys that only rows of the beginning have: later ones differ from store to store.
    private static let keys: [Int64] = [1, 2, 3, 4]

    mutating func query() -> (query: StoreQuery, depth: Int) {
        let entity = model.entities[random.number(below: model.entities.count)]
        let depth = random.number(below: 4)
        let query = StoreQuery(
            model: model,
            entity: entity,
            filter: random.number(below: 20) == 0 ? nil : condition(entity.index, depth),
            order: (0..<random.number(below: 3)).map { _ in
                StoreOrder(
                    column: random.number(below: entity.columns.count),
                    isDescending: random.number(below: 2) == 0
                )
            },
            offset: random.number(below: 3) == 0 ? random.number(below: 6) : 0,
            limit: random.number(below: 3) == 0 ? random.number(below: 8) : nil
        )
        return (query, depth)
    }

    /// Figures about the rows of a random query, group by group or about all of them.
    mutating func aggregate() -> StoreAggregate {
        var query = query().query
        // Sums that do not fit are of many rows.
        let isWide = random.number(below: 3) == 0
        let widest = model.entities.max { $0.columns.count < $1.columns.count }
        if isWide { query = StoreQuery(model: model, entity: widest ?? query.entity) }
        let columns = query.entity.columns
        let grouping = (0..<random.number(below: 3)).map { _ in random.number(below: columns.count)
        }
        let figures = (0..<random.number(below: isWide ? 7 : 4)).map { _ -> StoreAggregate.Figure in
            let column = random.number(below: columns.count)
            guard [.integer, .unsigned, .real].contains(columns[column].storage) else {
                return pick([.count, .minimum(column), .maximum(column)])
            }
            return pick([.minimum(column), .maximum(column), .sum(column), .average(column)])
        }
        return StoreAggregate(query: query, grouping: grouping, figures: figures)
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[random.number(below: values.count)]
    }

    // MARK: Conditions

    private mutating func condition(_ entity: Int, _ depth: Int) -> StoreExpression {
        guard depth > 0 else { return simpleCondition(entity) }
        let below = depth - 1
        switch random.number(below: 14) {
        case 0: return .and(condition(entity, below), condition(entity, below))
        case 1: return .or(condition(entity, below), condition(entity, below))
        case 2: return .not(condition(entity, below))
        case 3: return .equal(condition(entity, below), condition(entity, below))
        case 4: return .coalesce(condition(entity, below), condition(entity, below))
        case 5:
            return .choose(
                condition(entity, below),
                condition(entity, below),
                condition(entity, below)
            )
        case 6: return .whenPresent(anything(entity, below), condition(entity, below))
        case 7: return related(entity) { $0.condition($1, below) } ?? simpleCondition(entity)
        case 8:
            guard let members = count(entity, below) else { return simpleCondition(entity) }
            return .less(.constant(.integer(0)), members)
        case 9: return .hasPrefix(value(.text, entity, below), value(.text, entity, below))
        case 10: return .contains(value(.text, entity, below), value(.text, entity, below))
        case 11:
            let storage = pick([AttributeStorage.integer, .unsigned, .real, .date, .text, .data])
            let options = (0..<random.number(below: 4)).map { _ in constant(storage) }
            return .isOneOf(value(storage, entity, below), Set(options))
        case 12:
            let storage = pick([AttributeStorage.integer, .unsigned, .real, .date, .text, .data])
            return .equal(value(storage, entity, below), value(storage, entity, below))
        default:
            let storage = pick([AttributeStorage.integer, .unsigned, .real, .date, .text])
            let (a, b) = (value(storage, entity, below), value(storage, entity, below))
            return random.number(below: 2) == 0 ? .less(a, b) : .lessOrEqual(a, b)
        }
    }

    private mutating func simpleCondition(_ entity: Int) -> StoreExpression {
        let storage = pick([AttributeStorage.integer, .unsigned, .real, .date, .text, .data])
        switch random.number(below: 8) {
        case 0: return .equal(anything(entity, 0), .constant(.null))
        case 1: return .equal(.key, reference(entity))
        case 2:
            return .isOneOf(.key, Set((0..<3).map { _ in AttributeValue.reference(id(entity)) }))
        case 3:
            guard let (column, target) = references(from: entity).randomElement(using: &random)
            else { return .always }
            return .equal(.related(column: column, .key), reference(target))
        case 4: return .hasPrefix(value(.text, entity, 0), constantText())
        case 5: return .contains(value(.text, entity, 0), constantText())
        case 6: return .less(value(storage, entity, 0), .constant(constant(storage)))
        default: return .equal(value(storage, entity, 0), .constant(constant(storage)))
        }
    }

    // MARK: Values

    private mutating func anything(_ entity: Int, _ depth: Int) -> StoreExpression {
        switch random.number(below: 6) {
        case 0:
            guard let (column, _) = references(from: entity).randomElement(using: &random)
            else { return .key }
            return .related(column: column, .key)
        case 1: return condition(entity, depth)
        default:
            return value(pick([.integer, .unsigned, .real, .date, .text, .data]), entity, depth)
        }
    }

    private mutating func value(
        _ storage: AttributeStorage,
        _ entity: Int,
        _ depth: Int
    ) -> StoreExpression {
        guard depth > 0 else { return column(storage, entity) ?? .constant(constant(storage)) }
        let below = depth - 1
        switch random.number(below: 9) {
        case 0: return .constant(constant(storage))
        case 1: return .coalesce(value(storage, entity, below), value(storage, entity, below))
        case 2: return .whenPresent(anything(entity, below), value(storage, entity, below))
        case 3:
            return .choose(
                condition(entity, below),
                value(storage, entity, below),
                value(storage, entity, below)
            )
        case 4, 5:
            return related(entity) { $0.value(storage, $1, below) } ?? value(storage, entity, 0)
        case 6, 7:
            guard storage == .integer || storage == .real else { return value(storage, entity, 0) }
            let (a, b) = (value(storage, entity, below), value(storage, entity, below))
            return pick([.sum(a, b), .difference(a, b), .product(a, b)])
        default:
            if storage == .integer, let count = count(entity, below) { return count }
            return value(storage, entity, 0)
        }
    }

    private mutating func column(_ storage: AttributeStorage, _ entity: Int) -> StoreExpression? {
        let columns = model.entities[entity].columns
        return columns.indices.filter { index in
            if case .attribute(let attribute) = columns[index].kind {
                attribute.storage == storage
            } else {
                false
            }
        }
        .randomElement(using: &random).map { .column($0) }
    }

    private mutating func constantText() -> StoreExpression { .constant(constant(.text)) }

    private mutating func constant(_ storage: AttributeStorage) -> AttributeValue {
        switch storage {
        case .integer: .integer(pick(PredicateData.wholes))
        case .unsigned: pick(PredicateData.unsigned).attributeValue
        case .real: .real(pick(PredicateData.reals))
        case .date: .real(pick(PredicateData.reals.filter(\.isFinite)))
        case .text: .text(pick(PredicateData.texts))
        case .data: .data(pick(PredicateData.bytes))
        }
    }

    // MARK: Relationships

    private mutating func id(_ entity: Int) -> ObjectID {
        ObjectID(entity: entity, key: pick(Self.keys))
    }

    private mutating func reference(_ entity: Int) -> StoreExpression {
        .constant(.reference(id(entity)))
    }

    private func references(from entity: Int) -> [(column: Int, target: Int)] {
        model.entities[entity].columns.enumerated().compactMap { column, description in
            if case .reference(let target, _) = description.kind { (column, target) } else { nil }
        }
    }

    private mutating func related(
        _ entity: Int,
        _ inner: (inout Self, Int) -> StoreExpression
    ) -> StoreExpression? {
        guard let (column, target) = references(from: entity).randomElement(using: &random)
        else { return nil }
        return .related(column: column, inner(&self, target))
    }

    private mutating func count(_ entity: Int, _ depth: Int) -> StoreExpression? {
        let relationships = model.entities.indices.flatMap { members in
            references(from: members).filter { $0.target == entity }.map { (members, $0.column) }
        }
        guard let (members, column) = relationships.randomElement(using: &random) else {
            return nil
        }
        return .count(entity: members, column: column, where: condition(members, depth))
    }
}
