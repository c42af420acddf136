import Foundation
import LuggageTags
import ObjectStore
import SeededRandom
import Testing

@Suite("A bag that is encoded")
struct PayloadEncodingTests {
    /// Every combination of forms.
    static let encoders: [TagEncoder] = PayloadFormats.writable.flatMap { format in
        OwnerForm.allCases.flatMap { owner in
            WeightForm.allForms.flatMap { weight in
                ([nil] + DateForm.allCases.map { $0 }).map { date in
                    TagEncoder(format: format, ownerForm: owner, weightForm: weight, dateForm: date)
                }
            }
        }
    }

    private static let givenNames = ["D", "É", "李", "👩‍🚀", "/", "$", "<", "\"", "\u{FA19}"]
    private static let familyNames = ["ZMU", "MÜL", "小龙", "A/B", "ก็อ", "&lt", "O'N", "\\", "1"]

    private func bag(_ generator: inout SeededGenerator) throws -> TagContents {
        func date() -> Date? {
            let second = Double(generator.number(below: 4_000_000_000))
            switch generator.number(below: 7) {
            case 0: return nil
            // As a clock has it: `Date` counts from 2001, and more finely than from 1970.
            case 5: return Date(timeIntervalSinceReferenceDate: second + generator.unit())
            case 6:
                // Any that a calendar has, from 1 to 9999.
                let years = Double(generator.number(below: 9990)) - 1995
                return Date(timeIntervalSinceReferenceDate: years * 31_556_952)
            case 1: return Date(timeIntervalSince1970: second)
            case 2: return Date(timeIntervalSince1970: second + generator.unit())
            case 3: return Date(timeIntervalSince1970: -second - generator.unit())
            default: return Date(timeIntervalSince1970: generator.unit() / 1e6)
            }
        }
        var bag = TagContents(
            identifier: try UUID(generator.next(), generator.next()),
            owner: PassengerName(
                givenName: Self.givenNames[generator.number(below: Self.givenNames.count)],
                familyName: Self.familyNames[generator.number(below: Self.familyNames.count)]
            ),
            weight: weight(&generator),
            departedAt: date(),
            arrivedAt: date()
        )
        if generator.number(below: 4) == 0 { bag.owner = nil }
        if generator.number(below: 4) == 0 { bag.weight = nil }
        return bag
    }

    /// Any weight that a bag may have, and mostly one that a bag does have.
    private func weight(_ generator: inout SeededGenerator) -> Float {
        switch generator.number(below: 4) {
        case 0: Float(generator.number(below: 2000)) / 10
        case 1: Float(generator.number(in: 0...200))
        case 2: Float(generator.number(below: 100))
        default: Float(bitPattern: UInt32(generator.number(below: 0x7F80_0000)))
        }
    }

    @Test("is the same bag when it is decoded, in every combination of forms")
    func everyCombination() throws {
        var generator = SeededGenerator(seed: 4)
        for encoder in Self.encoders {
            for _ in 0..<20 {
                var bag = try bag(&generator)
                let payload = try encoder.encode(bag)
                if encoder.dateForm == nil { (bag.departedAt, bag.arrivedAt) = (nil, nil) }
                let decoder = TagDecoder(readsDates: encoder.dateForm != nil)
                #expect(try decoder.contents(of: payload) == bag, "\(encoder)")
            }
        }
    }

    @Test("has the weight of any number in either unit to the last bit")
    func weights() throws {
        var generator = SeededGenerator(seed: 19)
        var bag = try bag(&generator)
        for form in WeightForm.allForms {
            let encoder = TagEncoder(weightForm: form)
            for _ in 0..<4000 {
                bag.weight = weight(&generator)
                let decoded = try TagDecoder().contents(of: encoder.encode(bag))
                #expect(decoded.weight?.bitPattern == bag.weight?.bitPattern, "\(form)")
            }
        }
    }

    @Test(
        "is written in the form that is asked for",
        arguments: [
            (TagEncoder(), #"{"id":"@","owner":["D","ZMU"],"weight":42}"#),
            (
                TagEncoder(ownerForm: .object, weightForm: .text(.kilograms)),
                #"{"id":"@","owner":{"familyName":"ZMU","givenName":"D"},"weight":"19.05088 kg"}"#
            ),
            (
                TagEncoder(ownerForm: .text, weightForm: .object(.kilograms), dateForm: .text),
                #"{"arrivedAt":"2026-07-01T08:00:00.25Z","departedAt":"2026-07-01T08:00:00Z","id":"@","#
                    + #""owner":"ZMU/D","weight":{"unit":"kg","value":19.05088}}"#
            ),
            (
                TagEncoder(weightForm: .text(.pounds), dateForm: .seconds),
                #"{"arrivedAt":1782892800.25,"departedAt":1782892800,"id":"@","owner":["D","ZMU"],"#
                    + #""weight":"42.0 lb"}"#
            ),
        ]
    )
    func forms(encoder: TagEncoder, json: String) async throws {
        try await TestStore.memory.withRecord { container in
            let context = container.makeContext()
            let luggage = try TagDecoder().decode(Array(payload().utf8), in: context)
            luggage.departedAt = Date(timeIntervalSince1970: 1_782_892_800)
            luggage.arrivedAt = Date(timeIntervalSince1970: 1_782_892_800.25)
            let text = String(decoding: try encoder.encode(luggage), as: UTF8.self)
            #expect(text == json.replacing("@", with: luggage.identifier.uuidString))
        }
    }

    @Test("by an encoder of one's own takes the forms that it carries")
    func ownEncoder() async throws {
        try await TestStore.memory.withRecord { container in
            let context = container.makeContext()
            let luggage = try TagDecoder().decode(Array(payload().utf8), in: context)
            luggage.departedAt = Date(timeIntervalSince1970: 1_782_892_800.25)
            let encoder = PropertyListEncoder()
            encoder.userInfo[.ownerForm] = OwnerForm.text
            encoder.userInfo[.weightForm] = WeightForm.text(.kilograms)
            encoder.userInfo[.dateForm] = DateForm.native
            let decoder = PropertyListDecoder()
            decoder.userInfo[.dateForm] = DateForm.native
            let contents = try decoder.decode(TagContents.self, from: encoder.encode(luggage))
            #expect(contents == TagContents(luggage))
        }
    }

    @Test("from a record has its times, and is merged by its identifier")
    func record() async throws {
        try await TestStore.memory.withRecord { container in
            let context = container.makeContext()
            let luggage = try TagDecoder().decode(Array(payload().utf8), in: context)
            luggage.arrivedAt = Date(timeIntervalSince1970: 1_782_892_800.25)
            try context.save()
            let record = try TagEncoder(format: .xmlPropertyList, dateForm: .native).encode(luggage)
            let other = container.makeContext()
            let copy = try TagDecoder(readsDates: true).decode(record, in: other)
            #expect(TagContents(copy) == TagContents(luggage))
            try other.save()
            #expect(try container.makeContext().count(FetchRequest(Luggage.self)) == 1)
        }
    }
}

extension UUID {
    fileprivate init(_ high: UInt64, _ low: UInt64) throws {
        let digits = (high.bytes + low.bytes).map { String(format: "%02X", $0) }.joined()
        var text = digits
        for place in [20, 16, 12, 8] {
            text.insert("-", at: text.index(text.startIndex, offsetBy: place))
        }
        self = try #require(UUID(uuidString: text))
    }
}
