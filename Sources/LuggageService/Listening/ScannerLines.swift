internal import SystemSupport

/// The lines of all scanners that are plugged in, and the devices that cannot be listened to.
///
/// Only the thread that listens uses it.
final class ScannerLines {
    /// Why a device is not listened to, and when it is tried again.
    private struct Trouble {
        var words: String
        var failures: Int
        var next: SuspendingClock.Instant
    }

    /// How long nothing is looked at if there is no sign of anything: some file systems give none.
    private static let interval = Duration.seconds(60)
    /// The same if the system has no descriptor for signs left.
    private static let pollingInterval = Duration.seconds(2)

    private let scanners: ScannerWords
    private let baud: Int
    private let end: ScannerEnd
    private let tell: (ScannerNews) -> Void
    private let folders = DeviceFolders()
    private let backoff = Backoff()
    /// The waits before a device is opened again that has hung up without a byte.
    private let silentBackoff = Backoff(longest: .seconds(5))
    private var open: [FileIdentity: ScannerReading] = [:]
    private var troubles: [String: Trouble] = [:]
    /// How often in a row a scanner was unplugged that had sent nothing.
    private var silentEnds: [String: Int] = [:]
    /// Whether something has happened since the last look.
    private var hasSign = true
    private var lastLook: SuspendingClock.Instant?

    init(
        _ scanners: ScannerWords,
        _ baud: Int,
        _ end: ScannerEnd,
        tell: @escaping (ScannerNews) -> Void
    ) {
        self.scanners = scanners
        self.baud = baud
        self.end = end
        self.tell = tell
    }

    /// The scanners that are listened to.
    var readings: [ScannerReading] { Array(open.values) }

    /// Is readable if something may have been plugged in or out.
    var signs: Int32? { folders.descriptor }

    /// When to look at all devices again, without any sign.
    var nextLook: SuspendingClock.Instant {
        if hasSign { return .now }
        let interval = signs == nil ? Self.pollingInterval : Self.interval
        let next = lastLook.map { $0 + interval } ?? .now
        return troubles.values.reduce(next) { min($0, $1.next) }
    }

    /// Takes the signs that something has happened.
    func takeSigns() {
        folders.drain()
        hasSign = true
    }

    /// Opens every device of the settings that has come, if there is a reason to look.
    func look() {
        let now = SuspendingClock.now
        guard hasSign || now >= nextLook else { return }
        let (isSign, isFirst) = (hasSign, lastLook == nil)
        hasSign = false
        lastLook = now
        folders.open()
        var met: Set<String> = []
        for named in scanners.named {
            // Before the look, so that nothing comes between the two unseen.
            folders.watch(named.device)
            var isThere = false
            for path in named.paths {
                if !met.insert(path).inserted
                    || troubles[path].map({ !isSign && now < $0.next }) ?? false
                {
                    isThere = true
                } else if look(at: path, named) {
                    isThere = true
                }
            }
            if isFirst && !isThere { tell(.awaited(device: named.device)) }
        }
        troubles = troubles.filter { met.contains($0.key) }
    }

    /// Opens a device unless it is open.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - named: Its place.
    /// - Returns: Whether there is one.
    private func look(at path: String, _ named: ScannerWords.Named) -> Bool {
        // One device may have several names; the first that was found counts.
        if let device = FileStatus(at: path)?.identity, open[device] != nil { return true }
        do throws(SerialLineError) {
            let line = try SerialLine(path: path, baud: baud)
            let device = line.device
            open[device] = ScannerReading(line, path: path, named, end)
            troubles[path] = nil
            tell(.plugged(device: path))
            return true
        } catch {
            if error.isAbsent {
                troubles[path] = nil
                return false
            }
            if error.isBusy { folders.watchUse(of: path) }
            if troubles[path]?.words != error.words {
                tell(.refused(device: path, words: error.words))
            }
            postpone(path, error.words, after: (troubles[path]?.failures ?? 0) + 1, by: backoff)
            return true
        }
    }

    /// Notes that a device is to be tried again later.
    private func postpone(
        _ path: String,
        _ words: String,
        after failures: Int,
        by backoff: Backoff
    ) {
        troubles[path] = Trouble(
            words: words,
            failures: failures,
            next: .now + backoff.delay(after: failures)
        )
    }

    /// Closes the line of a scanner that was unplugged.
    func close(_ reading: ScannerReading) {
        open[reading.line.device] = nil
        tell(.unplugged(device: reading.path))
        if reading.hasGiven {
            silentEnds[reading.path] = nil
            // Another one may be there already.
            hasSign = true
        } else {
            // One that hangs up whenever it is opened is not opened again and again.
            let count = (silentEnds[reading.path] ?? 0) + 1
            silentEnds[reading.path] = count
            postpone(reading.path, "", after: count, by: silentBackoff)
        }
    }

    /// Closes all lines.
    func closeAll() {
        open = [:]
    }
}
