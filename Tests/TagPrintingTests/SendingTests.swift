import Foundation
import TagPrinting
import TestFolders
import Testing

@Suite("A printer's address")
struct PrinterAddressTests {
    static let addresses: [(text: String, address: PrinterAddress)] = [
        ("office", .queue("office")), ("HP_LaserJet-4.2", .queue("HP_LaserJet-4.2")),
        ("/dev/usb/lp0", .device("/dev/usb/lp0")),
        ("socket://10.0.0.7", .socket(host: "10.0.0.7", port: 9100)),
        ("socket://zebra.local:6101", .socket(host: "zebra.local", port: 6101)),
        ("socket://[::1]:1", .socket(host: "::1", port: 1)),
        ("socket://[fe80::1%eth0]", .socket(host: "fe80::1%eth0", port: 9100)),
    ]

    @Test("is a name, a socket or a device", arguments: addresses)
    func parse(text: String, address: PrinterAddress) throws {
        #expect(try PrinterAddress(text) == address)
        #expect(try PrinterAddress(address.description) == address)
    }

    @Test(
        "is nothing else",
        arguments: [
            "", " ", "-d", "a b", "a/b", "a#b", "http://zebra", "socket://", "socket://:9100",
            "socket://a:0", "socket://a:65536", "socket://a:+1", "socket://a:", "socket://a:1:2",
            "socket://[::1", "socket://[]:1", "socket://a/b", "a\n", "/dev/\u{1B}[2J", "a\0b",
            String(repeating: "a", count: 128),
        ]
    )
    func refuse(text: String) {
        #expect(throws: TagPrintingError.self) { try PrinterAddress(text) }
    }
}

@Suite("A printer that takes ZPL as it is", .timeLimit(.minutes(30)))
struct PrinterStreamTests {
    /// More than the system keeps for a printer that does not read.
    private static let much = [UInt8](repeating: UInt8(ascii: "A"), count: 16 << 20)

    @Test("gets every byte, through a socket")
    func socket() async throws {
        let port = try ListeningPort()
        let received = port.takeAll()
        let stream = try PrinterStream(port.address)
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try stream.write(bytes)
        try stream.finish()
        #expect(await received.value == bytes)
    }

    @Test("is said to hang up where it does")
    func hangUp() async throws {
        let port = try ListeningPort()
        let end = port.hangUp(after: 1000)
        let error = try #require(throws: TagPrintingError.self) {
            let stream = try PrinterStream(port.address)
            try stream.write(Self.much)
            try stream.finish()
        }
        #expect(await end.value == 1000)
        #expect(error.code == .printer && error.description.contains("hung up"), "\(error)")
    }

    @Test("is said to take nothing where it does not read")
    func deaf() throws {
        let port = try ListeningPort()
        let stream = try PrinterStream(port.address, patience: .milliseconds(1500))
        let error = try #require(throws: TagPrintingError.self) { try stream.write(Self.much) }
        #expect(error.description.contains("has taken nothing for 1 s"), "\(error)")
    }

    @Test("is said to be out of reach where nobody listens")
    func nobody() throws {
        var port: ListeningPort? = try ListeningPort()
        let address = try #require(port?.address)
        port = nil
        let error = try #require(throws: TagPrintingError.self) {
            _ = try PrinterStream(address)
        }
        #expect(error.description.contains("cannot be reached: Connection refused"), "\(error)")
    }

    @Test("gets every byte, through a device")
    func device() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("lp0")
        try #require(unsafe mkfifo(path, 0o600) == 0)
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        // Both ends, so that opening waits for nobody.
        let reading = unsafe open(path, O_RDONLY | O_NONBLOCK)
        try #require(reading >= 0)
        let received = ListeningPort.takeAll(from: reading)
        try PrinterStream(.device(path)).write(bytes)
        #expect(await received.value == bytes)
    }

    @Test("is named where it is full, switched off, missing or none")
    func noDevice() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write([1], to: "file")
        let pipe = folder.path("off")
        try #require(unsafe mkfifo(pipe, 0o600) == 0)
        let rows: [(path: String, words: String)] = [
            ("/dev/full", "/dev/full takes no more: No space left on device"),
            (pipe, "switch the printer on"), (folder.path("lp9"), "connect the printer"),
            (file, "no printer but a file"), (folder.path(""), "cannot be opened"),
        ]
        for row in rows {
            let error = try #require(throws: TagPrintingError.self) {
                try PrinterStream(.device(row.path)).write([1])
            }
            #expect(error.code == .printer && error.description.contains(row.words), "\(error)")
        }
        #expect(try Data(contentsOf: URL(filePath: file)) == Data([1]))
    }
}

@Suite("A printer that CUPS knows")
struct PrinterQueueTests {
    /// Prints with a program in place of `lp`.
    private func print(_ script: String, as format: TagFileFormat = .pdf) throws -> TemporaryFolder
    {
        let folder = try TemporaryFolder()
        let program = try folder.write("#!/bin/sh\ncd '\(folder.path(""))'\n\(script)\n", to: "lp")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        let queue = try PrinterQueue("office", path: "/nowhere:\(folder.path(""))")
        while true {
            do {
                try queue.print(
                    Array("bytes".utf8),
                    as: format,
                    on: .label,
                    environment: ["PATH": "/usr/bin:/bin"]
                )
                return folder
            } catch let error as TagPrintingError
                where error.description.contains("Text file busy")
            {
                // The child of another test holds the script open until it runs its own program.
                sched_yield()
            }
        }
    }

    @Test(
        "gets the file, and how it is meant",
        arguments: [
            (TagFileFormat.pdf, "media=Custom.100.0x150.0mm -o print-scaling=none"), (.zpl, "raw"),
        ]
    )
    func take(format: TagFileFormat, options: String) throws {
        let folder = try print(
            #"echo "$@" >words; cat >file; echo request id is office-1"#,
            as: format
        )
        func text(_ name: String) throws -> String {
            try String(contentsOfFile: folder.path(name), encoding: .utf8)
        }
        #expect(try text("file") == "bytes")
        #expect(try text("words") == "-d office -t Luggage tags -o \(options)\n")
    }

    /// What may become of `lp`, and the words about it.
    static let failures = [
        ("echo 'lp: The printer or class does not exist.' >&2; exit 1", "class does not exist."),
        ("exit 3", "`lp` exited with status 3"), ("kill -9 $$", "was ended by SIGKILL"),
        ("head -c 100000 /dev/zero | tr '\\0' x; exit 1", "does not print the tags: xxx"),
        ("printf '\\033[2J\\n\\377'; exit 1", "does not print the tags"),
    ]

    @Test("is said not to print, in the words of `lp`", arguments: failures)
    func fail(script: String, words: String) throws {
        let error = try #require(throws: TagPrintingError.self) { try print(script) }
        #expect(error.code == .printer && error.description.contains(words))
        #expect(error.description.count < 20_000)
    }

    @Test("is said to need `lp` where there is none")
    func missing() throws {
        let error = try #require(throws: TagPrintingError.self) {
            try PrinterQueue("office", path: "/nowhere")
        }
        #expect(error.description.contains("cups-client"), "\(error)")
    }
}
