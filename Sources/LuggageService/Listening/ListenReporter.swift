internal import Logging
internal import LuggageTags
internal import Synchronization
internal import SystemSupport

/// Reports what scanners have sent, and what happened to them: to the log and the service manager.
final class ListenReporter: Sendable {
    private struct State {
        var filed = 0
        var failed = 0
        /// How many could not be filed before the service stopped.
        var lost = 0
        /// The devices that are listened to.
        var devices: Set<String> = []
        /// Why a device is not listened to.
        var refused: [String: String] = [:]
        /// Why filing has paused; nil while it goes on.
        var pause: String?
        /// How many alarms are open that nobody has taken note of.
        var alarms = 0
    }

    private let logger: Logger
    private let state = Mutex(State())
    private let status = StatusNews()

    init(logger: Logger) {
        self.logger = logger
    }

    /// Why filing has paused; nil while it goes on.
    var pause: String? { state.withLock(\.pause) }

    /// How many payloads could not be filed before the service stopped.
    var lostCount: Int { state.withLock(\.lost) }

    /// Reports what happened to a scanner.
    func tell(_ news: ScannerNews) {
        switch news {
        case .plugged(let device):
            logger.info("listening to \(device.onOneLine)", metadata: ["scanner": "\(device)"])
            change {
                $0.devices.insert(device)
                $0.refused[device] = nil
            }
        case .unplugged(let device):
            logger.notice("\(device.onOneLine) was unplugged", metadata: ["scanner": "\(device)"])
            change { $0.devices.remove(device) }
        case .refused(let device, let words):
            let sentence = "\(device) \(words)".onOneLine
            logger.warning("\(sentence)", metadata: ["scanner": "\(device)"])
            change { $0.refused[device] = sentence }
        case .awaited(let device):
            logger.notice("\(device.onOneLine) is not plugged in; the service waits for it")
        }
    }

    /// Reports the result of a payload, after that is on the disk.
    ///
    /// - Parameters:
    ///   - arrival: What a scanner has sent.
    ///   - reports: The results; nil if it could not be filed before the service stops.
    func tell(_ arrival: ListenLoop.Arrival, _ reports: [ScanReport]?) {
        var logger = logger
        let device = arrival.device
        logger[metadataKey: "scanner"] = "\(device)"
        guard let reports else {
            tellLost(arrival, logger)
            return
        }
        for report in reports {
            logger[metadataKey: "point"] = "\(report.point.rawValue)"
            logger[metadataKey: "station"] = "\(report.station)"
            logger.tell(report, of: device.onOneLine)
        }
        let isFiled = reports.allSatisfy(\.outcome.isFiled)
        change { isFiled ? ($0.filed += 1) : ($0.failed += 1) }
    }

    /// Reports that a device sends nothing but what is no tag.
    func tell(noise device: String) {
        logger.error(
            """
            \(device.onOneLine): \(ScannerFiling.mostFailures) payloads in a row are no tags; from now on \
            what has no format of tags is passed over without a word, until a tag comes. If it is no scanner, leave \
            it out of the settings; if it is one, check its speed and what it sends
            """,
            metadata: ["scanner": "\(device)"]
        )
    }

    /// Reports a payload that is on no record, so that a person can still file it.
    private func tellLost(_ arrival: ListenLoop.Arrival, _ logger: Logger) {
        logger.error("\(arrival.device.onOneLine): \(arrival.frame.lossWords)")
        change {
            $0.failed += 1
            $0.lost += 1
        }
    }

    /// Reports why filing has paused, or that it goes on.
    func tell(_ trouble: FilingTrouble?) {
        logger.tell(trouble)
        change { $0.pause = trouble?.message }
    }

    /// Reports how many alarms are open that nobody has taken note of.
    func tell(openAlarms count: Int) {
        if state.withLock(\.alarms) != count { change { $0.alarms = count } }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        status.announce()
    }

    /// Keeps the service manager's status line up to date until the task is cancelled.
    func keepStatus(with notifier: ServiceNotifier, by clock: any Clock<Duration>) async {
        await status.keep(with: notifier, by: clock) { self.statusLine }
    }

    /// What the service is doing, in one line.
    var statusLine: String {
        let state = state.withLock { $0 }
        if let pause = state.pause { return "Paused: \(pause)" }
        let scanners = state.devices.count == 1 ? "1 scanner" : "\(state.devices.count) scanners"
        let numbers = "Listening to \(scanners): \(state.filed) filed, \(state.failed) failed"
        return ([numbers] + state.refused.values.sorted()).joined(separator: "; ")
            + AlarmWatch.words(open: state.alarms)
    }
}
