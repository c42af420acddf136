import Foundation
import Subprocess
import SystemPackage
import TestFolders
import Testing
import TestProcesses

/// What `systemd/install` lays out for a package, in a folder of its own.
private final class Package: Sendable {
    private let folder: TemporaryFolder
    private let prefix: String

    private static let installer = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "../../systemd/install")
        .standardizedFileURL
        .path(percentEncoded: false)

    /// What was built with these tests is beside them.
    private static let build = URL(filePath: CommandLine.arguments[0])
        .resolvingSymlinksInPath()
        .deletingLastPathComponent()
        .path(percentEncoded: false)

    init(prefix: String = "/usr") async throws {
        self.prefix = prefix
        folder = try TemporaryFolder()
        try await install("--build", Self.build)
    }

    /// Runs the installer for this package.
    @discardableResult
    func install(_ arguments: String...) async throws -> String {
        let all =
            ["--destdir", folder.path(""), "--prefix", prefix] + arguments
        return try await Self.run(Self.installer, all)
    }

    /// Runs a script for bash in the package.
    func bash(_ script: String) async throws -> String {
        try await Self.run("/bin/bash", ["-ec", script], in: folder.path)
    }

    /// The files in the package, below its root.
    var files: Set<String> {
        get async throws {
            let lines = try await bash("find . ! -type d")
            return Set(lines.split(separator: "\n").map { String($0.dropFirst()) })
        }
    }

    private static func run(
        _ program: String,
        _ arguments: [String],
        in folder: String? = nil
    ) async throws -> String {
        let run = try await Subprocess.run(
            .path(.init(program)),
            arguments: .init(arguments),
            workingDirectory: folder.map { .init($0) },
            platformOptions: .endingWithTests,
            output: .string(limit: 1 << 20),
            error: .string(limit: 1 << 20)
        )
        try #require(
            run.terminationStatus == .exited(0),
            "\(arguments): \(run.standardOutput)\(run.standardError)"
        )
        return run.standardOutput
    }
}

@Suite("The help that is installed", .timeLimit(.minutes(30)))
struct InstalledHelpTests {
    static let programs = ["luggage", "luggage-tag"]

    @Test(
        "is where shells and man look for it, and goes with the programs",
        arguments: [("/usr", "vendor-completions"), ("/opt/luggage", "site-functions")]
    )
    func places(prefix: String, zsh: String) async throws {
        let package = try await Package(prefix: prefix)
        let files = try await package.files
        for program in Self.programs {
            let expected = [
                "/bin/\(program)", "/share/bash-completion/completions/\(program)",
                "/share/zsh/\(zsh)/_\(program)",
                "/share/fish/vendor_completions.d/\(program).fish",
                "/share/man/man1/\(program).1",
            ]
            #expect(files.isSuperset(of: expected.map { prefix + $0 }))
        }
        // What makes manual pages is of no use to anybody later.
        #expect(!files.contains { $0.hasSuffix("luggage-manual") })
        try await package.install("--remove")
        #expect(try await package.files == [])
        #expect(try await package.bash("find . -path '*/share/*/*'") == "")
    }

    /// A line as somebody has typed it, and what the shell must offer.
    static let lines: [(line: String, offered: Set<String>)] = [
        ("luggage-tag pr", ["print"]),
        ("luggage-tag ", ["print", "new", "help"]),
        ("luggage-tag print --payload ", ["json", "xml-plist", "binary-plist", "messagepack"]),
        ("luggage-tag print --payload m", ["messagepack"]),
        ("luggage-tag print --format p", ["png", "pdf"]),
        ("luggage-tag print --corr", ["--correction"]),
        ("luggage expo", ["export"]),
        ("luggage scan --at d", ["destination"]),
        ("luggage file F432 --at o", ["origin"]),
        ("luggage import --report ", ["table", "json"]),
        ("luggage export --format js", ["json", "jsonl"]),
        ("luggage sync s", ["set-up", "status"]),
    ]

    @Test("completes in bash what was begun", arguments: lines)
    func complete(line: String, offered: Set<String>) async throws {
        let program = try #require(line.split(separator: " ").first)
        let package = try await Package()
        let answer = try await package.bash(
            """
            set +e
            PATH="$PWD/usr/bin:$PATH"
            source usr/share/bash-completion/completions/\(program)
            COMP_LINE='\(line)'
            COMP_POINT=${#COMP_LINE}
            COMP_WORDS=($COMP_LINE)
            [ "${COMP_LINE% }" = "$COMP_LINE" ] || COMP_WORDS+=("")
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            COMP_TYPE=9
            "$(complete -p \(program) | sed -E 's/.*-F ([^ ]+).*/\\1/')" \(program) \
                "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        )
        let words = answer.split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        #expect(Set(words).isSuperset(of: offered), "\(words)")
        let begun = line.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
        #expect(words.allSatisfy { $0.hasPrefix(begun) })
    }

    @Test("has no fault that its shell would find", arguments: programs, ["bash", "zsh", "fish"])
    func syntax(program: String, shell: String) async throws {
        let package = try await Package()
        let file = [
            "bash": "bash-completion/completions/\(program)",
            "zsh": "zsh/vendor-completions/_\(program)",
            "fish": "fish/vendor_completions.d/\(program).fish",
        ]
        let path = "usr/share/\(try #require(file[shell]))"
        #expect(try await package.bash("grep -c . \(path)") != "0\n")
        guard try await package.bash("command -v \(shell) || true") != "" else {
            print("\(shell) IS NOT INSTALLED: what completes \(program) in it is not tried")
            return
        }
        #expect(try await package.bash("\(shell) -n \(path) 2>&1") == "")
    }

    @Test("has a manual page of all commands, without a fault", arguments: programs)
    func manual(program: String) async throws {
        let package = try await Package()
        let page = "usr/share/man/man1/\(program).1"
        let commands = try await package.bash(
            "usr/bin/\(program) --help | sed -n '/SUBCOMMANDS:$/,$s/^  \\([a-z][a-z-]*\\) .*/\\1/p'"
        ).split(separator: "\n")
        #expect(!commands.isEmpty)
        let source = try await package.bash("cat \(page)")
        for command in commands { #expect(source.contains(".SS \"\(command)\"")) }
        #expect(source.hasPrefix(".TH \"") && source.utf8.allSatisfy { $0 < 0x80 })
        guard try await package.bash("command -v groff || true") != "" else {
            print("groff IS NOT INSTALLED: the manual page of \(program) is not set")
            return
        }
        #expect(try await package.bash("groff -man -Tascii -ww -z \(page) 2>&1") == "")
        let text = try await package.bash("groff -man -Tascii -P-cbou \(page)")
        #expect(text.contains("NAME\n       \(program) - "))
        // What the guide lists is checked where the guide is.
        let sections = ["EXIT STATUS", "ENVIRONMENT", "FILES", "SEE ALSO"]
        let places = sections.compactMap { text.range(of: "\n\($0)\n")?.lowerBound }
        try #require(places.count == sections.count, "\(text.suffix(4000))")
        #expect(places == places.sorted())
        #expect(text.contains("\n       66     no such input\n"))
        let words =
            program == "luggage" ? ["LUGGAGE_STORE", "/etc/luggage/luggage.yaml"] : ["fonts.conf"]
        #expect(words.allSatisfy(text.contains))
        // Whatever the help of a command names, those sections tell; a hook's variables are its own.
        let told = String(text[places[1]...])
        let variables = Set(text.matches(of: /\$([A-Z][A-Z_]+)/).map { String($0.1) })
            .subtracting(["LUGGAGE_EVENT", "LUGGAGE_PICTURE"])
        let files = Set(
            text.matches(of: #//(?:etc|var/lib)/luggage/[a-z.]+[a-z]/#).map { String($0.0) }
        )
        #expect(program != "luggage" || (variables.count >= 6 && files.count >= 2))
        for name in variables.union(files) { #expect(told.contains(name), "\(name)") }
        // Examples stand as they are typed.
        #expect(text.contains("\n           \(program) "))
    }
}
