public import FoundationEssentials

/// A correction of a bag by hand, as reports show it: what, who, when and why.
///
/// In JSON it is an object with stable keys; it leaves out keys without a value.
public struct CorrectionReport: Sendable, Encodable {
    /// The value of a property before and after.
    public struct Change<Value: Sendable & Encodable>: Sendable, Encodable {
        /// The value before; nil if there was none or it is unknown.
        public var before: Value?
        /// The value after; nil if there is none.
        public var after: Value?
    }

    /// What was done.
    public var kind: Correction.Kind
    /// The time.
    public var madeAt: Date
    /// The person who did it.
    public var author: String
    /// The reason, if one was given.
    public var reason: String?
    /// The change of the weight, in pounds.
    public var weight: Change<Float>?
    /// The change of the owner.
    public var owner: Change<PassengerReport>?
    /// The number of the change that was undone or redone; nil if unknown.
    public var change: Int64?
    /// When it was undone; nil if it counts.
    public var undoneAt: Date?
    /// What the alarm tells that was taken note of.
    public var alarm: Alarm.Kind?
    /// The name of the failed picture that was dismissed, or from which the tag was typed.
    public var picture: String?

    /// Makes the report about a correction.
    public init(_ correction: Correction) {
        kind = correction.kind
        madeAt = correction.madeAt
        author = correction.author
        reason = correction.reason.isEmpty ? nil : correction.reason
        // Older versions of the program numbered changes in another way.
        change = correction.withdrawn == nil ? nil : correction.change
        undoneAt = correction.undoneAt
        picture = correction.imageName
        alarm = correction.alarmTold
        // The scan of a typed tag tells what the tag says.
        if kind == .file { return }
        if correction.weight != nil || correction.weightBefore != nil {
            weight = Change(before: correction.weightBefore, after: correction.weight)
        }
        // If the names were purged, there is nothing left to tell.
        if correction.owner != nil || correction.hasNoOwner && correction.ownerBefore != nil {
            owner = Change(
                before: correction.ownerBefore.map(PassengerReport.init),
                after: correction.owner.map(PassengerReport.init)
            )
        }
    }
}
