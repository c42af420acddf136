internal import CReaderProtocol

extension ReaderConversation {
    /// Receives an explanation, and validates it like every other answer.
    func receiveExplanation(
        of reading: Reading
    ) throws(ConversationFailure) -> ReadingExplanation {
        let header = try receiveHeader()
        let picture = ReadingExplanation.ShownPicture(
            width: Int(header.shown_width),
            height: Int(header.shown_height),
            step: Int(header.shown_step),
            luminance: []
        )
        guard picture.shows(reading) else {
            throw .nonsense("gave a picture of another size to show")
        }
        var explanation = ReadingExplanation(
            finders: try receiveFinders(Int(header.finder_count)),
            candidates: try receiveCandidates(Int(header.candidate_count)),
            plainScans: Int(header.plain_scans),
            picture: picture
        )
        explanation.picture.luminance = try receiveLuminance(picture.width * picture.height)
        return explanation
    }

    private func receiveHeader() throws(ConversationFailure) -> ReaderExplanationHeader {
        let count = try receive()
        guard count == MemoryLayout<ReaderExplanationHeader>.size else {
            throw .nonsense("gave an explanation of \(count) bytes")
        }
        let header = unsafe buffer.loadUnaligned(as: ReaderExplanationHeader.self)
        guard header.sequence == sequence else {
            throw .nonsense("gave an explanation of something else")
        }
        guard header.finder_count <= UInt32(READER_MAX_FINDERS),
            header.candidate_count <= UInt32(READER_MAX_CANDIDATES)
        else {
            throw .nonsense("gave an explanation without end")
        }
        return header
    }

    private func receiveFinders(
        _ count: Int
    ) throws(ConversationFailure) -> [ReadingExplanation.Finder] {
        var finders: [ReadingExplanation.Finder] = []
        for finder in try receivePacket(of: count, ReaderFinder.self) {
            guard finder.module.isLength else { throw .nonsense("gave an impossible pattern") }
            finders.append(
                ReadingExplanation.Finder(
                    centre: PixelPoint(finder.centre),
                    module: Double(finder.module)
                )
            )
        }
        return finders
    }

    private func receiveCandidates(
        _ count: Int
    ) throws(ConversationFailure) -> [ReadingExplanation.Candidate] {
        var candidates: [ReadingExplanation.Candidate] = []
        for candidate in try receivePacket(of: count, ReaderCandidate.self) {
            guard let candidate = ReadingExplanation.Candidate(candidate) else {
                throw .nonsense("gave an impossible place of a symbol")
            }
            candidates.append(candidate)
        }
        return candidates
    }

    /// Receives a number of structures in one packet, or none if the number is 0.
    private func receivePacket<Item: BitwiseCopyable>(
        of count: Int,
        _ type: Item.Type
    ) throws(ConversationFailure) -> [Item] {
        guard count > 0 else { return [] }
        let received = try receive()
        guard received == count * MemoryLayout<Item>.stride else {
            throw .nonsense("gave a part of an explanation of \(received) bytes")
        }
        return (0..<count).map { index in
            unsafe buffer.loadUnaligned(
                fromByteOffset: index * MemoryLayout<Item>.stride,
                as: Item.self
            )
        }
    }

    private func receiveLuminance(_ count: Int) throws(ConversationFailure) -> [UInt8] {
        var luminance: [UInt8] = []
        luminance.reserveCapacity(count)
        while luminance.count < count {
            let received = try receive()
            guard received == min(Int(READER_MAX_LUMINANCE), count - luminance.count) else {
                throw .nonsense("gave \(received) pixels at once")
            }
            unsafe luminance.append(contentsOf: buffer[..<received])
        }
        return luminance
    }
}

extension ReadingExplanation.ShownPicture {
    /// Whether the size fits this reading's picture, and is within the agreed limits.
    fileprivate func shows(_ reading: Reading) -> Bool {
        func parts(_ length: Int) -> Int { (length - 1) / step + 1 }
        guard step > 0, width == parts(reading.width), height == parts(reading.height) else {
            return false
        }
        let side = Int(READER_MAX_SHOWN_SIDE)
        return width <= side && height <= side && width * height <= Int(READER_MAX_SHOWN_PIXELS)
    }
}

extension ReadingExplanation.Candidate {
    /// The received candidate, or `nil` if it is invalid.
    fileprivate init?(_ sent: ReaderCandidate) {
        guard sent.module.isLength, sent.agreement >= 0, sent.agreement <= 1,
            sent.is_light <= 1, sent.dimension == 0 || (21...177).contains(sent.dimension)
        else { return nil }
        let success = ReadingExplanation.Way(rawValue: sent.succeeded)
        guard success != nil || sent.succeeded == 0 else { return nil }
        let outline = [sent.outline.0, sent.outline.1, sent.outline.2, sent.outline.3]
        self.init(
            outline: outline.map { PixelPoint($0) },
            module: Double(sent.module),
            dimension: sent.dimension == 0 ? nil : Int(sent.dimension),
            isLight: sent.is_light == 1,
            tried: Int(sent.tried),
            agreement: Double(sent.agreement),
            success: success
        )
    }
}

extension Float {
    /// Whether this can be a length in pixels: a positive number of reasonable size.
    fileprivate var isLength: Bool { self > 0 && self < 1e9 }
}
