internal import SystemSupport

/// Finds the payloads in a stream of bytes, as hand scanners send them.
///
/// The bytes may come in pieces of any length, and each payload is found as soon as its end has come. It
/// never keeps more than one payload of the greatest length.
package struct PayloadFraming: Sendable {
    /// What stands between two payloads.
    package enum Separator: String, CaseIterable, Sendable {
        /// A line end after each payload: LF, CR LF or CR.
        case line
        /// A zero byte after each payload.
        case nul
        /// Nothing: each payload is a netstring, `LENGTH:BYTES,` with the length in decimal digits.
        case netstring
    }

    /// One payload of the stream, or the reason why there is none.
    package typealias Frame = Result<[UInt8], TagError>

    /// The most bytes that a payload may have: more than any code, even one in sixteen parts, can hold.
    package static let longest = 65_536

    private enum State {
        /// In a payload up to its end; in a netstring, with so many bytes still to come.
        case payload(left: Int)
        /// Before or in the length of a netstring, of which so much is known.
        case length(Int?)
        /// Before the comma after a netstring.
        case comma
        /// A netstring was malformed, so nobody knows where the next one begins.
        case lost
    }

    private let separator: Separator
    private var state: State
    private var payload: [UInt8] = []
    /// Whether the payload is longer than the greatest length, and was reported.
    private var isTooLong = false
    /// Whether the last byte was a CR, so that an LF now belongs to the same line end.
    private var isAfterReturn = false

    /// Begins before the first byte.
    package init(_ separator: Separator) {
        self.separator = separator
        state = separator == .netstring ? .length(nil) : .payload(left: .max)
    }

    /// Whether a payload has begun whose end has not come yet.
    package var isInPayload: Bool {
        switch state {
        case .payload(let left): left != .max || !payload.isEmpty || isTooLong
        case .length(let known): known != nil
        case .comma: true
        case .lost: false
        }
    }

    /// Whether nothing can be found any more, because a netstring was malformed.
    package var isLost: Bool { if case .lost = state { true } else { false } }

    /// Goes on with the next bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - found: Gets each payload whose end they have, in order. One that is too long is an error as
    ///     soon as that is known; the rest of it is passed over.
    package mutating func take(_ bytes: some Collection<UInt8>, _ found: (Frame) -> Void) {
        var rest = Array(bytes)[...]
        if separator == .netstring { return takeNetstrings(&rest, found) }
        let isLine = separator == .line
        passLineFeed(&rest)
        while let end = rest.firstIndex(where: {
            isLine ? $0 == .lineFeed || $0 == .carriageReturn : $0 == 0
        }) {
            keep(rest[..<end], found)
            endPayload(found)
            isAfterReturn = isLine && rest[end] == .carriageReturn
            rest = rest[(end + 1)...]
            passLineFeed(&rest)
        }
        keep(rest, found)
    }

    /// Removes the second byte of the line end CR LF, as soon as it comes.
    private mutating func passLineFeed(_ rest: inout ArraySlice<UInt8>) {
        guard isAfterReturn, let first = rest.first else { return }
        if first == .lineFeed { rest.removeFirst() }
        isAfterReturn = false
    }

    /// Ends the stream where its sender has ended it: the last payload needs no line end or zero byte.
    ///
    /// - Returns: That payload; nil if none has begun.
    package mutating func finish() -> Frame? {
        if separator == .netstring { return cut() }
        var last: Frame?
        if isInPayload { endPayload { last = $0 } }
        return last
    }

    /// Ends the stream where it has broken off, and begins anew.
    ///
    /// - Returns: An error that tells how much of a payload had come; nil if none had begun.
    package mutating func cut() -> Frame? {
        let wasTold = isTooLong || !isInPayload
        let count = payload.count
        self = PayloadFraming(separator)
        return wasTold ? nil : .failure(.cutOff(after: count))
    }

    /// Adds bytes to the payload, or passes over them if it is too long.
    private mutating func keep(_ bytes: ArraySlice<UInt8>, _ found: (Frame) -> Void) {
        if isTooLong { return }
        if payload.count + bytes.count > Self.longest { return dropPayload(found) }
        payload += bytes
    }

    private mutating func dropPayload(_ found: (Frame) -> Void) {
        isTooLong = true
        payload = []
        found(.failure(.payloadTooLong))
    }

    private mutating func endPayload(_ found: (Frame) -> Void) {
        if !isTooLong { found(.success(payload)) }
        isTooLong = false
        payload = []
    }

    // MARK: Netstrings

    private mutating func takeNetstrings(
        _ rest: inout ArraySlice<UInt8>,
        _ found: (Frame) -> Void
    ) {
        while let byte = rest.first {
            switch state {
            case .lost: return
            case .length(let known):
                rest.removeFirst()
                takeLength(byte, after: known, found)
            case .payload(let left):
                let part = rest.prefix(left)
                keep(part, found)
                rest = rest.dropFirst(part.count)
                state = part.count == left ? .comma : .payload(left: left - part.count)
            case .comma:
                rest.removeFirst()
                if byte != UInt8(ascii: ",") { return lose(found) }
                endPayload(found)
                state = .length(nil)
            }
        }
    }

    private mutating func takeLength(_ byte: UInt8, after known: Int?, _ found: (Frame) -> Void) {
        switch (byte, known) {
        case (UInt8(ascii: "0")...UInt8(ascii: "9"), _):
            // No more digits than a length can have, and no zero before others.
            guard known != 0, (known ?? 0) < 100_000_000 else { return lose(found) }
            state = .length((known ?? 0) * 10 + Int(byte - UInt8(ascii: "0")))
        case (UInt8(ascii: ":"), let length?):
            if length > Self.longest { dropPayload(found) }
            state = length == 0 ? .comma : .payload(left: length)
        // A person who writes netstrings ends the last one, or each, like a line.
        case (.lineFeed, nil), (.carriageReturn, nil): break
        default: lose(found)
        }
    }

    private mutating func lose(_ found: (Frame) -> Void) {
        state = .lost
        payload = []
        isTooLong = false
        found(.failure(.notNetstring))
    }
}

extension PayloadFraming.Frame {
    /// Whether it is a payload without a byte, such as an empty line: nothing was scanned.
    package var isBlank: Bool {
        if case .success(let payload) = self { payload.isEmpty } else { false }
    }

    /// What to tell of it if it is on no record, so that a person can still file it.
    package var lossWords: String {
        switch self {
        case .success(let payload):
            // A log keeps no names of passengers.
            if BoardingPass.recognises(SymbologyIdentifier.removed(from: payload)) {
                return
                    "not filed, because the record cannot be written; scan this boarding pass again"
            }
            let text = payload.escapedText.shortened(characters: 3000, bytes: 3000).onOneLine
            return "not filed, because the record cannot be written; scan this bag again: \(text)"
        case .failure(let error): return "\(error.outcome.rawValue): \(error.message)"
        }
    }
}

extension UInt8 {
    fileprivate static let lineFeed = UInt8(ascii: "\n")
    fileprivate static let carriageReturn = UInt8(ascii: "\r")
}

extension TagError {
    /// The error of a payload that is longer than any code can hold.
    static let payloadTooLong = TagError(
        .symbol,
        .payloadTooLong,
        "the payload has more than \(PayloadFraming.longest) bytes, which no code can hold; check what "
            + "the scanner sends after each code"
    )

    /// The error of a payload whose end has not come.
    static func cutOff(after count: Int) -> TagError {
        let bytes = count == 1 ? "1 byte" : "\(count) bytes"
        return TagError(
            .symbol,
            .cutOff,
            "the payload broke off after \(bytes), before its end; scan this bag again"
        )
    }

    /// The error of bytes that are no netstring, after which no other can be found.
    static let notNetstring = TagError(
        .symbol,
        .notNetstring,
        "this is not a netstring, which is a length, a colon, so many bytes and a comma; what follows "
            + "cannot be told apart and was not filed"
    )
}
