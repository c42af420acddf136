public import FoundationEssentials

/// From when on something is an alarm.
///
/// A misrouted bag, and a list whose time is over before all bags have passed, are alarms without a bound.
public struct AlarmBounds: Hashable, Sendable {
    /// How many seconds after its departure a bag that has not arrived is overdue; nil if none ever is.
    public var overdue: TimeInterval?
    /// The share of tags, from 0 to 1, that a station is to read in an hour; nil if any will do.
    public var readRate: Double?
    /// After how many seconds without a scan a station is silent; nil if none ever is.
    public var silence: TimeInterval?

    /// Names the bounds; without one, nothing of its kind is an alarm.
    public init(
        overdue: TimeInterval? = nil,
        readRate: Double? = nil,
        silence: TimeInterval? = nil
    ) {
        (self.overdue, self.readRate, self.silence) = (overdue, readRate, silence)
    }

    /// How long an alarm is one, in seconds: 30 days.
    ///
    /// What nobody has looked after in that time is for lists of missing bags. A bound that is set for the
    /// first time must not tell of all bags that were lost in years.
    public static let memory: TimeInterval = 30 * 24 * 3600

    /// How many tags a station must have scanned in an hour before its share counts.
    public static let leastScans = 20
}
