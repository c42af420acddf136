internal import ArgumentParser
internal import Foundation

/// A command that reads a picture, and how to understand it.
struct Reader {
    /// What it is called in the table.
    let name: String
    /// The program and its arguments; the picture's path comes last.
    let command: [String]
    let format: AnswerFormat

    /// The readers that need only their name.
    static let known = [
        Reader(
            name: "luggage",
            command: [beside("luggage"), "read", "--format", "json"],
            format: .luggage
        ),
        Reader(
            name: "zbarimg",
            command: [
                "zbarimg", "--nodbus", "-q", "--raw", "-Sdisable", "-Sqrcode.enable", "-Sbinary",
            ],
            format: .joined
        ),
        Reader(
            name: "zbarimg-text",
            command: ["zbarimg", "--nodbus", "-q", "--raw", "-Sdisable", "-Sqrcode.enable"],
            format: .lines
        ),
        Reader(
            name: "ZXingReader",
            command: ["ZXingReader", "-format", "QRCode"],
            format: .hexadecimal
        ),
        Reader(
            name: "zxing-cpp",
            command: ["python3", resource("zxing-cpp.py")],
            format: .base64
        ),
    ]

    init(name: String, command: [String], format: AnswerFormat) {
        self.name = name
        self.command = command
        self.format = format
    }

    /// Understands what `--reader` was given: the name of a known one, or
    /// `NAME=FORMAT:PROGRAM ARGUMENT…`; with the name of a known one as `FORMAT`, its format, and
    /// with no arguments its arguments as well.
    init(parsing text: String) throws {
        if let known = Self.known.first(where: { $0.name == text }) {
            self = known
            return
        }
        guard let equals = text.firstIndex(of: "="),
            let colon = text[equals...].firstIndex(of: ":")
        else {
            let names = Self.known.map(\.name).joined(separator: ", ")
            throw ValidationError(
                "--reader takes one of \(names), or NAME=FORMAT:PROGRAM ARGUMENT…, not '\(text)'"
            )
        }
        let kind = String(text[text.index(after: equals)..<colon])
        let command = text[text.index(after: colon)...].split(separator: " ").map(String.init)
        let known = Self.known.first { $0.name == kind }
        guard let format = known?.format ?? AnswerFormat(rawValue: kind), !command.isEmpty else {
            let formats = AnswerFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError(
                "'\(kind)' is no format of answers; there are \(formats), and the known readers"
            )
        }
        let usual = known.map { Array($0.command.dropFirst()) } ?? []
        self.init(
            name: String(text[..<equals]),
            command: command.count == 1 ? command + usual : command,
            format: format
        )
    }

    /// A program that was built with this one.
    static func beside(_ program: String) -> String {
        URL(filePath: CommandLine.arguments[0])
            .resolvingSymlinksInPath()
            .deletingLastPathComponent()
            .appending(path: program)
            .path(percentEncoded: false)
    }

    private static func resource(_ name: String) -> String {
        Bundle.module.bundleURL.appending(path: "Resources/\(name)").path(percentEncoded: false)
    }
}
