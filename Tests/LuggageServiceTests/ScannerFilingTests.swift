import Foundation
import LuggageTags
import ObjectStore
import Synchronization
import SystemSupport
import Testing

@testable import LuggageService

@Suite("Filing what scanners send while the record cannot be written", .timeLimit(.minutes(30)))
struct ScannerFilingTests {
    /// Keeps a record locked, as another program may.
    private final class Lock: Sendable {
        private let isHeld: TimedWait<Bool>

        /// Returns when the record is locked.
        init(on station: ListeningStation) throws {
            let (container, isHeld) = (try station.makeContainer(), TimedWait(false))
            self.isHeld = isHeld
            DetachedThread.startPatiently {
                try? container.transaction { context in
                    _ = try context.count(FetchRequest(Scan.self))
                    isHeld.change { ($0 = true, .toTell) }
                    isHeld.wait { $0 ? .wait(until: nil) : .found(()) }
                }
                isHeld.change { ($0 = true, .toTell) }
            }
            isHeld.wait { $0 ? .found(()) : .wait(until: nil) }
        }

        /// Gives the record back.
        func release() {
            isHeld.change { ($0 = false, .toTell) }
            isHeld.wait { $0 ? .found(()) : .wait(until: nil) }
        }
    }

    private let station: ListeningStation
    private let filing: ScannerFiling
    private let wake = WakeSignal()
    private let told: AsyncStream<ListeningStation.Event>
    private let troubles: AsyncStream<String?>

    init() throws {
        station = try ListeningStation()
        let (told, tell) = AsyncStream.makeStream(of: ListeningStation.Event.self)
        let (troubles, complain) = AsyncStream.makeStream(of: String?.self)
        (self.told, self.troubles) = (told, troubles)
        let store = try ServiceStore(.init(path: station.store)) { [station] in
            try station.makeContainer()
        }
        filing = ScannerFiling(
            WatchConfiguration(folder: ""),
            RecordWriting(store) { complain.yield($0?.code) },
            wake: wake
        ) { _, reports in
            let report = reports?.first
            let filed = report.map {
                ListeningStation.Event.filed($0.outcome, reason: nil, bag: $0.luggage?.id)
            }
            tell.yield(filed ?? .lost)
        }
    }

    private func arrival(_ payload: [UInt8], second: Double = 0) -> ListenLoop.Arrival {
        ListenLoop.Arrival(
            frame: .success(payload),
            device: "/dev/ttyACM0",
            scanners: .init(device: "/dev/ttyACM0", point: .origin, station: "gate-4"),
            date: Date(timeIntervalSince1970: 1_600_000_000 + second)
        )
    }

    @Test("keeps everything, and files it at the times at which it came")
    func lockedRecord() async throws {
        let lock = try Lock(on: station)
        let count = 300
        for number in 0..<count {
            let bag = try ListenServiceTests.bag(0, number)
            filing.take(arrival(ListenServiceTests.payload(bag), second: Double(number)))
        }
        var troubles = troubles.makeAsyncIterator()
        #expect(await troubles.next(isolation: #isolation) == "locked")
        #expect(try station.scannedBags() == [])
        lock.release()
        await filing.finish()
        #expect(try Set(station.scannedBags()).count == count)
        let times = try station.makeContainer().read { context in
            try context.fetch(FetchRequest(Scan.self).sorted(by: \.scannedAt)).map {
                $0.scannedAt.timeIntervalSince1970 - 1_600_000_000
            }
        }
        #expect(times == (0..<count).map { Double($0) })
        await filing.close()
    }

    @Test("reads no further when too much waits, and goes on when that is filed")
    func full() async throws {
        let lock = try Lock(on: station)
        let payload = [UInt8](repeating: 65, count: PayloadFraming.longest)
        var count = 0
        while !filing.isFull {
            filing.take(arrival(payload, second: Double(count) * 60))
            count += 1
        }
        #expect(count == 128)
        lock.release()
        await filing.finish()
        #expect(!filing.isFull)
        var polled = pollfd(fd: try #require(wake.descriptor), events: Int16(POLLIN), revents: 0)
        #expect(unsafe poll(&polled, 1, 0) == 1)
        #expect(try station.outcomes().count == count)
        await filing.close()
    }

    @Test("tells what it could not file before the stop")
    func stop() async throws {
        let lock = try Lock(on: station)
        for number in 0..<3 {
            filing.take(arrival(ListenServiceTests.payload(try ListenServiceTests.bag(0, number))))
        }
        filing.stop()
        await filing.finish()
        var told = told.makeAsyncIterator()
        for _ in 0..<3 {
            #expect(await told.next(isolation: #isolation)?.words == "lost")
        }
        lock.release()
        await filing.close()
        #expect(try station.scannedBags() == [])
    }
}
