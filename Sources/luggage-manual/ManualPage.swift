internal import FoundationEssentials
internal import ProgramSupport
internal import SystemSupport

/// A manual page of a program, in roff.
struct ManualPage {
    private let program: String
    private var lines: [String] = []

    /// The whole page.
    var text: String { lines.joined(separator: "\n") + "\n" }

    /// Writes a page.
    ///
    /// - Parameters:
    ///   - command: The program.
    ///   - version: Its version.
    ///   - others: The programs for "SEE ALSO".
    init(_ command: HelpDump.Command, version: String, seeAlso others: [String]) {
        program = command.commandName
        lines.append(
            ".TH \(quoted(program.uppercased())) 1 \"\" \(quoted("\(program) \(version)")) "
                + quoted("User Commands")
        )
        // Neither justified nor hyphenated: people copy commands from here.
        lines += [".ad l", ".nh", ".SH NAME"]
        let abstract = (command.abstract ?? "").trimmed.withoutFullStop
        lines.append("\(escaped(program)) \\- \(escaped(abstract))")
        lines.append(".SH SYNOPSIS")
        lines.append(synopsis(command, named: [program]))
        lines.append(".SH DESCRIPTION")
        add(discussion: command.discussion)
        if !command.shownCommands.isEmpty { lines.append(".SH COMMANDS") }
        for inner in command.shownCommands { add(inner, within: [program]) }
        lines.append(".SH OPTIONS")
        for argument in command.shownArguments { add(argument) }
        if let facts = ProgramFacts.all.first(where: { $0.program == program }) { add(facts) }
        if !others.isEmpty {
            lines.append(".SH SEE ALSO")
            lines.append(others.map { "\\fB\(escaped($0))\\fR(1)" }.joined(separator: ",\n"))
        }
    }

    private mutating func add(_ command: HelpDump.Command, within names: [String]) {
        let names = names + [command.commandName]
        lines.append(".SS \(quoted(command.commandName))")
        lines.append(synopsis(command, named: names))
        lines.append(".PP")
        add(paragraph: command.abstract ?? "")
        add(discussion: command.discussion)
        var title: String?
        for argument in command.shownArguments where !argument.isEverywhere {
            if let next = argument.sectionTitle, next != title {
                lines += [".PP", "\\fI\(escaped(next))\\fR"]
            }
            title = argument.sectionTitle
            add(argument)
        }
        for inner in command.shownCommands { add(inner, within: names) }
    }

    private mutating func add(_ facts: ProgramFacts) {
        let statuses = facts.statuses.map { ("\($0.rawValue)", "\($0.meaning)") }
        let sections = [
            ("EXIT STATUS", statuses),
            ("ENVIRONMENT", facts.environment.map { ($0.name, $0.meaning) }),
            ("FILES", facts.files.map { ($0.name, $0.meaning) }),
        ]
        for (heading, entries) in sections {
            lines.append(".SH \(heading)")
            for (name, meaning) in entries {
                let names = name.components(separatedBy: ", ").map { "\\fB\(escaped($0))\\fR" }
                lines += [".TP", names.joined(separator: ", "), escaped(meaning)]
            }
        }
    }

    private func synopsis(_ command: HelpDump.Command, named names: [String]) -> String {
        let arguments = command.shownArguments
        var parts = ["\\fB\(escaped(names.joined(separator: " ")))\\fR"]
        if !command.shownCommands.isEmpty { parts.append("\\fIcommand\\fR") }
        if arguments.contains(where: { $0.kind != .positional && $0.isOptional != false }) {
            parts.append("[\\fIoption\\fR\\ ...]")
        }
        for argument in arguments where argument.kind == .option && argument.isOptional == false {
            parts.append(term(argument))
        }
        for argument in arguments where argument.kind == .positional {
            let name = valueName(of: argument)
            let repeated = name + (argument.isRepeating == true ? "\\ ..." : "")
            parts.append(argument.isOptional == true ? "[\(repeated)]" : repeated)
        }
        return parts.joined(separator: " ")
    }

    private mutating func add(_ argument: HelpDump.Argument) {
        lines.append(".TP")
        lines.append(term(argument))
        var text = argument.abstract?.trimmed ?? ""
        if let value = argument.defaultValue, !value.isEmpty { text += " (default: \(value))" }
        add(paragraph: text)
        for paragraph in (argument.discussion ?? "").paragraphs {
            lines.append(".IP")
            add(paragraph: paragraph.joined(separator: " "))
        }
    }

    /// An argument as the user types it.
    private func term(_ argument: HelpDump.Argument) -> String {
        let value = valueName(of: argument)
        if argument.kind == .positional { return value }
        let names = (argument.names ?? []).map { "\\fB\(escaped($0.typed))\\fR" }
            .joined(separator: ", ")
        return argument.kind == .flag ? names : "\(names) \(value)"
    }

    /// The name of its value; a list of words may go on in the next line after each of them.
    private func valueName(of argument: HelpDump.Argument) -> String {
        let name = escaped(argument.valueName ?? "value").replacing("|", with: "|\\:")
        return "\\fI\(name)\\fR"
    }

    /// Adds paragraphs; examples keep their lines.
    private mutating func add(discussion: String?) {
        // The statuses have their own section.
        for paragraph in (discussion ?? "").paragraphs
        where paragraph.first?.hasPrefix(ProgramFacts.statusHeading) != true {
            lines.append(".PP")
            guard paragraph.contains(where: isExample) else {
                add(paragraph: paragraph.joined(separator: " "))
                continue
            }
            // The lines before the examples are a sentence.
            let sentence = paragraph.prefix { !isExample($0) }
            if !sentence.isEmpty { add(paragraph: sentence.joined(separator: " ")) }
            lines += [".RS 4", ".nf"]
            lines += paragraph.dropFirst(sentence.count).map { escaped($0.trimmed) }
            lines += [".fi", ".RE"]
        }
    }

    private mutating func add(paragraph text: String) {
        if !text.isEmpty { lines.append(escaped(text)) }
    }

    private func isExample(_ line: String) -> Bool {
        let words = line.split(separator: " ")
        return words.contains { $0 == program } && words.count > 1
            && (line.hasPrefix(" ") || words[0] == program)
    }

    private func quoted(_ text: String) -> String {
        "\"\(escaped(text).replacing("\"", with: "\\(dq"))\""
    }

    /// The text, with everything escaped that `man` would take for a command or for typography.
    private func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
            .replacing("'", with: "\\(aq").replacing("`", with: "\\(ga")
            .replacing("^", with: "\\(ha").replacing("~", with: "\\(ti")
            .replacing("…", with: "...")
        // Independent of the reader's character set.
        let letters = plain.unicodeScalars.map { scalar in
            scalar.isASCII ? String(scalar) : "\\[u\(scalar.digits)]"
        }
        return (plain.hasPrefix(".") ? "\\&" : "") + letters.joined()
    }
}

extension String {
    fileprivate var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }

    /// The blocks of lines between empty lines.
    fileprivate var paragraphs: [[String]] {
        split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            .split { $0.trimmed.isEmpty }.map(Array.init)
    }
}

extension Unicode.Scalar {
    /// The number in hexadecimal digits, of which troff wants four at least.
    fileprivate var digits: String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
