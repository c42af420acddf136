/// The few colours that stand for the many of a picture.
struct Palette {
    /// The entries, never more than asked for.
    private(set) var colours: [Colour] = []
    private var entries: [Colour: UInt8] = [:]

    /// Chooses colours by splitting the widest range of them in the middle, again and again;
    /// with no more colours than entries, each keeps its own.
    ///
    /// - Parameters:
    ///   - pixels: The colours of all pixels.
    ///   - limit: How many entries there may be.
    init(for pixels: some Sequence<Colour>, limit: Int) {
        var counts: [Colour: Int] = [:]
        for pixel in pixels {
            counts[pixel, default: 0] += 1
        }
        // A dictionary has another order in each process, and the file must always be the same.
        let all = counts.map { Share(colour: $0.key, count: $0.value) }.sorted()
        var boxes = [Box(all)]
        while boxes.count < limit {
            let widest = boxes.indices.max { boxes[$0].range < boxes[$1].range }
            guard let widest, boxes[widest].range > 0 else { break }
            let (lower, upper) = boxes[widest].halves()
            boxes[widest] = lower
            boxes.append(upper)
        }
        for (entry, box) in boxes.enumerated() {
            colours.append(box.mean)
            for share in box.shares {
                entries[share.colour] = UInt8(entry)
            }
        }
    }

    /// The entry for a colour of the picture; 0 for any other.
    func entry(for colour: Colour) -> UInt8 {
        entries[colour] ?? 0
    }
}

extension Palette {
    /// How many pixels have a colour.
    fileprivate struct Share: Comparable {
        var colour: Colour
        var count: Int

        static func < (first: Share, second: Share) -> Bool {
            first.samples.lexicographicallyPrecedes(second.samples)
        }

        var samples: [UInt8] { [colour.red, colour.green, colour.blue, colour.alpha] }
    }

    /// Colours that get one entry.
    fileprivate struct Box {
        let shares: [Share]
        /// The sample in which they differ most, and by how much.
        private let axis: Int
        let range: Int
        private let middle: Int

        init(_ shares: [Share]) {
            self.shares = shares
            let ranges = (0..<4).map { axis in
                let levels = shares.map { Int($0.samples[axis]) }
                return (levels.min() ?? 0)...(levels.max() ?? 0)
            }
            axis = (0..<4).max { ranges[$0].count < ranges[$1].count } ?? 0
            range = ranges[axis].count - 1
            middle = (ranges[axis].lowerBound + ranges[axis].upperBound) / 2
        }

        func halves() -> (Box, Box) {
            (
                Box(shares.filter { Int($0.samples[axis]) <= middle }),
                Box(shares.filter { Int($0.samples[axis]) > middle })
            )
        }

        var mean: Colour {
            let total = max(shares.reduce(0) { $0 + $1.count }, 1)
            let means = (0..<4).map { axis in
                let sum = shares.reduce(0) { $0 + Int($1.samples[axis]) * $1.count }
                return UInt8((sum + total / 2) / total)
            }
            return Colour(red: means[0], green: means[1], blue: means[2], alpha: means[3])
        }
    }
}
