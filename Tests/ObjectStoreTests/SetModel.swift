import ObjectStore

/// What a store is to hold, as sets of values: no objects, no contexts, no versions.
struct SetModel: Equatable, CustomStringConvertible {
    typealias Slot = SetHistory.Slot
    typealias Values = SetHistory.Values

    /// What each bag has, by its tag.
    private(set) var bags: [Int: Values] = [:]
    private(set) var passengers: Set<Int> = []
    /// The numbers of seals, by the tag of their bag.
    private(set) var seals: [Int: Set<Int>] = [:]

    /// A save that is refused, and changes nothing.
    struct Refusal: Error {}

    init() {}

    init(bags: [Int: Values], passengers: Set<Int>, seals: [Int: Set<Int>]) {
        (self.bags, self.passengers, self.seals) = (bags, passengers, seals)
    }

    /// Does what a deed does, up to the save that is refused.
    mutating func perform(_ deed: SetHistory.Deed, _ policy: MergePolicy) throws {
        switch deed {
        case .insert(let tag, let values):
            try insert(values, at: tag, policy, owners: [values])
        case .insertTwice(let tag, let first, let second):
            let both = try merged(first, second, policy)
            try insert(both, at: tag, policy, owners: [first, second])
        case .edit(let tag, let values):
            guard let bag = bags[tag] else { return }
            try put(bag.assigned(known(values)), at: tag)
        case .editMeanwhile(let tag, let theirs, let mine):
            guard let read = bags[tag] else { return }
            try put(read.assigned(known(theirs)), at: tag)
            try put(settled(known(mine), read: read, policy, at: tag), at: tag)
        case .rename(let tag, let other):
            guard let bag = bags[tag], tag != other else { return }
            if bags[other] != nil { throw Refusal() }
            (bags[tag], bags[other]) = (nil, bag)
            (seals[tag], seals[other]) = (nil, seals[tag])
        case .swap(let tag, let other):
            guard let bag = bags[tag], let second = bags[other] else { return }
            let numbers = (seals[tag], seals[other])
            (bags[tag], bags[other]) = (second, bag)
            (seals[other], seals[tag]) = numbers
        case .seal(let tag, let number):
            guard bags[tag] != nil else { return }
            if policy.refuses, seals[tag]?.contains(number) == true { throw Refusal() }
            seals[tag, default: []].insert(number)
        case .delete(let tag):
            remove(tag)
        case .deleteMeanwhile(let tag, let mine):
            guard let read = bags[tag] else { return }
            remove(tag)
            if policy.refuses { throw Refusal() }
            // It is inserted again, without what was deleted with it.
            if !policy.keepsStored { try put(read.assigned(known(mine)), at: tag) }
        case .deleteWhatTheyEdit(let tag, let theirs):
            guard let read = bags[tag] else { return }
            try put(read.assigned(known(theirs)), at: tag)
            if policy.refuses { throw Refusal() }
            if !policy.keepsStored { remove(tag) }
        case .deleteAndInsert(let tag, let values):
            guard bags[tag] != nil else { return }
            var after = self
            after.remove(tag)
            try after.insert(values, at: tag, policy, owners: [values])
            self = after
        case .deletePassenger(let name):
            passengers.remove(name)
            for (tag, bag) in bags where bag[.owner] == .some(name) {
                bags[tag]?[.owner] = .some(nil)
            }
        }
    }

    /// Inserts a bag, and the passengers that its save inserts with it.
    private mutating func insert(
        _ values: Values,
        at tag: Int,
        _ policy: MergePolicy,
        owners: [Values]
    ) throws {
        let names = owners.compactMap { $0[.owner] ?? nil }
        let stored = bags[tag]
        if policy.refuses, stored != nil || !passengers.isDisjoint(with: names) { throw Refusal() }
        let new = Values.unassigned.assigned(values)
        let bag =
            switch policy {
            case .overwrite: new
            case .rollback: stored ?? new
            default: stored?.merging(values) { policy.choice($0, $1, isTaken: $0 != nil) } ?? new
            }
        let combined = policy.combines ? stored.map { bag.combined($0, values) } : nil
        try put(combined ?? bag, at: tag)
        passengers.formUnion(names)
    }

    /// What two bags of one save are together.
    private func merged(_ first: Values, _ second: Values, _ policy: MergePolicy) throws -> Values {
        switch policy {
        case .error: throw Refusal()
        case .overwrite: return second
        case .rollback: return first
        default:
            return first.merging(second) { policy.choice($0, $1, isTaken: true) }
                .combined(first, second)
        }
    }

    /// What an edit of a bag makes of it that somebody else has edited meanwhile.
    private func settled(
        _ mine: Values,
        read: Values,
        _ policy: MergePolicy,
        at tag: Int
    ) throws -> Values {
        guard let stored = bags[tag], !policy.refuses else { throw Refusal() }
        switch policy {
        case .overwrite: return read.assigned(mine)
        case .rollback: return stored
        default:
            var bag = stored
            for (slot, value) in mine {
                let isTheirs = stored[slot] != read[slot]
                bag[slot] =
                    !isTheirs
                    ? value
                    : Slot.combined(slot, stored[slot] ?? nil, value)
                        ?? policy.choice(stored[slot] ?? nil, value, isTaken: true)
            }
            return bag
        }
    }

    /// Stores a bag, which must have a weight that is not negative.
    private mutating func put(_ bag: Values, at tag: Int) throws {
        guard let weight = bag[.weight] ?? nil, weight >= 0 else { throw Refusal() }
        bags[tag] = bag
    }

    private mutating func remove(_ tag: Int) {
        bags[tag] = nil
        seals[tag] = nil
    }

    /// The values with an owner only if it is on record.
    private func known(_ values: Values) -> Values {
        var values = values
        if let owner = values[.owner] ?? nil, !passengers.contains(owner) {
            values[.owner] = .some(nil)
        }
        return values
    }

    var description: String {
        let lines = bags.sorted { $0.key < $1.key }.map { tag, bag in
            let words = Slot.allCases.map { slot in
                "\(slot) \((bag[slot] ?? nil).map(String.init) ?? "-")"
            }
            return "T\(tag): \(words.joined(separator: ", "))"
        }
        return (lines + ["passengers \(passengers.sorted())", "seals \(seals)"])
            .joined(separator: "\n")
    }
}

extension [SetHistory.Slot: Int?] {
    /// What a bag has to which nothing was assigned.
    fileprivate static var unassigned: Self {
        var values: Self = [:]
        for slot in Key.allCases { values[slot] = .some(slot == .priority ? 3 : nil) }
        return values
    }

    fileprivate func assigned(_ values: Self) -> Self { merging(values) { $1 } }

    /// The values with those that combine, if both sides have assigned them.
    fileprivate func combined(_ first: Self, _ second: Self) -> Self {
        var values = self
        for (slot, value) in second {
            guard let earlier = first[slot] else { continue }
            if let both = Key.combined(slot, earlier, value) { values[slot] = both }
        }
        return values
    }
}

extension SetHistory.Slot {
    /// What two values make by the rule of their attribute; nil if it has none.
    fileprivate static func combined(_ slot: Self, _ earlier: Int?, _ later: Int?) -> Int?? {
        guard let earlier, let later else {
            return [.heaviest, .lightest, .original].contains(slot) ? .some(earlier ?? later) : nil
        }
        return switch slot {
        case .heaviest: .some(max(earlier, later))
        case .lightest: .some(min(earlier, later))
        case .original: .some(earlier)
        default: nil
        }
    }
}

extension MergePolicy {
    fileprivate var refuses: Bool { if case .error = self { true } else { false } }

    fileprivate var combines: Bool {
        switch self {
        case .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump: true
        default: false
        }
    }

    /// Whether what is stored stays if one side has deleted it.
    fileprivate var keepsStored: Bool {
        switch self {
        case .mergeByPropertyStoreTrump, .rollback: true
        default: false
        }
    }

    /// The value that stays of two that do not combine, under a policy that merges by property.
    fileprivate func choice(_ earlier: Int?, _ later: Int?, isTaken: Bool) -> Int? {
        if case .mergeByPropertyStoreTrump = self, isTaken { earlier } else { later }
    }
}
