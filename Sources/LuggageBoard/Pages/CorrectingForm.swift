internal import FoundationEssentials
package import LuggageTags

/// The form with which somebody corrects a bag: what was typed, and what was wrong with it.
package struct CorrectingForm {
    let showing: Showing
    let seal: HTML
    /// The bag as it is now.
    let bag: LuggageReport
    /// What was typed before; empty for a new form.
    var typed: [String: String] = [:]
    /// What to say above it.
    var notice: Notice?

    private var words: Words { showing.words }

    var html: HTML {
        """
        <h2>\(words.correct)</h2>
        \(HTML.given(notice) { $0.html })
        <form method="post" action="/bag/\(bag.id.uuidString)#correct" class="fields">
        \(seal)<input type="hidden" name="seen" value="\(Self.seen(bag))">
        <p class="hint">\(words.keepIfEmpty)</p>
        \(HTML.field("owner", hint(words.newOwner, bag.owner?.name.description), typed["owner"],
            attributes: "autocapitalize=\"characters\""))
        <label class="check"><input type="checkbox" name="nobody" value="1"\
        \(typed["nobody"] == nil ? "" : " checked")> \(words.nobodyOwnsIt)</label>
        \(HTML.field("weight", hint(words.newWeight, bag.weight.map { $0.text(in: showing.units) }),
            typed["weight"]))
        \(HTML.field("reason", words.reason, typed["reason"], attributes: "required maxlength=\"400\""))
        <p><button>\(words.save)</button>
        <a class="button plain" href="/bag/\(bag.id.uuidString)/changes">\(words.takeBack) …</a></p>
        </form>
        """
    }

    /// What a field is for, with the value that it would replace.
    private func hint(_ label: String, _ value: String?) -> String {
        value.map { "\(label); \(words.isNow($0))" } ?? label
    }

    /// What the bag said when the form was made: who corrects something else meanwhile is noticed.
    package static func seen(_ bag: LuggageReport) -> String {
        let owner = bag.owner.map { "\($0.givenName)/\($0.familyName)" } ?? "-"
        return "\(bag.weight.map { "\($0.bitPattern)" } ?? "-") \(owner)"
    }
}

/// A sentence above a form or a page, which screen readers say at once.
struct Notice {
    var sentence: String
    var isGood: Bool

    var html: HTML {
        """
        <p class="notice \(isGood ? "good" : "bad")" role="\(isGood ? "status" : "alert")">\
        \(HTML.sign(isGood ? .good : .bad))\(sentence)</p>
        """
    }
}

extension HTML {
    /// A field of a form with its name above it.
    static func field(
        _ name: StaticString,
        _ label: String,
        _ value: String?,
        type: StaticString = "text",
        attributes: StaticString = ""
    ) -> HTML {
        let (name, type, attributes) = (
            HTML(stringLiteral: name), HTML(stringLiteral: type), HTML(stringLiteral: attributes)
        )
        return """
            <label>\(label)<input type="\(type)" name="\(name)" value="\(value ?? "")" \
            autocomplete="off" spellcheck="false" \(attributes)></label>
            """
    }
}
