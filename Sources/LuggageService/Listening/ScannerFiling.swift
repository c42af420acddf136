internal import LuggageTags
internal import Synchronization
internal import SystemSupport

/// Files what scanners have sent, in the order in which it came, and keeps it until it is on the disk.
final class ScannerFiling: Sendable {
    /// The most payloads that wait to be filed; then nothing more is read.
    static let most = 10_000
    /// The most bytes of payloads that wait.
    private static let mostBytes = 8 << 20
    /// How many payloads in a row that are of no format of tags make a device noise.
    ///
    /// A name with wildcards may fit a device that is no scanner, such as a receiver of satellites, which
    /// sends lines for ever. They must not fill the record. A tag that is only misprinted is no noise: a
    /// scanner sends those of a whole roll.
    static let mostFailures = 20

    private struct UnderWay {
        var count = 0
        var bytes = 0
        /// When the last one was filed, or the first one came that is not.
        var lastStep = ContinuousClock.now
        var waiting: [CheckedContinuation<Void, Never>] = []
        /// How many of the last payloads of each device were of no format of tags.
        var failures: [String: Int] = [:]

        var isFull: Bool { count >= most || bytes >= mostBytes }
    }

    /// The results of payloads; nil if the service is stopping and nothing of one is on record.
    private let queue: RecordQueue<ReadPicture, [ScanReport]?>
    private let configuration: WatchConfiguration
    private let wake: WakeSignal
    private let tell: @Sendable (ListenLoop.Arrival, [ScanReport]?) -> Void
    private let tellNoise: @Sendable (_ device: String) -> Void
    private let underWay = Mutex(UnderWay())

    /// Makes a filing.
    ///
    /// - Parameters:
    ///   - configuration: Says where the scanners are.
    ///   - writing: Writes to the record.
    ///   - wake: Is raised when scanners may be read again.
    ///   - tellNoise: Receives a device from which nothing but tags is filed from now on.
    ///   - tell: Receives the results, in order; nil for what could not be filed before the stop.
    init(
        _ configuration: WatchConfiguration,
        _ writing: RecordWriting,
        wake: WakeSignal,
        tellNoise: @escaping @Sendable (_ device: String) -> Void = { _ in },
        tell: @escaping @Sendable (ListenLoop.Arrival, [ScanReport]?) -> Void
    ) {
        self.configuration = configuration
        self.wake = wake
        self.tellNoise = tellNoise
        self.tell = tell
        queue = RecordQueue(writing, gathering: BatchGathering(readers: 1)) { pictures in
            let written = writing.write { try $0.record(pictures) }
            return written?.outcomes ?? pictures.map { _ in nil }
        }
    }

    /// Whether so much waits that nothing more may be read.
    var isFull: Bool { underWay.withLock(\.isFull) }

    /// Takes what a scanner has sent, and files it soon.
    func take(_ arrival: ListenLoop.Arrival) {
        if arrival.frame.isBlank || isNoise(arrival) { return }
        let point = arrival.scanners.point
        var picture = ReadPicture(
            received: arrival.frame,
            name: arrival.device,
            at: point,
            as: configuration.points.role(of: point),
            station: arrival.scanners.station ?? configuration.station,
            date: arrival.date
        )
        picture.place = configuration.place
        let bytes = (try? arrival.frame.get().count) ?? 0
        underWay.withLock { underWay in
            if underWay.count == 0 { underWay.lastStep = .now }
            underWay.count += 1
            underWay.bytes += bytes
        }
        queue.expect()
        queue.file(picture) { reports in
            // First, so that who is told knows what becomes of the next one.
            self.count(reports, of: arrival.device)
            self.tell(arrival, reports)
            self.end(bytes)
        }
    }

    /// Whether something is of no format of tags, and comes from a device that sends nothing else.
    private func isNoise(_ arrival: ListenLoop.Arrival) -> Bool {
        let failures = underWay.withLock { $0.failures[arrival.device] ?? 0 }
        guard failures >= Self.mostFailures else { return false }
        guard let payload = try? arrival.frame.get() else { return true }
        do {
            _ = try TagDecoder().contents(of: payload)
        } catch {
            // Everything else is a tag, although a wrong one.
            if error.code == .notJSON { return true }
        }
        // Before it is filed: what comes right after it is heard too.
        underWay.withLock { $0.failures[arrival.device] = 0 }
        return false
    }

    private func count(_ reports: [ScanReport]?, of device: String) {
        guard let report = reports?.first else { return }
        let failures = underWay.withLock { underWay in
            let isForeign = report.error?.reason == TagError.Code.notJSON.description
            let failures = isForeign ? (underWay.failures[device] ?? 0) + 1 : 0
            underWay.failures[device] = failures
            return failures
        }
        if failures == Self.mostFailures { tellNoise(device) }
    }

    private func end(_ bytes: Int) {
        let (isRoom, waiting) = underWay.withLock {
            underWay -> (Bool, [CheckedContinuation<Void, Never>]) in
            let wasFull = underWay.isFull
            underWay.count -= 1
            underWay.bytes -= bytes
            underWay.lastStep = .now
            if underWay.count > 0 { return (wasFull && !underWay.isFull, []) }
            defer { underWay.waiting = [] }
            return (wasFull, underWay.waiting)
        }
        if isRoom { wake.raise() }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until nothing waits to be filed.
    func finish() async {
        await withCheckedContinuation { continuation in
            let isOver = underWay.withLock { underWay in
                if underWay.count > 0 { underWay.waiting.append(continuation) }
                return underWay.count == 0
            }
            if isOver { continuation.resume() }
        }
    }

    /// Whether something was filed within a time, or nothing waits.
    func isProgressing(within limit: Duration) -> Bool {
        underWay.withLock { $0.count == 0 || .now - $0.lastStep < limit }
    }

    /// Empties the record's log when nothing was filed for some seconds, until the task is cancelled.
    func settleWhenIdle(by clock: any Clock<Duration>) async {
        await queue.settleWhenIdle(by: clock)
    }

    /// Runs a closure as soon as no batch is being filed.
    func betweenBatches(_ body: @escaping @Sendable () -> Void) {
        queue.betweenBatches(body)
    }

    /// Checks the record soon.
    func checkRecord() {
        queue.checkRecord()
    }

    /// Stops: a record that cannot be written is tried only once from now on.
    func stop() {
        queue.stop()
    }

    /// Closes the record.
    func close() async {
        await queue.close()
    }
}
