extension TagPage {
    /// Lays out the tags of a page.
    ///
    /// - Parameters:
    ///   - tags: The tags, as many as the layout has on a page at most.
    ///   - layout: The layout.
    ///   - hasStub: Whether there is a claim stub at its end.
    ///   - paper: The paper.
    ///   - resolution: The printer's resolution.
    /// - Throws: ``TagPrintingError`` if the paper is too small for them.
    init(
        _ tags: [TagParts],
        _ layout: TagLayout,
        hasStub: Bool,
        on paper: PaperSize,
        at resolution: Resolution
    ) throws {
        try self.init(on: paper, at: resolution)
        let shorter = Double(min(width, height))
        let margin = max(resolution.dots(2), min(resolution.dots(4), 0.05 * shorter))
        switch layout {
        case .card: try addCard(tags, margin: margin)
        case .label, .loop:
            guard let tag = tags.first else { return }
            var end = height
            if hasStub {
                let stub = Int(
                    min(0.82 * Double(width), 0.3 * Double(height), resolution.dots(45))
                )
                end -= stub
                tears.append(end)
                add(tag.stub(Box(size: (width, stub)).inset(margin)), at: (0, end))
            }
            if layout == .loop {
                try addLoop(tag, end, margin: margin)
            } else {
                let box = Box(size: (width, end)).inset(margin)
                let isUpright = box.height >= box.width
                add(
                    try isUpright ? tag.upright(box) : tag.lying(box, hasBars: true),
                    at: (0, 0)
                )
            }
        }
    }

    /// Adds both ends of a loop.
    ///
    /// They hang down, so the one at the top of the paper is upside down on it. In the middle, which goes
    /// round the handle, the headline runs along the strip.
    private mutating func addLoop(_ tag: TagParts, _ end: Int, margin: Double) throws {
        let least = 0.12 * Double(end)
        let side = Int(min((Double(end) - least) / 2, tag.dots(128)))
        let elements = try tag.upright(Box(size: (width, side)).inset(margin))
        add(elements, at: (width, side), .half)
        add(elements, at: (0, end - side))
        let middle = end - 2 * side
        var box = Box(size: (middle, width)).inset(margin)
        box = Box(
            x: box.x + tag.dots(4),
            y: 0.3 * Double(width),
            width: box.width - tag.dots(8),
            height: 0.4 * Double(width)
        )
        let place = tag.headline?.text
        let words = [place, tag.tag.shortIdentifier].compactMap(\.self).joined(separator: "  ")
        guard box.width > tag.dots(20) else { return }
        add(
            [tag.text(words, in: box, letter: tag.dots(9), .bold, .centre)],
            at: (width, side),
            .quarter
        )
    }

    /// As many parts as there are bags.
    private mutating func addCard(_ tags: [TagParts], margin: Double) throws {
        let columns = tags.count > 1 ? 2 : 1
        let rows = tags.count > 2 ? 2 : 1
        let (width, height) = (self.width / columns, self.height / rows)
        for (place, tag) in tags.enumerated() {
            let box = Box(size: (width, height)).inset(margin)
            let isUpright = box.height > 1.1 * box.width
            add(
                try isUpright ? tag.upright(box) : tag.lying(box, hasBars: false),
                at: (place % columns * width, place / columns * height)
            )
        }
    }

    private mutating func add(
        _ elements: [Element],
        at origin: (x: Int, y: Int),
        _ turn: Panel.Turn = .none
    ) {
        panels.append(Panel(origin: origin, turn: turn, elements: elements))
    }
}

extension TagPage.Box {
    fileprivate init(size: (width: Int, height: Int)) {
        self.init(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    }
}
