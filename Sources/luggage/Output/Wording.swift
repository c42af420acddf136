internal import FoundationEssentials
internal import LuggageTags
internal import ObjectStore

// Words that are the same in every command.

extension UUID {
    /// What is enough for a person, and for `luggage show`.
    var short: String { bagName }
}

extension Int {
    /// A number of things: `1 bag`, `2 bags`.
    func counted(_ singular: String, _ plural: String? = nil) -> String {
        "\(self) \(self == 1 ? singular : plural ?? singular + "s")"
    }
}
