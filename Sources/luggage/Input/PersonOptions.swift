internal import ArgumentParser
internal import FoundationEssentials
internal import LuggageTags
internal import SystemSupport

/// The person who changes the record by hand, or files pictures.
struct PersonOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Who does this; without it, your login name.", valueName: "name"))
    var by: String?

    func validate() throws {
        if let by, !by.isStationName {
            throw ValidationError("--by must have 1 to 64 characters, all of them visible")
        }
    }

    /// The name of the person.
    var author: String { by ?? Self.loginName }

    /// The person with a reason.
    func with(reason: String?) -> Responsibility {
        Responsibility(author: author, reason: reason ?? "")
    }

    /// Refuses a reason that could not be shown.
    static func check(reason: String?) throws {
        guard let reason else { return }
        let isBlank = reason.allSatisfy(\.isWhitespace)
        if isBlank || reason.count > 400 || reason.onOneLine != reason {
            throw ValidationError("--reason has 1 to 400 characters on one line")
        }
    }

    /// The login name; with `sudo`, that of the user who ran it.
    static var loginName: String {
        let environment = ProcessInfo.processInfo.environment
        let name = environment["SUDO_USER"] ?? ""
        let user = name.isStationName ? name : ProcessInfo.processInfo.userName
        return user.isStationName ? user : "unknown"
    }
}
