internal import FoundationEssentials
internal import LuggageTags

/// Bags, one a row; on a narrow screen, one a card.
struct BagTable {
    let showing: Showing
    let bags: [LuggageReport]

    private var words: Words { showing.words }

    var html: HTML {
        """
        <table class="bags">
        <thead><tr><th scope="col">\(words.bag)</th><th scope="col">\(words.owner)</th>
        <th scope="col" class="number">\(words.weight)</th><th scope="col">\(words.departed)</th>
        <th scope="col">\(words.arrived)</th></tr></thead>
        <tbody>\(bags.map(row))</tbody>
        </table>
        """
    }

    private func row(_ bag: LuggageReport) -> HTML {
        let isLate = showing.isLate(bag)
        return """
            <tr\(HTML.when(isLate, " class=\"late\""))>
            <th scope="row">\(HTML.bag(bag.id))</th>
            <td data-name="\(words.owner)">\(HTML.owner(bag.owner))</td>
            <td data-name="\(words.weight)" class="number">\(showing.weight(bag.weight))</td>
            <td data-name="\(words.departed)">\(moment(bag.departedAt))</td>
            <td data-name="\(words.arrived)">\(arrival(bag, isLate: isLate))</td>
            </tr>
            """
    }

    private func moment(_ date: Date?) -> HTML {
        date.map { HTML.time($0) } ?? .none
    }

    private func arrival(_ bag: LuggageReport, isLate: Bool) -> HTML {
        guard bag.missing(at: showing.date) != nil, let departed = bag.departedAt else {
            return moment(bag.arrivedAt)
        }
        let word = isLate ? words.overdue : words.isMissing
        return """
            <span class="state">\(HTML.sign(isLate ? .late : .news))\(word), \
            \(showing.age(departed))</span>
            """
    }
}
