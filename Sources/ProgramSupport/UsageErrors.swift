package import ArgumentParser
internal import FoundationEssentials
internal import SystemSupport

extension ParsableCommand {
    /// Parses the words after the program's name into a command.
    ///
    /// - Throws: What `ArgumentParser` throws; `ValidationError` if it would take a word for a command
    ///   that does not exist.
    package static func parseWords() throws -> any ParsableCommand {
        let words = Array(CommandLine.arguments.dropFirst())
        // For an unknown command, the parser's help describes the whole program.
        if words.first == "help", let outline { try outline.checkCommands(words.dropFirst()) }
        let command = try parseAsRoot()
        if let twice = optionsGivenTwice(in: words) { end(twice, of: command) }
        return command
    }

    /// Finds an option that is given twice although it has one value.
    ///
    /// The parser would take the last value, and pass over the first without a word.
    ///
    /// - Parameter words: The words after the program's name, which the parser understands.
    /// - Returns: The error that names it; nil if each is given once.
    private static func optionsGivenTwice(in words: [String]) -> ValidationError? {
        let typed = words.prefix { $0 != "--" }.filter { $0.hasPrefix("-") }.map { word in
            String(word.prefix { $0 != "=" })
        }
        // The outline costs time, and is needed only if a word comes twice or has another form.
        let hasShort = typed.contains { !$0.hasPrefix("--") && $0 != "-" }
        guard hasShort || Set(typed).count < typed.count, let outline else { return nil }
        let options = outline.options(of: words)
        var given: Set<String> = []
        for word in typed {
            guard let option = options.first(where: { $0.names.contains(word) }) else { continue }
            if given.insert(option.key).inserted { continue }
            return ValidationError(
                "\(word) is given twice, and has one value; leave one of the two out"
            )
        }
        return nil
    }

    /// Ends the program after an error of `ArgumentParser`: wrong usage, a request for help, or a status.
    ///
    /// The message comes first, then the usage of the command.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - command: The running command, if one has begun.
    package static func end(_ error: any Error, of command: (any ParsableCommand)?) -> Never {
        let status = exitCode(for: error)
        if status.isSuccess { tell(fullMessage(for: error)) }
        let program = configuration.commandName ?? ""
        let message = Self.message(for: error)
        if status != .validationFailure {
            if !message.isEmpty { StandardError.complain(program, message) }
            exit(withError: status)
        }
        let words = Array(CommandLine.arguments.dropFirst())
        let cause = outline?.mistake(in: words, behind: message)
        StandardError.complain(program, cause ?? ParserWords.reworded(message))
        for line in usage(of: error, command).split(separator: "\n")
        // The parser's help on an argument misleads if the cause is another one.
        where cause == nil || !line.hasPrefix("Help:") {
            // It may repeat a wrong value, which must not steer the terminal.
            StandardError.line(String(line).onOneLine)
        }
        exit(withError: status)
    }

    private static func usage(of error: any Error, _ command: (any ParsableCommand)?) -> String {
        // The parser does not know which command has thrown an error while it ran.
        guard let command, error is ValidationError else {
            return String(fullMessage(for: error).dropFirst("Error: \(message(for: error))".count))
        }
        let names = [configuration, type(of: command).configuration].compactMap(\.commandName)
        return """
            Usage: \(usageString(for: type(of: command)))
              See '\(names.joined(separator: " ")) --help' for more information.
            """
    }

    /// The program's own description of its commands and options.
    private static var outline: HelpDump.Command? {
        do {
            _ = try parseAsRoot(["--experimental-dump-help"])
            return nil
        } catch {
            let data = Data(fullMessage(for: error).utf8)
            return (try? JSONDecoder().decode(HelpDump.self, from: data))?.command
        }
    }

    /// Writes requested text, such as help, and ends the program.
    private static func tell(_ text: String) -> Never {
        do {
            if !text.isEmpty { try StandardOutput.line(text) }
        } catch let failure as Failure {
            failure.end(configuration.commandName ?? "")
        } catch {
            exit(withError: error)
        }
        exit(withError: nil)
    }
}

/// Rewrites the sentences of `ArgumentParser` in the style of these programs.
///
/// Its errors are available only as sentences. An unknown sentence keeps its words, but begins with a
/// small letter.
enum ParserWords {
    /// The sentence in other words.
    static func reworded(_ sentence: String) -> String {
        if let match = sentence.wholeMatch(of: /Missing expected argument '(.*?)(?: \.\.\.)?'/) {
            return "\(match.1) is missing"
        }
        if let match = sentence.wholeMatch(of: /Missing value for '(\S+)(?: (.*))?'/) {
            return "\(match.1) needs a value\(match.2.map { ": \(match.1) \($0)" } ?? "")"
        }
        if let match = sentence.wholeMatch(
            of: /Unknown option '(.*?)'(?:\. Did you mean '(.*)'\?)?/
        ) {
            let likely = match.2.map { "; did you mean \($0)?" } ?? ""
            return "there is no option \(match.1)\(likely)"
        }
        let value = /The value '(.*?)' is invalid for '(.*?)(?: <(.*?)>)?'(?:: (.*))?/
            .dotMatchesNewlines()
        if let match = sentence.wholeMatch(of: value) {
            let kind = match.3 ?? match.2.dropFirst().dropLast()
            if match.4 == nil && kind == "number" && !match.1.isEmpty
                && match.1.utf8.allSatisfy({ (0x30...0x39).contains($0) })
            {
                return "\(match.2): '\(match.1)' is too large a number"
            }
            return "\(match.2): \(match.4 ?? "'\(match.1)' is not a valid \(kind)")"
        }
        if sentence.hasPrefix("Can't ") {
            let shells = CompletionShell.allCases.map(\.rawValue).joined(separator: ", ")
            return "there are completions for the shells \(shells); name one of them"
        }
        // Names of options, and abbreviations, keep their capital letter.
        guard let first = sentence.first, sentence.dropFirst().first?.isLowercase == true else {
            return sentence
        }
        return first.lowercased() + sentence.dropFirst()
    }
}

extension HelpDump.Command {
    /// Finds a mistake in a command line of which the parser reports only the consequence.
    ///
    /// - Parameters:
    ///   - words: The words after the program's name.
    ///   - message: The parser's message.
    /// - Returns: What is wrong, and what was probably meant; nil if the parser's message is right.
    fileprivate func mistake(in words: [String], behind message: String) -> String? {
        guard let first = words.first else { return nil }
        let command = self.command(named: first)
        if command == nil && subcommands != nil && !first.hasPrefix("-") { return noCommand(first) }
        // If an option is misspelled, the parser reports that its value is missing.
        guard message.hasPrefix("Missing expected argument") else { return nil }
        let options = (command ?? self).options
        let typed = words.prefix { $0 != "--" }
        for word in typed where word.hasPrefix("--") {
            let option = String(word.prefix { $0 != "=" })
            if options.contains(option) { continue }
            let likely = Spelling.nearest(to: option, among: options)
            return "there is no option \(option)\(likely.map { "; did you mean \($0)?" } ?? "")"
        }
        // The parser also takes words with one hyphen for options, and drops them.
        let known = (command ?? self).letters
        let word = typed.first {
            $0.hasPrefix("-") && $0.count > 1 && !$0.hasPrefix("--")
                && !known.contains($0.prefix(2))
        }
        if let word {
            return
                "'\(word)' begins with a hyphen, as options do; leave the hyphen out, or write -- and "
                + "a blank before it"
        }
        return nil
    }

    /// Refuses unknown commands in a request for help.
    fileprivate func checkCommands(_ words: some Sequence<String>) throws {
        var command = self
        for word in words where !word.hasPrefix("-") {
            guard let next = command.command(named: word) else {
                throw ValidationError(command.noCommand(word))
            }
            command = next
        }
    }

    /// The options that have one value, of the command that words begin with: the names of each, as the
    /// user types them.
    fileprivate func options(of words: [String]) -> [(key: String, names: [String])] {
        var command = self
        for word in words {
            guard let next = command.command(named: word) else { break }
            command = next
        }
        return (command.arguments ?? []).compactMap { argument in
            guard argument.kind == .option, argument.isRepeating != true else { return nil }
            let names = (argument.names ?? []).map(\.typed)
            return names.last.map { ($0, names) }
        }
    }

    private func command(named name: String) -> HelpDump.Command? {
        (subcommands ?? []).first { $0.commandName == name }
    }

    /// The long options, as the user types them.
    private var options: [String] {
        (arguments ?? []).flatMap { $0.names ?? [] }.filter { $0.kind == .long }.map(\.typed)
    }

    /// The one-letter options, as the user types them.
    private var letters: [Substring] {
        (arguments ?? []).flatMap { $0.names ?? [] }.filter { $0.kind == .short }.map {
            $0.typed[...]
        }
    }

    /// The message that there is no such command, with the existing ones.
    private func noCommand(_ word: String) -> String {
        let names = (subcommands ?? []).filter { $0.shouldDisplay != false }.map(\.commandName)
        if names.isEmpty { return "\(commandName) has no command '\(word)'" }
        let likely =
            Spelling.nearest(to: word, among: names).map { "did you mean \($0)? The" } ?? "the"
        return
            "there is no command '\(word)'; \(likely) commands are \(names.joined(separator: ", "))"
    }
}
