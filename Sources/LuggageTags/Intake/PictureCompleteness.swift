/// Decides from the bytes of a file alone whether a picture has been written to its end.
///
/// It needs neither times nor the length of the file. The bytes may come in pieces of any length.
package struct PictureCompleteness {
    /// What the bytes have shown so far.
    package enum State: Equatable {
        /// Everything so far could be the beginning of a picture.
        case unfinished
        /// The end of the picture is there, and nothing before it is known to be wrong.
        case complete
        /// Something before the end is wrong.
        ///
        /// The file is damaged, or a program writes it in another order.
        case inconsistent
        /// The bytes cannot become a picture that is read, whatever follows.
        case foreign
    }

    /// The first and the last bytes of a file of each kind, if nothing follows the picture.
    package static let ends: [(first: [UInt8], last: [UInt8])] = [
        (PNGCompleteness.signature, PNGCompleteness.lastChunk),
        (JPEGCompleteness.signature, JPEGCompleteness.lastMarker),
    ]

    private enum Walk {
        case none
        case png(PNGCompleteness)
        case jpeg(JPEGCompleteness)
    }

    private var walk = Walk.none

    /// Begins before the first byte.
    package init() {}

    /// What the bytes have shown so far.
    package var state: State {
        switch walk {
        case .none: .unfinished
        case .png(let png): png.state
        case .jpeg(let jpeg): jpeg.state
        }
    }

    /// Goes on with the next bytes of the file.
    package mutating func update(_ bytes: ArraySlice<UInt8>) {
        guard let first = bytes.first else { return }
        switch walk {
        case .none:
            // The first byte tells them apart; what is neither is known to be no PNG.
            let isJPEG = first == JPEGCompleteness.signature[0]
            walk = isJPEG ? .jpeg(JPEGCompleteness()) : .png(PNGCompleteness())
            update(bytes)
        case .png(var png):
            png.update(bytes)
            walk = .png(png)
        case .jpeg(var jpeg):
            jpeg.update(bytes)
            walk = .jpeg(jpeg)
        }
    }
}
