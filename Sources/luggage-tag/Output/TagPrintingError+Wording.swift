internal import LuggageTags
internal import TagPrinting

// Remedies in terms of this program's options.

extension TagPrintingError {
    /// What is wrong, and what to do about it in options to type.
    var inOptions: String {
        let words: String? =
            switch remedy {
            case .largerPaper: "choose a larger --size"
            case .fewerDots: "choose a smaller --size or --dpi"
            case .roomForSymbol:
                "choose a larger --size, --correction L or --payload messagepack"
            default: remedy?.rawValue
            }
        return message + (words.map { "; \($0)" } ?? "")
    }
}
