package import ArgumentParser
internal import Foundation
internal import System

extension ParsableCommand {
    /// The command that the words after the program's name call for.
    ///
    /// - Throws: What `ArgumentParser` throws; `ValidationError` where it would take a word for a command
    ///   that there is not.
    package static func parseWords() throws -> any ParsableCommand {
        let words = Array(CommandLine.arguments.dropFirst())
        // To the parser, help on what there is not is help on everything.
        if words.first == "help", let outline { try outline.checkCommands(words.dropFirst()) }
        return try parseAsRoot()
    }

    /// Ends the program after an error that `ArgumentParser` has words for: wrong usage, a call for help,
    /// or a status without words.
    ///
    /// What is wrong stands first, and how the command is used below it.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - command: The command that was running, if any had begun.
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
        // What the parser tells of an argument that is not what is wrong misleads.
        where cause == nil || !line.hasPrefix("Help:") {
            // A wrong value may be repeated in it, and must not steer the terminal.
            StandardError.line(String(line).onOneLine)
        }
        exit(withError: status)
    }

    /// How the command is used.
    private static func usage(of error: any Error, _ command: (any ParsableCommand)?) -> String {
        // What a command finds while it runs is not known to the parser as something of that command.
        guard let command, error is ValidationError else {
            return String(fullMessage(for: error).dropFirst("Error: \(message(for: error))".count))
        }
        let names = [configuration, type(of: command).configuration].compactMap(\.commandName)
        return """
            Usage: \(usageString(for: type(of: command)))
              See '\(names.joined(separator: " ")) --help' for more information.
            """
    }

    /// What the program tells about its commands and options.
    private static var outline: HelpDump.Command? {
        do {
            _ = try parseAsRoot(["--experimental-dump-help"])
            return nil
        } catch {
            let data = Data(fullMessage(for: error).utf8)
            return (try? JSONDecoder().decode(HelpDump.self, from: data))?.command
        }
    }

    /// Writes what was called for, such as help, and ends the program.
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

/// The sentences of `ArgumentParser`, said as the programs say theirs.
///
/// Its errors are not to be had but as sentences. One that is not known here stays as it is, but for how
/// it begins.
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
            if kind == "number" && !match.1.isEmpty
                && match.1.utf8.allSatisfy({ (0x30...0x39).contains($0) })
            {
                return "\(match.2): '\(match.1)' is too great a number"
            }
            return "\(match.2): \(match.4 ?? "'\(match.1)' is no \(kind)")"
        }
        if sentence.hasPrefix("Can't ") {
            let shells = CompletionShell.allCases.map(\.rawValue).joined(separator: ", ")
            return "there are completions for the shells \(shells); name one of them"
        }
        // Names of options and abbreviations stay.
        guard let first = sentence.first, sentence.dropFirst().first?.isLowercase == true else {
            return sentence
        }
        return first.lowercased() + sentence.dropFirst()
    }
}

extension HelpDump.Command {
    /// Looks whether something is wrong with the words of a command line of which the parser tells only
    /// what follows from it.
    ///
    /// - Parameters:
    ///   - words: The words after the program's name.
    ///   - message: The parser's words.
    /// - Returns: What is wrong, and what was probably meant; nil where it is what the parser says.
    fileprivate func mistake(in words: [String], behind message: String) -> String? {
        guard let first = words.first else { return nil }
        let command = self.command(named: first)
        if command == nil && subcommands != nil && !first.hasPrefix("-") { return noCommand(first) }
        // Without an option that is misspelled, what it would have said is missing.
        guard message.hasPrefix("Missing expected argument") else { return nil }
        let options = (command ?? self).options
        let typed = words.prefix { $0 != "--" }
        for word in typed where word.hasPrefix("--") {
            let option = String(word.prefix { $0 != "=" })
            if options.contains(option) { continue }
            let likely = Spelling.nearest(to: option, among: options)
            return "there is no option \(option)\(likely.map { "; did you mean \($0)?" } ?? "")"
        }
        // The parser takes what begins with one hyphen for options too, and drops it.
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

    /// Refuses words of a call for help that are no commands.
    fileprivate func checkCommands(_ words: some Sequence<String>) throws {
        var command = self
        for word in words where !word.hasPrefix("-") {
            guard let next = command.command(named: word) else {
                throw ValidationError(command.noCommand(word))
            }
            command = next
        }
    }

    private func command(named name: String) -> HelpDump.Command? {
        (subcommands ?? []).first { $0.commandName == name }
    }

    /// The long options, as they are typed.
    private var options: [String] {
        (arguments ?? []).flatMap { $0.names ?? [] }.filter { $0.kind == .long }.map(\.typed)
    }

    /// The options of one letter, as they are typed.
    private var letters: [Substring] {
        (arguments ?? []).flatMap { $0.names ?? [] }.filter { $0.kind == .short }.map {
            $0.typed[...]
        }
    }

    /// That there is no such command, and which there are.
    private func noCommand(_ word: String) -> String {
        let names = (subcommands ?? []).filter { $0.shouldDisplay != false }.map(\.commandName)
        if names.isEmpty { return "\(commandName) has no command '\(word)'" }
        let likely =
            Spelling.nearest(to: word, among: names).map { "did you mean \($0)? The" } ?? "the"
        return
            "there is no command '\(word)'; \(likely) commands are \(names.joined(separator: ", "))"
    }
}
