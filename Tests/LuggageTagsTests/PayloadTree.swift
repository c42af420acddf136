import Foundation
import LuggageTags
import ObjectStore
import Testing

/// A payload as a tree, read from JSON and written in any format.
enum PayloadTree: Codable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([PayloadTree])
    case object([String: PayloadTree])

    init(json: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(json.utf8))
    }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([PayloadTree].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: PayloadTree].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let object): try container.encode(object)
        }
    }
}

extension PayloadFormat {
    /// The same payload as some JSON, in this format.
    func payload(json: String) throws -> [UInt8] {
        self is JSONFormat
            ? Array(json.utf8) : try encode(PayloadTree(json: json), userInfo: [:])
    }
}

/// The error that decoding a payload gives, and that nothing is left in the context.
func refusal(_ payload: [UInt8]) async throws -> TagError? {
    try await TestStore.memory.withRecord { container in
        let context = container.makeContext()
        do throws(TagError) {
            _ = try TagDecoder().decode(payload, in: context)
            return nil
        } catch {
            return context.hasChanges ? nil : error
        }
    }
}

/// A format, as the argument of a test.
struct Format: CustomTestStringConvertible, Sendable {
    let format: any PayloadFormat

    var testDescription: String { format.name }

    static let all = PayloadFormats.writable.map(Format.init)
    static let withoutJSON = all.filter { !($0.format is JSONFormat) }
}
