import Foundation
import TagPrinting
import TagDrawing
import Testing

/// A machine on which the scanner is installed as its instructions say, and what one does with it.
struct Scanner: Sendable {
    let machine: Machine

    /// Boots a machine and installs the scanner; it is not started.
    static func run(_ body: @Sendable (Scanner) async throws -> Void) async throws {
        try await Machine.run { machine in
            try await machine.shell(
                #"""
                set -e
                # Swift's libraries, where they are in somebody's home: a service cannot see that.
                ldd /run/build/luggage /run/build/luggage-sync | sed -nE 's|.*=> (/(home\|root)/[^ ]*) .*|\1|p' \
                    | xargs --no-run-if-empty cp --target-directory=/usr/local/lib
                ldconfig
                /run/source/systemd/install --build /run/build
                useradd --groups luggage-inbox alice
                """#
            )
            try await body(Scanner(machine: machine))
        }
    }

    /// Changes the service's settings, for this machine only.
    func configure(_ settings: String) async throws {
        let folder = machine.url("/etc/systemd/system/luggage-scanner.service.d")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("[Service]\n\(settings)\n".utf8).write(to: folder.appending(path: "test.conf"))
        try await machine.shell("systemctl daemon-reload")
    }

    /// Starts it, which succeeds once it says that it is ready.
    func start(_ unit: String = "luggage-scanner") async throws {
        try await machine.shell("systemctl start \(unit) || { journalctl -u \(unit); exit 1; }")
    }

    /// A property of the service.
    func property(_ name: String) async throws -> String {
        try await machine.shell("systemctl show --property=\(name) --value luggage-scanner")
    }

    /// Drops a sample as somebody does who may drop pictures, and lets nobody look at files.
    func drop(_ sample: String, into folder: String = "origin", as name: String) async throws {
        try await asAlice(
            "umask 077; cp /run/source/samples/\(sample).png /srv/luggage/\(folder)/\(name)"
        )
    }

    /// Runs commands as that person.
    @discardableResult
    func asAlice(_ commands: String) async throws -> String {
        try await machine.shell(
            "setpriv --reuid=alice --regid=alice --init-groups bash -ec '\(commands)'"
        )
    }

    /// Runs the program as the service's user, with the service's record.
    @discardableResult
    func luggage(_ arguments: String) async throws -> String {
        try await machine.shell(
            "STATE_DIRECTORY=/var/lib/luggage "
                + "setpriv --reuid=luggage --regid=luggage --init-groups luggage \(arguments)"
        )
    }

    /// Drops many small pictures, each of a bag of its own.
    func dropMany(_ numbers: Range<Int>) throws {
        let folder = machine.url("/srv/luggage/origin")
        for number in numbers {
            let payload = #"{"id":"\#(UUID())","owner":["D","ZMU"],"weight":\#(number + 1)}"#
            let picture = try QRSymbol(Array(payload.utf8)).image(module: 3).png(as: .grey1)
            // Complete from the first moment.
            let hidden = folder.appending(path: ".\(number)")
            try Data(picture).write(to: hidden)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o644],
                ofItemAtPath: hidden.path(percentEncoded: false)
            )
            let name = folder.appending(path: "\(number).png")
            try FileManager.default.moveItem(at: hidden, to: name)
        }
    }

    /// The names of the pictures in one of its folders.
    func pictures(in folder: String) throws -> Set<String> {
        let path = machine.url("/srv/luggage/\(folder)").path(percentEncoded: false)
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        return Set(names.filter { $0.hasSuffix(".png") && !$0.hasPrefix(".") })
    }

    /// How many scans are on record.
    func scans() async throws -> Int {
        let export = try await luggage("export --format json-lines")
        return export.split(separator: "\n").count { $0.contains("\"scan\"") }
    }
}
