internal import FoundationEssentials
internal import LuggageTags

/// What serial scanners have sent, and what has happened to them.
enum ScannerNews: Sendable {
    /// A scanner is listened to.
    case plugged(device: String)
    /// A scanner was unplugged.
    case unplugged(device: String)
    /// A device cannot be listened to; the words complete "DEVICE …".
    case refused(device: String, words: String)
    /// No device fits a name of the settings yet.
    case awaited(device: String)
}

/// An open line, and what has come of the payload that its scanner is sending.
final class ScannerReading {
    /// How long a payload may pause before it has broken off.
    ///
    /// A scanner sends each in one go. A cordless one out of reach, or one that is not set to end what it
    /// sends, leaves a part, which must not become the beginning of the next payload.
    static let patience = Duration.seconds(5)

    let line: SerialLine
    let path: String
    let scanners: ScannerWords.Named
    /// Whether anything has come.
    private(set) var hasGiven = false
    private var framing: PayloadFraming
    private var lastByte = SuspendingClock.now

    init(
        _ line: consuming SerialLine,
        path: String,
        _ scanners: ScannerWords.Named,
        _ end: ScannerEnd
    ) {
        self.line = line
        self.path = path
        self.scanners = scanners
        framing = PayloadFraming(end.separator)
    }

    /// When the payload that has begun has broken off, if nothing more comes; nil if none has begun.
    var deadline: SuspendingClock.Instant? { framing.isInPayload ? lastByte + Self.patience : nil }

    /// Reads what has come.
    ///
    /// - Parameter take: Gets each payload, and when it came.
    /// - Returns: Whether the scanner is still plugged in, and whether more may be there.
    func read(
        _ take: (PayloadFraming.Frame, Date) -> Void
    ) -> (isPlugged: Bool, hasMore: Bool) {
        switch line.read() {
        case .nothing: return (true, false)
        case .end:
            cut(take)
            return (false, false)
        case .bytes(let bytes):
            hasGiven = true
            lastByte = .now
            let date = Date()
            framing.take(bytes) { take($0, date) }
            return (true, true)
        }
    }

    /// Gives up the payload that has begun.
    ///
    /// - Parameter take: Gets the error, if one has begun.
    func cut(_ take: (PayloadFraming.Frame, Date) -> Void) {
        if let frame = framing.cut() { take(frame, Date()) }
    }
}
