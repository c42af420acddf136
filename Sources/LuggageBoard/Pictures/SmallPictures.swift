internal import LuggageTags
internal import Synchronization
internal import SystemSupport
internal import TagReading

/// Pictures for pages: grey, small, and without anything that a camera has written into them.
///
/// Only the reader's processes, which may do nothing else, unpack pictures. What comes of that is pixels,
/// and only those are sent.
final class SmallPictures: Sendable {
    private let reader: ReaderPool
    private let kept = Mutex<(pictures: [Key: [UInt8]], order: [Key])>(([:], []))
    /// Those that are being made, for all who want them meanwhile.
    private let underWay = Mutex<[Key: Task<[UInt8]?, Never>]>([:])

    /// How many bytes of pictures are kept; the oldest go first.
    private static let most = 4 << 20

    /// A picture in one size.
    struct Key: Hashable {
        /// What tells the picture from others.
        let picture: String
        /// The greatest width and height.
        let side: Int
    }

    init(reader: ReaderPool) {
        self.reader = reader
    }

    /// A picture that was asked for before; nil if it is not kept.
    func known(_ key: Key) -> [UInt8]? { kept.withLock { $0.pictures[key] } }

    /// A picture as a PNG file; nil if it cannot be read as one.
    func png(_ image: TagImage, _ key: Key) async -> [UInt8]? {
        if let bytes = known(key) { return bytes }
        let task = underWay.withLock { underWay in
            if let task = underWay[key] { return task }
            let task = Task(executorPreference: TaskThreads.shared) {
                await self.make(image, key)
            }
            underWay[key] = task
            return task
        }
        defer { underWay.withLock { $0[key] = nil } }
        return await task.value
    }

    private func make(_ image: TagImage, _ key: Key) async -> [UInt8]? {
        guard let shown = try? await reader.explain(image).explanation.picture,
            shown.width > 0, shown.height > 0,
            shown.luminance.count == shown.width * shown.height
        else { return nil }
        let small = shown.fitted(into: key.side)
        guard
            let bytes = PNGFile.grey(
                width: small.width,
                height: small.height,
                luminance: small.luminance
            )
        else { return nil }
        if bytes.count <= Self.most / 8 { keep(bytes, key) }
        return bytes
    }

    private func keep(_ bytes: [UInt8], _ key: Key) {
        kept.withLock { kept in
            if kept.pictures.updateValue(bytes, forKey: key) == nil { kept.order.append(key) }
            var total = kept.pictures.values.reduce(0) { $0 + $1.count }
            while total > Self.most, !kept.order.isEmpty {
                total -= kept.pictures.removeValue(forKey: kept.order.removeFirst())?.count ?? 0
            }
        }
    }
}

extension ReadingExplanation.ShownPicture {
    /// The picture with sides of at most a length, each pixel the mean of those that it stands for.
    func fitted(into side: Int) -> Self {
        let step = max(1, (max(width, height) + side - 1) / side)
        if step == 1 { return self }
        let (columns, rows) = (max(1, width / step), max(1, height / step))
        var small: [UInt8] = []
        small.reserveCapacity(columns * rows)
        for row in 0..<rows {
            for column in 0..<columns {
                var sum = 0
                var count = 0
                for y in row * step..<min(height, (row + 1) * step) {
                    let start = y * width + column * step
                    for pixel in luminance[start..<min(start + step, (y + 1) * width)] {
                        sum += Int(pixel)
                        count += 1
                    }
                }
                small.append(UInt8(sum / max(1, count)))
            }
        }
        return Self(width: columns, height: rows, step: self.step * step, luminance: small)
    }
}
