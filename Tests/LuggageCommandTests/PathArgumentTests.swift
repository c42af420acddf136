import Foundation
import Testing

@Suite("A path that is no text")
struct PathArgumentTests {
    private let workplace: Workplace

    init() throws {
        workplace = try Workplace()
    }

    /// The program in a shell, for which `$bad` is a path that is no text, and `$good` the text by which
    /// it would be mistaken for another.
    private func shell(_ command: String) async throws -> Workplace.Run {
        try await workplace.shell(
            """
            bad=$(printf 'b\\377d'); good=$(printf 'b\\357\\277\\275d')
            luggage() { '\(Workplace.executable)' "$@"; }
            sample='\(Workplace.sample("tag-f432-dzmu.png"))'
            \(command)
            """
        )
    }

    @Test(
        "is refused where it is no picture, and leaves the file that it looks like alone",
        arguments: [
            "watch --once \"$bad\"", "watch --once --store \"$bad\" inbox",
            "watch --once --store=\"$bad\" inbox", "watch --once --metrics \"$bad\" inbox",
            "watch --configuration \"$bad\" inbox", "status --folder \"$bad\"",
            "retry --folder \"$bad\"", "list --store \"$bad\"",
            "scan --at origin --store \"$bad\" \"$sample\"", "export --output \"$bad\"",
            "import \"$bad\"", "backup \"$bad\"", "restore \"$bad\"", "check --folder \"$bad\"",
            "read --explain \"$bad\" \"$sample\"",
            "purge --pictures \"$bad\" --older-than 90d --names --yes",
        ]
    )
    func refused(arguments: String) async throws {
        let run = try await shell("mkdir \"$good\"; luggage \(arguments)")
        #expect(run.status == 64, "\(run.errors)")
        #expect(run.errors.contains(#"b\xFFd"#), "\(run.errors)")
        #expect(run.errors.contains("is not valid UTF-8"), "\(run.errors)")
        let left = try await shell("ls -A . \"$good\"")
        #expect(!left.output.contains("sqlite") && !left.output.contains("origin"))
    }

    @Test("is refused in a variable too", arguments: ["LUGGAGE_FOLDER", "LUGGAGE_STORE"])
    func variable(name: String) async throws {
        let run = try await shell("export \(name)=\"$bad\"; luggage watch --once")
        #expect(run.status == 78, "\(run.errors)")
        #expect(run.errors.contains("$\(name)") && run.errors.contains(#"b\xFFd"#), "\(run.errors)")
    }

    @Test("is that picture and no other one, in whatever order they are named")
    func pictures() async throws {
        let run = try await shell(
            """
            cp "$sample" "$bad"; cp '\(Workplace.sample("tag-9c41-dzmu.png"))' "$good"
            luggage read "$bad"; luggage read "$good"; luggage read "$good" "$bad"
            luggage read "$bad" "$good"
            """
        )
        #expect(run.status == 0, "\(run.errors)")
        let codes = run.output.split(separator: "\n").compactMap { line in
            ["F432BDB8", "9C417E05"].first { line.uppercased().contains($0) }
        }
        #expect(codes == ["F432BDB8", "9C417E05", "9C417E05", "F432BDB8", "F432BDB8", "9C417E05"])
    }

    @Test("is shown byte for byte, and never as another one")
    func shown() async throws {
        let run = try await shell(
            """
            echo no picture > "$bad"; mkdir folder; cp "$bad" "folder/$bad.png"; cp "$bad" "folder/$good.png"
            luggage read "$bad"; luggage read "$bad.png"; luggage read folder
            luggage read --format json "$bad"
            luggage scan --at origin "$bad" folder
            luggage scan --at origin --format json "$bad"
            mkdir "$bad.d"; luggage scan --at origin "$bad.d"
            """
        )
        let shown = run.output + run.errors
        let good = "folder/b\u{FFFD}d.png"
        #expect(!shown.replacing(good, with: "").contains("\u{FFFD}"), "\(shown)")
        #expect(shown.contains(good), "\(shown)")
        for words in [
            #"luggage: b\xFFd: "#, #"luggage: b\xFFd.png: No such file"#,
            #"luggage: folder/b\xFFd.png: "#, #"  b\xFFd: "#, #"  folder/b\xFFd.png: "#,
            #""image":"b\\xFFd""#, #"luggage: b\xFFd.d: there is no picture"#,
        ] {
            #expect(shown.contains(words), "\(words)\n\(shown)")
        }
    }

    @Test("is that of the folder to work in, and of no other one")
    func workingFolder() async throws {
        let run = try await shell(
            """
            mkdir "$bad" "$good"; cd "$bad"
            luggage scan --at origin --store record "$sample" >&2
            luggage scan --at origin --store ../above "$sample" >&2
            luggage list --store record --format csv | grep -c DZMU
            luggage export --store record --output all.json >&2
            ls -A . .. "../$good" | grep -v '^b'
            """
        )
        #expect(run.output.contains("all.json\nrecord\n"), "\(run)")
        #expect(run.output.contains("..:\nabove\n"), "\(run)")
        #expect(run.output.ranges(of: "record").count == 1, "\(run)")
    }

    @Test("is none of a folder that is gone, nor of one that is called as the system calls that")
    func removedFolder() async throws {
        let run = try await shell(
            """
            mkdir gone 'gone (deleted)'; cd gone; rmdir ../gone
            luggage scan --at origin --store record "$sample"; echo $?
            luggage export --output all.json --store record; echo $?
            """
        )
        #expect(run.output == "73\n66\n", "\(run)")
        #expect(try await shell("ls -A 'gone (deleted)'").output == "")
    }

    @Test("is refused where it could be either of two")
    func ambiguous() async throws {
        let run = try await shell(
            """
            cp "$sample" "$bad"; cp "$sample" "$good"
            luggage scan --at origin --station "$good" "$bad"
            """
        )
        #expect(run.status == 64, "\(run.errors)")
    }

    @Test("is tried again by its bytes, or as it is shown, and no other one with it")
    func retry() async throws {
        for name in ["$(printf 'x\\377.png')", "'x\\xFF.png'"] {
            let run = try await shell(
                """
                mkdir -p inbox/origin
                for name in "$(printf 'x\\377.png')" "$(printf 'x\\376.png')"; do
                    echo "$name" > "inbox/origin/$name"
                done
                luggage watch --once inbox 2>/dev/null
                luggage status --folder inbox
                luggage retry --folder inbox \(name)
                ls -b inbox/origin
                """
            )
            #expect(run.output.contains(#"x\xFE.png"#) && run.output.contains(#"x\xFF.png"#))
            #expect(run.output.hasSuffix("x\\xFF.png will be tried again\nx\\377.png\n"), "\(run)")
        }
    }
}
