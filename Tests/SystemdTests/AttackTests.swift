import Foundation
import Testing

/// What a member of the group that may drop pictures can do, who wants to change the record.
@Suite(
    "Whoever may drop pictures, and no more, and means harm",
    .enabled("another system can be booted beside this one") { await Machine.isAvailable },
    .serialized,
    .timeLimit(.minutes(30))
)
struct AttackTests {
    /// A way in which a folder is watched.
    struct Station: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var unit = "luggage-scanner"
        let folder: String
        /// The folder for dropping in that one; empty where it is the folder itself.
        var dropFolder = "origin"
        /// What the administrator does before the first start.
        var preparation = "true"

        static let all = [
            Station(testDescription: "the service", folder: "/srv/luggage"),
            Station(
                testDescription: "the service of a station",
                unit: "luggage-scanner@gate",
                folder: "/srv/luggage/gate"
            ),
            Station(
                testDescription: "the service of a station that an earlier version has set up",
                unit: "luggage-scanner@gate",
                folder: "/srv/luggage/gate",
                preparation: """
                    rule='a+ /srv/luggage - - - - default:user:luggage:rwx,default:group::rwx'
                    echo "$rule" >/run/earlier.conf
                    systemd-tmpfiles --create /run/earlier.conf
                    cd /srv/luggage
                    umask 0007
                    for folder in gate gate/{origin,destination,processed,duplicates,failed}; do
                        setpriv --reuid=luggage --regid=luggage --init-groups mkdir $folder
                    done
                    """
            ),
            Station(
                testDescription: "a folder that a group shares",
                folder: "/srv/shared",
                dropFolder: "",
                preparation: """
                    install --directory --mode=2770 --owner=luggage --group=luggage-inbox /srv/shared
                    mkdir --parents /etc/systemd/system/luggage-scanner.service.d
                    cat >/etc/systemd/system/luggage-scanner.service.d/shared.conf <<END
                    [Service]
                    ReadWritePaths=/srv/shared
                    Environment=LUGGAGE_FOLDER=/srv/shared LUGGAGE_AT=origin
                    END
                    systemctl daemon-reload
                    """
            ),
        ]
    }

    @Test("does not reach the record, nor what was filed", arguments: Station.all)
    func attack(station: Station) async throws {
        try await Scanner.run { scanner in
            let machine = scanner.machine
            let before = try await machine.mark()
            try await machine.shell(station.preparation)
            try await scanner.start(station.unit)
            let drop = "\(station.folder)/\(station.dropFolder)"
            try await scanner.drop("tag-f432-dzmu", into: "../..\(drop)", as: "a.png")
            try await machine.await("a.png: new: F432BDB8", of: station.unit, after: before)

            let journal = machine.url("/tmp/journal")
            try Data(Self.forgedJournal).write(to: journal)
            try await machine.shell("chmod 644 /tmp/journal")
            // Each of them, whatever becomes of the others.
            try await scanner.asAlice(
                """
                cd \(station.folder)
                for folder in failed duplicates processed; do
                    rm -rf $folder || mv $folder moved-$folder || true
                    ln -sfn /var/lib/luggage $folder || true
                done
                for folder in failed duplicates processed origin destination . ; do
                    ln -s /var/lib/luggage/luggage.sqlite $folder/luggage.sqlite-wal || true
                    cp /tmp/journal $folder/luggage.sqlite-journal.part || true
                    chmod 777 $folder || true
                done
                """
            )
            let names = "luggage.sqlite-journal"
            try await scanner.asAlice(
                "cp /tmp/journal \(drop)/.j; mv \(drop)/.j \(drop)/\(names)"
            )
            try await machine.await("\(names): ", of: station.unit, after: before)
            try await machine.shell("systemctl restart \(station.unit)")

            try await scanner.drop("tag-9c41-dzmu", into: "../..\(drop)", as: "b.png")
            try await machine.await("b.png: new: 9C41", of: station.unit, after: before)
            try await machine.shell("systemctl stop \(station.unit)")
            let list = try await scanner.luggage("list")
            #expect(list.contains("F432BDB8") && list.contains("9C417E05"), "\(list)")
            #expect(try await scanner.luggage("check").contains("the record is well"))
            let state = try await machine.shell("ls -A /var/lib/luggage")
            let own = ["", "-wal", "-shm", "-known"].map { "luggage.sqlite\($0)" }
            let isOwn = state.split(separator: "\n").allSatisfy { own.contains(String($0)) }
            #expect(isOwn, "\(state)")
            #expect(try scanner.pictures(in: "../..\(station.folder)/processed").count == 2)
            // Nothing but pictures is theirs to put anywhere.
            let writable = try await machine.shell(
                "find \(station.folder) -type d -perm /022 ! -perm -1000"
            )
            #expect(writable == "")
            let foreign = try await machine.shell(
                "find \(station.folder)/{processed,duplicates,failed} ! -user luggage -o -perm /022 -o -type l"
            )
            #expect(foreign == "")
        }
    }

    @Test("is told to start nothing where a folder was replaced before an update")
    func replacedBefore() async throws {
        let earlier = try #require(Station.all.first { $0.preparation.contains("earlier") })
        try await Scanner.run { scanner in
            let machine = scanner.machine
            try await machine.shell(earlier.preparation)
            try await scanner.asAlice(
                "cd \(earlier.folder); rmdir failed; ln -s /srv/luggage/processed failed"
            )
            let start = try await machine.attempt("systemctl start \(earlier.unit)")
            #expect(start.status != 0)
            let status = try await machine.shell(
                "systemctl show --property=ExecMainStatus --value \(earlier.unit)"
            )
            #expect(status == "78")
            let words = "\(earlier.folder)/failed is a link that somebody else has made; remove it"
            #expect(try await machine.journal(of: earlier.unit).contains(words))
        }
    }

    @Test("has the folders of a station with these rights")
    func rights() async throws {
        try await Scanner.run { scanner in
            let machine = scanner.machine
            try await scanner.start("luggage-scanner@gate")
            let rights = try await machine.shell(
                "cd /srv/luggage; stat --format='%a %U %G %n' gate gate/*"
            )
            #expect(
                rights.split(separator: "\n").map(String.init) == [
                    "2750 luggage luggage-inbox gate",
                    "3770 luggage luggage-inbox gate/destination",
                    "2750 luggage luggage-inbox gate/duplicates",
                    "2750 luggage luggage-inbox gate/failed",
                    "3770 luggage luggage-inbox gate/origin",
                    "2750 luggage luggage-inbox gate/processed",
                ]
            )
        }
    }

    /// A journal that SQLite would roll back: it makes an empty database of any one beside it.
    private static var forgedJournal: [UInt8] {
        func bytes(_ number: UInt32) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }
        let pageSize = 4096
        var page = Array("SQLite format 3\0".utf8) + [0x10, 0, 1, 1, 0, 64, 32, 32]
        page += bytes(1) + bytes(1) + bytes(0) + bytes(0) + bytes(0) + bytes(4)
        page += [UInt8](repeating: 0, count: 8) + bytes(1)
        page += [UInt8](repeating: 0, count: 32) + bytes(1) + bytes(3_040_000)
        page += [13, 0, 0, 0, 0, 0x10, 0, 0]
        page += [UInt8](repeating: 0, count: pageSize - page.count)
        var sum: UInt32 = 7
        for place in stride(from: pageSize - 200, to: 0, by: -200) { sum &+= UInt32(page[place]) }
        var header: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        header += bytes(1) + bytes(7) + bytes(1) + bytes(512) + bytes(UInt32(pageSize))
        header += [UInt8](repeating: 0, count: 512 - header.count)
        return header + bytes(1) + page + bytes(sum)
    }
}
