import ObjectStore
import SeededRandom
import StoreTesting

/// What is done to a store, one save after the other.
struct SetHistory: CustomStringConvertible {
    var steps: [Step]

    /// A deed, and how its save settles conflicts.
    struct Step {
        let deed: Deed
        let policy: MergePolicy
    }

    /// A property of a bag, whose values are numbers, or nil.
    enum Slot: CaseIterable {
        case heaviest, lightest, note, original, owner, priority, weight
    }

    /// The properties that are assigned, and what to.
    typealias Values = [Slot: Int?]

    /// What one save does, or two of which the second one does not know of the first.
    enum Deed {
        case insert(tag: Int, Values)
        /// Two bags of one tag in one save.
        case insertTwice(tag: Int, Values, Values)
        case edit(tag: Int, Values)
        case editMeanwhile(tag: Int, theirs: Values, mine: Values)
        case rename(tag: Int, to: Int)
        case swap(tag: Int, with: Int)
        case seal(tag: Int, number: Int)
        case delete(tag: Int)
        case deleteMeanwhile(tag: Int, mine: Values)
        case deleteWhatTheyEdit(tag: Int, theirs: Values)
        /// In one save.
        case deleteAndInsert(tag: Int, Values)
        case deletePassenger(Int)
    }

    init(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        steps = []
        for step in 0..<(4 + random.number(below: 14)) {
            let policy = MergePolicy.all[random.number(below: MergePolicy.all.count)]
            steps.append(Step(deed: Self.deed(step, &random), policy: policy))
        }
    }

    private static func deed(_ step: Int, _ random: inout SeededGenerator) -> Deed {
        let tag = random.number(below: 3)
        var mine: Values { values(step, &random) }
        switch random.number(below: 16) {
        case 0...3: return .insert(tag: tag, mine)
        case 4: return .insertTwice(tag: tag, mine, mine)
        case 5, 6: return .edit(tag: tag, mine)
        case 7, 8: return .editMeanwhile(tag: tag, theirs: theirs(step, &random), mine: mine)
        case 9: return .rename(tag: tag, to: random.number(below: 3))
        case 10: return .swap(tag: tag, with: random.number(below: 3))
        case 11: return .seal(tag: tag, number: random.number(below: 2))
        case 12: return .delete(tag: tag)
        case 13: return .deleteMeanwhile(tag: tag, mine: mine)
        case 14: return .deleteWhatTheyEdit(tag: tag, theirs: theirs(step, &random))
        default:
            return random.number(below: 2) == 0
                ? .deleteAndInsert(tag: tag, mine) : .deletePassenger(random.number(below: 2))
        }
    }

    /// Some properties, the note always, which nobody has had before.
    private static func values(_ step: Int, _ random: inout SeededGenerator) -> Values {
        var values: Values = [.note: 100 + step]
        for slot in Slot.allCases where slot != .priority && random.number(below: 2) == 0 {
            let number = random.number(below: 6)
            switch slot {
            // Of what has to be there and must not be negative, there is no nil.
            case .weight: values[slot] = .some(number - 1)
            case .owner: values[slot] = .some(number < 4 ? number % 2 : nil)
            default: values[slot] = .some(number < 5 ? number : nil)
            }
        }
        return values
    }

    /// The same with a priority that nobody has had before, so that the row is another one afterwards.
    private static func theirs(_ step: Int, _ random: inout SeededGenerator) -> Values {
        var values = values(step + 100, &random)
        values[.priority] = .some(100 + step)
        values[.weight] = .some(1 + random.number(below: 4))
        return values
    }

    var description: String {
        steps.map { "\($0.policy): \($0.deed)" }.joined(separator: "\n")
    }
}
