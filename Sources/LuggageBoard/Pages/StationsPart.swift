/// How much each station has read, as bars: a quarter of an hour each.
///
/// What was not read stands on top, hatched, so that it can be told without colours.
struct StationsPart {
    let words: Words
    let rates: [StationRate]

    private static let height = 40
    private static let width = 8

    var html: HTML {
        if rates.isEmpty {
            return "<h2>\(words.stations)</h2><p class=\"rest\">\(words.noScans)</p>"
        }
        // All stations have one scale, so that they can be compared.
        let most = rates.flatMap(\.quarters).map(\.scans).max() ?? 1
        return """
            <h2>\(words.stations) <small>\(words.lastHours(QuarterCounts.shown / 4))</small></h2>
            <svg class="defs" aria-hidden="true"><defs><pattern id="hatch" width="4" height="4" \
            patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="4" height="4"/>\
            <path d="M0 0V4"/></pattern></defs></svg>
            <ul class="stations">\(rates.map { station($0, most: max(1, most)) })</ul>
            """
    }

    private func station(_ rate: StationRate, most: Int) -> HTML {
        let width = rate.quarters.count * Self.width
        let bars: [HTML] = rate.quarters.enumerated().filter { $0.element.scans > 0 }.map {
            bar($0.element, at: $0.offset, most: most)
        }
        return """
            <li><p class="name">\(rate.station)</p><p class="share">\(words.rate(rate))</p>
            <svg class="bars" viewBox="0 0 \(width) \(Self.height + 1)" preserveAspectRatio="none" \
            role="img" aria-label="\(rate.station): \(words.rate(rate))">\
            <path class="ground" d="M0 \(Self.height)H\(width)"/>\(bars)</svg></li>
            """
    }

    private func bar(_ quarter: StationRate.Quarter, at index: Int, most: Int) -> HTML {
        let x = index * Self.width + 1
        // A single scan must be visible beside a thousand.
        func height(_ count: Int) -> Int {
            count == 0 ? 0 : max(2, count * Self.height / most)
        }
        let (filed, failed) = (height(quarter.filed), height(quarter.failed))
        let top = max(0, Self.height - filed - failed)
        return """
            <g><title>\(words.quarter(quarter))</title>\
            <rect class="read" x="\(x)" y="\(Self.height - filed)" width="\(Self.width - 2)" \
            height="\(filed)"/>\
            <rect class="not" x="\(x)" y="\(top)" width="\(Self.width - 2)" \
            height="\(min(failed, Self.height - filed))"/></g>
            """
    }
}
