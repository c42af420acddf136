internal import FoundationEssentials
internal import SystemSupport

/// The value that a payload has at a place, for the error message that it is not the expected one.
enum Finding: Hashable {
    /// There is nothing at this place.
    case nothing
    case null
    case flag(Bool)
    case number(String)
    case text(String)
    case date
    case data(count: Int)
    case list(count: Int)
    case object

    /// The place to look at.
    struct Sought {
        /// The path from the outside in; items of lists have numbers from 0.
        let path: [String]
    }

    /// What it is, as words after "found".
    var words: String {
        switch self {
        case .nothing, .null: "nothing"
        case .flag(let flag): "\(flag)"
        case .number(let number): "the number \(number)"
        case .text(let text): "the text \(text.quoted)"
        case .date: "a date"
        case .data(let count): "\(count) bytes"
        case .list(let count): "a list of \(count)"
        case .object: "an object"
        }
    }
}

extension CodingUserInfoKey {
    /// The key of the place to look at, in a decoder's `userInfo`.
    static let sought = key("LuggageTags.sought")
}

/// The value that a payload has at a place, and the path as the payload spells it.
struct FoundPlace: Decodable {
    let path: [String]
    let finding: Finding

    private init(_ path: [String], _ finding: Finding) {
        self.path = path
        self.finding = finding
    }

    /// Decodes only what is at the place in the decoder's `userInfo`.
    init(from decoder: any Decoder) throws {
        let sought = (decoder.userInfo[.sought] as? Finding.Sought)?.path ?? []
        let rest = Array(sought.dropFirst(decoder.codingPath.count))
        guard let step = rest.first else {
            self.init([], Finding(at: decoder))
            return
        }
        if let object = try? decoder.container(keyedBy: FormKey.self) {
            let keys = object.spellings(of: step)
            // If a member has several spellings, those with null do not count.
            let stated = keys.first { (try? object.decodeNil(forKey: $0)) == false }
            if let key = stated ?? keys.first {
                let place = try object.decode(Self.self, forKey: key)
                self.init([key.stringValue] + place.path, place.finding)
                return
            }
        } else if var list = try? decoder.unkeyedContainer(), let index = Int(step) {
            while list.currentIndex < index && !list.isAtEnd {
                _ = try list.decode(Passed.self)
            }
            if !list.isAtEnd {
                let place = try list.decode(Self.self)
                self.init([step] + place.path, place.finding)
                return
            }
        }
        self.init(rest, .nothing)
    }
}

extension Finding {
    fileprivate init(at decoder: any Decoder) {
        if var list = try? decoder.unkeyedContainer() {
            self = .list(count: list.remaining)
        } else if (try? decoder.container(keyedBy: FormKey.self)) != nil {
            self = .object
        } else if let value = try? decoder.singleValueContainer() {
            self = Self(value)
        } else {
            self = .nothing
        }
    }

    private init(_ value: any SingleValueDecodingContainer) {
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Int64.self) {
            self = .number("\(number)")
        } else if let number = try? value.decode(Double.self) {
            self = .number("\(number)")
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if (try? value.decode(Date.self)) != nil {
            self = .date
        } else if let data = try? value.decode(Data.self) {
            self = .data(count: data.count)
        } else {
            self = .nothing
        }
    }
}

/// An item of a list that is skipped, whatever it is.
private struct Passed: Decodable {
    init(from decoder: any Decoder) throws {}
}

extension UnkeyedDecodingContainer {
    /// The number of items, from the format or by counting.
    fileprivate var remaining: Int {
        mutating get {
            if let count { return count }
            while !isAtEnd, (try? decode(Passed.self)) != nil {}
            return currentIndex
        }
    }
}
