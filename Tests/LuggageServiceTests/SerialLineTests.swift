import Foundation
import TestFolders
import Testing

@testable import LuggageService

@Suite("A serial line")
struct SerialLineTests {
    private let folder: TemporaryFolder
    private let scanner: SerialScanner

    init() throws {
        folder = try TemporaryFolder()
        scanner = SerialScanner(at: folder.path("scanner"))
    }

    /// Why a line cannot be opened; nil if it can.
    private func refusal(_ path: String, baud: Int = 9600) -> SerialLineError? {
        do throws(SerialLineError) {
            _ = try SerialLine(path: path, baud: baud)
            return nil
        } catch {
            return error
        }
    }

    /// Waits until a line has something to read, or has hung up.
    private func wait(for line: borrowing SerialLine) {
        var polled = pollfd(fd: line.descriptor, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&polled, 1, -1) < 1 {}
    }

    @Test("gives every byte as it is, and has no echo")
    func rawBytes() throws {
        try scanner.plug()
        let line = try SerialLine(path: scanner.path, baud: 9600)
        let sent = (0...255).map { UInt8($0) }
        try scanner.send(sent)
        var got: [UInt8] = []
        while got.count < sent.count {
            wait(for: line)
            if case .bytes(let bytes) = line.read() { got += bytes }
        }
        #expect(got == sent)
        guard case .nothing = line.read() else {
            Issue.record("more has come")
            return
        }
        scanner.unplug()
        wait(for: line)
        guard case .end = line.read() else {
            Issue.record("it goes on")
            return
        }
    }

    @Test("is nobody else's while it is open, and free afterwards")
    func exclusive() throws {
        try scanner.plug()
        do {
            let line = try SerialLine(path: scanner.path, baud: 9600)
            let error = try #require(refusal(scanner.path))
            #expect(error.isBusy && error.words.hasPrefix("is in use by another program"))
            withExtendedLifetime(line.descriptor) {}
        }
        #expect(refusal(scanner.path) == nil)
    }

    @Test("is not taken from a program that holds its lock")
    func held() throws {
        try scanner.plug()
        let other = unsafe open(scanner.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(other) }
        try #require(flock(other, LOCK_EX) == 0)
        #expect(refusal(scanner.path)?.isBusy == true)
    }

    @Test("is absent while nothing is there, and while a link leads to nothing")
    func absent() throws {
        #expect(refusal(scanner.path)?.isAbsent == true)
        try scanner.plug()
        scanner.unplug()
        #expect(refusal(scanner.path)?.isAbsent == true)
        try folder.write("", to: "file")
        #expect(refusal(folder.path("file/scanner"))?.words == "is not plugged in")
    }

    @Test(
        "that this user may not open is refused with the remedy",
        .enabled("root may open anything") { geteuid() != 0 }
    )
    func forbidden() throws {
        try scanner.plug()
        try #require(unsafe chmod(scanner.path, 0) == 0)
        #expect(refusal(scanner.path)?.words.contains("dialout") == true)
    }

    @Test("has the speed that it was given", arguments: SerialLine.speeds.keys.sorted())
    func speed(baud: Int) throws {
        try scanner.plug()
        let line = try SerialLine(path: scanner.path, baud: baud)
        var settings = termios()
        try #require(unsafe tcgetattr(line.descriptor, &settings) == 0)
        #expect(unsafe cfgetospeed(&settings) == SerialLine.speeds[baud])
        #expect(settings.c_lflag & tcflag_t(ECHO | ICANON | ISIG) == 0)
        #expect(settings.c_iflag & tcflag_t(ICRNL | IXON | ISTRIP) == 0)
        #expect(settings.c_cflag & tcflag_t(CSIZE) == tcflag_t(CS8))
    }
}
