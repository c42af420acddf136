import Foundation
import LuggageTags
import ObjectStore
import Testing

@testable import LuggageService

@Suite("Comparing folders with the record")
struct FolderCheckupTests {
    private let inbox: WatchedInbox
    private let layout: FolderLayout

    init() throws {
        inbox = try WatchedInbox()
        layout = FolderLayout(path: inbox.path)
    }

    /// Whose pictures are dropped; only root can have some of somebody else.
    static let owners = geteuid() == 0 ? [false, true] : [false]

    /// Files two pictures, one of them twice, and one that fails.
    private func fill(areOthers: Bool = false) async throws {
        try inbox.drop("a.png", tagPicture(1))
        try inbox.drop("b.png", tagPicture(2))
        try inbox.drop("no.png", Array("no picture".utf8))
        if areOthers { try inbox.giveAway() }
        try await inbox.watch(isOnce: true)
        try inbox.drop("again.png", tagPicture(1))
        if areOthers { try inbox.giveAway() }
        try await inbox.watch(isOnce: true)
        #expect(try inbox.names(in: "processed") == ["a.png", "b.png"])
        #expect(try inbox.names(in: "duplicates") == ["again.png"])
    }

    private func findings() async throws -> [RecordFinding] {
        try await FolderCheckup([layout], inbox.makeContainer()).findings()
    }

    /// What somebody does to the folders.
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var findings: [RecordFinding.Code: String] = [:]
        let done: @Sendable (WatchedInbox) throws -> Void
    }

    @Test(
        "what somebody has done to them is named, whoever has dropped the pictures",
        arguments: [
            Damage(testDescription: "nothing") { _ in },
            Damage(
                testDescription: "a picture was removed",
                findings: [.notOnDisk: "has filed, b.png cannot be found in these folders"]
            ) { try FileManager.default.removeItem(atPath: $0.path("b.png", in: "processed")) },
            Damage(testDescription: "a picture is still where it was dropped") {
                try FileManager.default.moveItem(
                    atPath: $0.path("b.png", in: "processed"),
                    toPath: $0.path("b.png")
                )
            },
            Damage(testDescription: "a picture is left as a duplicate only") {
                try FileManager.default.removeItem(atPath: $0.path("a.png", in: "processed"))
            },
            Damage(
                testDescription: "all pictures were removed",
                findings: [
                    .notOnDisk: "none of the pictures that origin has filed is in these folders"
                ]
            ) { inbox in
                for place in ["processed/a.png", "processed/b.png", "duplicates/again.png"] {
                    try FileManager.default.removeItem(atPath: "\(inbox.path)/\(place)")
                }
            },
            Damage(
                testDescription: "a picture was put among those that were filed",
                findings: [.notOnRecord: "processed/c.png is not on record"]
            ) { try $0.drop("c.png", tagPicture(3), in: "processed") },
            Damage(
                testDescription: "something else was put among the duplicates",
                findings: [.notOnRecord: "duplicates/c.txt is not on record"]
            ) { try $0.drop("c.txt", [1, 2, 3], in: "duplicates") },
            Damage(
                testDescription: "a picture was written to",
                findings: [
                    .changed: "b.png is not the file that was filed",
                    .notOnDisk: "of the pictures that origin has filed, b.png",
                ]
            ) { try $0.damage("b.png", in: "processed") },
            Damage(
                testDescription: "a picture was written to of which there is another copy",
                findings: [.changed: "processed/a.png is not the file that was filed"]
            ) { try $0.damage("a.png", in: "processed") },
            Damage(
                testDescription: "a picture was written to, and all others were removed",
                findings: [
                    .changed: "a.png is not the file that was filed",
                    .notOnDisk:
                        "of the pictures that origin has filed, a.png, b.png cannot be found",
                ]
            ) { inbox in
                try inbox.damage("a.png", in: "processed")
                for place in ["processed/b.png", "duplicates/again.png"] {
                    try FileManager.default.removeItem(atPath: "\(inbox.path)/\(place)")
                }
            },
            Damage(
                testDescription: "another file has got the number of a picture that was removed",
                findings: [
                    .notOnRecord: "processed/c.png is not on record",
                    .notOnDisk: "of the pictures that origin has filed, b.png",
                ]
            ) { inbox in
                try inbox.damage("b.png", in: "processed")
                try FileManager.default.moveItem(
                    atPath: inbox.path("b.png", in: "processed"),
                    toPath: inbox.path("c.png", in: "processed")
                )
            },
            Damage(
                testDescription: "a picture was moved to those that have failed",
                findings: [.misplaced: "b.png is on record, but"]
            ) {
                try FileManager.default.moveItem(
                    atPath: $0.path("b.png", in: "processed"),
                    toPath: $0.path("b.png", in: "failed")
                )
            },
            Damage(
                testDescription: "a folder was removed",
                findings: [.unreadable: "duplicates cannot be read"]
            ) { try FileManager.default.removeItem(atPath: "\($0.path)/duplicates") },
        ],
        owners
    )
    func damage(damage: Damage, areOthers: Bool) async throws {
        try await fill(areOthers: areOthers)
        try damage.done(inbox)
        let findings = try await findings()
        #expect(Set(findings.map(\.code)) == Set(damage.findings.keys), "\(findings)")
        #expect(findings.count == damage.findings.count)
        for finding in findings {
            let words = try #require(damage.findings[finding.code])
            #expect(finding.message.contains(words), "\(finding)")
            #expect(!finding.remedy.rawValue.isEmpty)
        }
    }

    @Test(
        "a picture that was changed is told from others where its name was taken",
        arguments: owners
    )
    func takenName(areOthers: Bool) async throws {
        for number in 1...11 {
            try inbox.drop("a.png", tagPicture(number))
            if areOthers { try inbox.giveAway() }
            try await inbox.watch(isOnce: true)
        }
        let names = try inbox.names(in: "processed")
        #expect(names.count == 11)
        let timed = try #require(names.first { $0.utf8.count > 12 })
        for name in ["a-2.png", timed] { try inbox.damage(name, in: "processed") }
        try inbox.drop("b-2.png", tagPicture(12), in: "processed")
        let findings = try await findings()
        for name in ["a-2.png", timed] {
            let finding = try #require(findings.first { $0.message.contains("processed/\(name)") })
            #expect(finding.code == .changed, "\(finding)")
        }
        #expect(
            findings.map(\.code.rawValue).sorted()
                == ["changed", "changed", "not-on-disk", "not-on-record"],
            "\(findings)"
        )
    }

    @Test("pictures are removed by their content, with their notes, and no others")
    func removal() async throws {
        try await fill()
        let container = try inbox.makeContainer()
        let digests = try container.makeContext().fetch(FetchRequest(Scan.self))
            .filter { ["a.png", "no.png"].contains($0.imageName) }.compactMap(\.imageDigest)
        let removal = PictureRemoval(layout)
        let planned = try await removal.run(Set(digests), isRehearsal: true)
        #expect(try inbox.names(in: "processed") == ["a.png", "b.png"])
        #expect(try await removal.run(Set(digests), isRehearsal: false) == planned)
        #expect(planned.count == 3)
        #expect(try inbox.names(in: "processed") == ["b.png"])
        #expect(try inbox.names(in: "duplicates").isEmpty)
        #expect(try inbox.names(in: "failed").isEmpty)
    }

    @Test("a name under which another station has filed is no sign of a change")
    func otherStation() async throws {
        try await fill()
        let other = try WatchedInbox()
        try other.drop("c.png", tagPicture(3))
        let (inbox, path) = (inbox, other.path)
        try await other.watch(isOnce: true) { _ in
        } changing: { parts in
            parts.configuration.station = "gate-5"
            parts.openStore = { try inbox.makeContainer() }
        }
        let named = inbox.path("c.png", in: "processed")
        try Data("another".utf8).write(to: URL(filePath: named))
        let findings = try await findings()
        #expect(Set(findings.map(\.code)) == [.notOnRecord, .notOnDisk], "\(findings)")
        for finding in findings {
            #expect(
                finding.message.contains("processed/c.png is not on record")
                    || finding.message.contains(
                        "none of the pictures that gate-5 has filed is in these folders"
                    ),
                "\(finding)"
            )
        }
        let both = [layout, FolderLayout(path: path)]
        let all = try await FolderCheckup(both, inbox.makeContainer()).findings()
        #expect(!all.contains { $0.code == .notOnDisk }, "\(all)")
    }
}
