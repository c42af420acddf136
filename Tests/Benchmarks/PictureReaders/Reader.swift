internal import ArgumentParser
internal import Foundation

/// A command that reads a picture, and how to understand it.
package struct Reader: Sendable {
    /// What it is called in the table.
    package let name: String
    /// The program and its arguments; the picture's path comes last.
    package let command: [String]
    /// How it writes what it has read.
    package let format: AnswerFormat
    /// What to do where it is not there.
    package let remedy: String

    /// The readers that need only their name.
    package static let known = [
        Reader(
            name: "luggage",
            command: [beside("luggage"), "read", "--format", "json"],
            format: .luggage,
            remedy: "build it: BENCHMARK=1 swift build -c release"
        ),
        Reader(
            name: "zbarimg",
            command: [
                "zbarimg", "--nodbus", "-q", "--raw", "-Sdisable", "-Sqrcode.enable", "-Sbinary",
            ],
            format: .joined,
            remedy: "apt-get install zbar-tools"
        ),
        Reader(
            name: "zbarimg-text",
            command: ["zbarimg", "--nodbus", "-q", "--raw", "-Sdisable", "-Sqrcode.enable"],
            format: .lines,
            remedy: "apt-get install zbar-tools"
        ),
        Reader(
            name: "ZXingReader",
            command: ["ZXingReader", "-format", "QRCode"],
            format: .hexadecimal,
            remedy: "apt-get install zxing-cpp-tools"
        ),
        Reader(
            name: "zxing-cpp",
            command: ["python3", resource("zxing-cpp.py")],
            format: .base64,
            remedy: "pip install zxing-cpp==3.1.1 numpy Pillow"
        ),
        Reader(
            name: "opencv",
            command: ["python3", resource("opencv.py")],
            format: .base64,
            remedy: "pip install opencv-python-headless"
        ),
        Reader(
            name: "opencv-aruco",
            command: ["python3", resource("opencv.py"), "--aruco"],
            format: .base64,
            remedy: "pip install opencv-python-headless"
        ),
    ]

    /// Describes a reader.
    ///
    /// - Parameters:
    ///   - name: What it is called in the table.
    ///   - command: The program and its arguments.
    ///   - format: How it writes what it has read.
    ///   - remedy: What to do where it is not there.
    package init(
        name: String,
        command: [String],
        format: AnswerFormat,
        remedy: String = "check its path, its arguments and its format"
    ) {
        self.name = name
        self.command = command
        self.format = format
        self.remedy = remedy
    }

    /// Understands what `--reader` was given: the name of a known one, or
    /// `NAME=FORMAT:PROGRAM ARGUMENT…`; with the name of a known one as `FORMAT`, its format, and
    /// with no arguments its arguments as well.
    ///
    /// - Parameter text: What was given.
    /// - Throws: `ValidationError` when nobody can run or understand it.
    package init(parsing text: String) throws {
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
    ///
    /// - Parameter program: Its name.
    /// - Returns: Its path.
    package static func beside(_ program: String) -> String {
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
