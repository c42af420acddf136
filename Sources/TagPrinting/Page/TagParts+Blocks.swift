internal import FoundationEssentials

extension TagParts {
    /// The heights of a block's rows in millimetres, on paper of one width.
    private struct Rows {
        var headline: Double
        var route: Double
        var owner: Double
        var bars: Double
        /// The words below the bars.
        var words = 4.5
        var identifier = 3.5
        /// The line above a row, and the space around it.
        var rule = 2.0
    }

    /// A whole tag on upright paper: where to, whose, the symbol, and the short identifier as bars.
    ///
    /// The symbol has the room that the rows leave; if that is not half, the rows are made lower.
    func upright(_ box: Box) throws -> [Element] {
        let isWide = box.width >= dots(75)
        let rows =
            isWide
            ? Rows(headline: 29, route: 9, owner: 16, bars: 13)
            : Rows(headline: 23, route: 7, owner: 11, bars: 9, words: 4)
        // Without a place, the owner is what is read from far.
        let owner = headline == nil ? 0.8 * rows.headline : rows.owner
        let routeHeight = hasRoute ? rows.route : 0
        let headlineHeight = headline == nil ? 0 : rows.headline + routeHeight + rows.rule
        let sum = dots(
            headlineHeight + owner + rows.rule + rows.bars + rows.words + rows.identifier
        )
        let widest = isWide ? 0.64 * box.width : box.width
        let room = min(widest, max(box.height - sum, 0.47 * box.height))
        let scale = min(1, (box.height - room) / sum)
        func height(_ millimetres: Double) -> Double { scale * dots(millimetres) }

        var rest = box
        var elements: [Element] = []
        if let headline {
            elements += self.headline(headline, in: rest.cutTop(height(rows.headline)))
            var line = rest.cutTop(height(routeHeight))
            // Two lines fill it, and must not touch what is above.
            _ = line.cutTop(0.08 * line.height)
            if let route = route(in: line, letter: height(0.55 * rows.route)) {
                elements.append(route)
            }
            elements.append(rule(rest.cutTop(height(rows.rule))))
        }
        elements += ownerRow(in: rest.cutTop(height(owner)), hasWeight: !isWide)
        elements.append(rule(rest.cutTop(height(rows.rule))))
        elements.append(
            text(
                tag.identifier.uuidString,
                in: rest.cutBottom(height(rows.identifier)),
                letter: dots(1.6),
                .regular,
                .centre
            )
        )
        elements += barsRow(
            bars: height(rows.bars),
            in: rest.cutBottom(height(rows.bars + rows.words))
        )
        if isWide {
            let side = min(rest.height, widest)
            let symbol = try symbol(in: rest.cutLeft(side), at: 0)
            elements.append(symbol)
            _ = rest.cutLeft(dots(2))
            // As high as the symbol's dark part.
            if case .symbol(let drawn, _, let y, let module) = symbol {
                let height = Double(drawn.side * module)
                rest = Box(x: rest.x, y: Double(y), width: rest.width, height: height)
                elements += facts(in: rest)
            }
        } else {
            elements.append(try symbol(in: rest))
        }
        return elements
    }

    /// A whole tag on paper that is wider than high: the symbol beside the words.
    func lying(_ box: Box, hasBars: Bool) throws -> [Element] {
        var rest = box
        let side = min(box.height, max(0.46 * box.width, min(leastSide, 0.6 * box.width)))
        var elements = [try symbol(in: rest.cutLeft(side))]
        _ = rest.cutLeft(min(dots(3), 0.03 * box.width))
        let unit = rest.height
        if let headline, hasBars {
            elements += self.headline(headline, in: rest.cutTop(0.34 * unit))
            if let route = route(in: rest.cutTop(0.1 * unit), letter: 0.055 * unit) {
                elements.append(route)
            }
        } else if let headline {
            let line = rest.cutTop(0.4 * unit)
            elements.append(text(headline.text, in: line, letter: 0.24 * unit, lines: 3))
        }
        if hasBars {
            elements.append(
                text(
                    tag.identifier.uuidString,
                    in: rest.cutBottom(0.06 * unit),
                    letter: dots(1.6),
                    .regular,
                    .centre
                )
            )
            elements += barsRow(bars: 0.18 * unit, in: rest.cutBottom(0.25 * unit))
            elements += ownerRow(in: rest, hasWeight: true)
        } else {
            let row = rest.height / 3
            elements.append(owner(in: rest.cutTop(1.1 * row), letter: 0.6 * row))
            elements.append(text(tag.shortIdentifier, in: rest.cutTop(row), letter: 0.48 * row))
            let line = [weights.first, trip].compactMap(\.self).joined(separator: "  ")
            if !line.isEmpty {
                elements.append(text(line, in: rest, letter: 0.38 * row, .regular, lines: 2))
            }
        }
        return elements
    }

    /// What the passenger keeps.
    ///
    /// It has no symbol: who scans it would record a bag that is not there.
    func stub(_ box: Box) -> [Element] {
        var rest = box
        let unit = rest.height
        var top = rest.cutTop(0.1 * unit)
        var elements = [caption("CLAIM STUB", in: top.cutLeft(0.5 * top.width))]
        if let trip { elements.append(caption(trip, in: top, .right)) }
        _ = rest.cutTop(0.03 * unit)
        elements += barsRow(bars: 0.22 * unit, in: rest.cutBottom(0.36 * unit))
        _ = rest.cutBottom(0.05 * unit)
        let line = rest.cutTop(0.2 * unit)
        if hasShortRoute, let route = route(in: line, letter: 0.12 * unit) {
            elements.append(route)
        } else if let headline {
            let words = "\(headline.caption.lowercased()) \(headline.text)"
            elements.append(text(words, in: line, letter: 0.12 * unit, lines: 2))
        }
        return elements + ownerRow(in: rest, hasWeight: true)
    }

    /// The place in the largest letters, the word above it, and the trip at the right of that.
    private func headline(_ headline: (caption: String, text: String), in box: Box) -> [Element] {
        var rest = box
        var top = rest.cutTop(min(dots(3.5), 0.2 * box.height))
        var elements = [caption(headline.caption, in: top.cutLeft(0.2 * top.width))]
        if let trip { elements.append(text(trip, in: top, letter: dots(2.4), .bold, .right)) }
        _ = rest.cutTop(0.07 * box.height)
        _ = rest.cutBottom(0.05 * box.height)
        elements.append(text(headline.text, in: rest, letter: 0.86 * rest.height, lines: 3))
        return elements
    }

    /// The owner, and the weight at its right.
    private func ownerRow(in box: Box, hasWeight: Bool) -> [Element] {
        var rest = box
        let weights = hasWeight ? weights : []
        var elements: [Element] = []
        if !weights.isEmpty {
            var column = rest.cutRight(0.34 * rest.width)
            let row = min(0.5 * column.height, dots(5))
            _ = column.cutTop((column.height - 2 * row) / 2)
            for line in weights {
                elements.append(
                    text(line, in: column.cutTop(row), letter: 0.55 * row, .bold, .right)
                )
            }
            _ = rest.cutRight(dots(1.5))
        }
        return [owner(in: rest, letter: 0.66 * box.height)] + elements
    }

    /// The short identifier as bars, and below them in letters.
    private func barsRow(bars height: Double, in box: Box) -> [Element] {
        var rest = box
        guard let bars = bars(in: rest.cutTop(height)) else {
            return [
                text(tag.shortIdentifier, in: box, letter: 0.5 * box.height, .bold, .centre)
            ]
        }
        return [
            bars,
            text(
                tag.shortIdentifier.map(String.init).joined(separator: "\u{2009}"),
                in: rest,
                letter: 0.66 * rest.height,
                .bold,
                .centre
            ),
        ]
    }

    /// A column of what else is known, each below its word.
    private func facts(in box: Box) -> [Element] {
        let short = tag.shortIdentifier
        var facts = [("BAG", [String(short.prefix(4)), String(short.suffix(4))])]
        if !weights.isEmpty { facts.append(("WEIGHT", weights)) }
        // A word is half as high as a line, and so is the space before it.
        let lines = facts.reduce(0) { $0 + $1.1.count }
        let unit = min(box.height / (Double(lines + facts.count) - 0.5), dots(9))
        var rest = box
        return facts.flatMap { word, lines in
            var elements = [caption(word, in: rest.cutTop(0.5 * unit))]
            for line in lines {
                elements.append(text(line, in: rest.cutTop(unit), letter: 0.6 * unit))
            }
            _ = rest.cutTop(0.5 * unit)
            return elements
        }
    }
}
