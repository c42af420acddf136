package import FoundationEssentials
internal import ObjectStore

// Labels that people read and type: what they call the bag.

extension UUID {
    /// The identifier of the bag with a label; nil if the text is no label.
    ///
    /// - Parameter label: A licence plate of ten digits, the 18 digits of an SSCC, or what scanners send of a
    ///   number of GS1: with its application identifier in front, which labels print in brackets, or as a link.
    package init?(label: String) {
        if let plate = LicencePlate(label) {
            if plate == .notRead { return nil }
            self = plate.identifier
        } else if let key = try? GS1Key(.sscc, label.utf8) {
            self = key.identifier
        } else {
            var sent = label
            if label.hasPrefix("(") {
                let elements = label.filter { ![")", " "].contains($0) }.dropFirst()
                sent = "]C1" + elements.replacing("(", with: "\u{1D}")
            }
            guard ["00", "]", "http"].contains(where: { sent.hasPrefix($0) }),
                let contents = try? TagDecoder().contents(of: Array(sent.utf8))
            else { return nil }
            self = contents.identifier
        }
    }

    /// The name of a bag among people: its licence plate, or the first eight digits of its identifier.
    package var bagName: String { LicencePlate(self)?.description ?? firstGroup }
}
