import SeededRandom
import Testing

@testable import ObjectStore

extension RadixTree {
    fileprivate subscript(key: UInt64) -> Value? {
        unsafe withUnsafePointer(to: self) { unsafe Self.value(of: key, in: $0)?.pointee }
    }
}

@Suite("A radix tree")
struct RadixTreeTests {
    /// Keys that make low and high trees: close ones, and some far from them.
    private static func key(_ random: inout SeededGenerator) -> UInt64 {
        let near = random.next() % 200
        return switch random.number(below: 8) {
        case 0: near << 6
        case 1: near << 20
        case 2: near | 1 << 48
        case 3: UInt64(Int64.max) - near
        default: near
        }
    }

    @Test("holds what a dictionary does, in order, and copies stay as they were", arguments: 1...50)
    func changes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var tree = RadixTree<Int>()
        var model: [UInt64: Int] = [:]
        var copies: [(RadixTree<Int>, [UInt64: Int])] = []
        for step in 0..<600 {
            let key = Self.key(&random)
            switch random.number(below: 10) {
            case 0...4:
                #expect(tree.updateValue(step, forKey: key) == model.updateValue(step, forKey: key))
            case 5...6:
                let changed = tree.modifyValue(of: key) { value in
                    value += 1
                    return value
                }
                model[key]? += 1
                #expect(changed == model[key])
            case 7...8: #expect(tree.removeValue(forKey: key) == model.removeValue(forKey: key))
            default: copies.append((tree, model))
            }
            #expect(tree[key] == model[key])
            #expect(tree[key ^ 1] == model[key ^ 1])
        }
        for (tree, model) in copies + [(tree, model)] {
            #expect(tree.count == model.count)
            #expect(tree.map(\.key) == model.keys.sorted())
            #expect(tree.allSatisfy { model[$0.key] == $0.value })
        }
    }

    @Test("is empty after every value was removed, and takes other keys then")
    func emptying() {
        var tree = RadixTree<Int>()
        for key in 0..<200 { tree.updateValue(0, forKey: UInt64(key) << 10) }
        for key in 0..<200 { tree.removeValue(forKey: UInt64(key) << 10) }
        #expect(tree.count == 0)
        #expect(Array(tree).isEmpty)
        tree.updateValue(1, forKey: .max >> 1)
        #expect(tree.map(\.key) == [.max >> 1])
        #expect(tree[0] == nil)
    }
}

@Suite("Identities in a set")
struct ObjectSetTests {
    @Test("come in their order, whichever were stored", arguments: 1...20)
    func order(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var set = ObjectSet()
        var model: Set<ObjectID> = []
        for _ in 0..<300 {
            let key = Int64(random.number(below: 400)) - 200
            let id = ObjectID(entity: random.number(below: 3), key: key)
            if random.number(below: 3) == 0 {
                set.remove(id)
                model.remove(id)
            } else {
                set.insert(id)
                model.insert(id)
            }
            #expect(set.contains(id) == model.contains(id))
        }
        #expect(Array(set) == model.sorted())
        #expect(set.count == model.count)
        for entity in 0..<4 {
            #expect(set.count(of: entity) == model.count { $0.entity == entity })
            for isProvisional in [false, true] {
                let part = model.filter { $0.entity == entity && $0.isProvisional == isProvisional }
                #expect(Array(set.part(of: entity, provisional: isProvisional)) == part.sorted())
            }
        }
    }
}

@Suite("A map of objects")
struct ObjectMapTests {
    @Test(
        "has nothing of an entity that no model has, nor of a key that nobody gave",
        arguments: [Int.min, -1 << 62, -2, -1, 1, 1 << 62, .max, .max / 2],
        [Int64.min, -1, 0, 1, .max]
    )
    func strangers(entity: Int, key: Int64) {
        var map = ObjectMap([
            (ObjectID(entity: 0, key: 5), "a"), (ObjectID(entity: 0, key: -5), "b"),
        ])
        let id = ObjectID(entity: entity, key: key)
        #expect(map[id] == nil)
        #expect(!map.contains(id))
        #expect(map.modifyValue(of: id) { $0 } == nil)
        #expect(map.removeValue(of: id) == nil)
        #expect(map.count == 2)
    }
}
