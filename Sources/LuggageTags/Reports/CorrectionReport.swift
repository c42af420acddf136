public import Foundation

/// Something that was done to a bag by hand, as reports give it: what, who, when and why.
///
/// As JSON it is an object with stable keys; those without a value are left out.
public struct CorrectionReport: Sendable, Encodable {
    /// What a property was, and what it became.
    public struct Change<Value: Sendable & Encodable>: Sendable, Encodable {
        /// What it was; nil where it had no value, or where that is not known.
        public var before: Value?
        /// What it became; nil where it has lost its value.
        public var after: Value?
    }

    /// What was done.
    public var kind: Correction.Kind
    /// When.
    public var madeAt: Date
    /// Who did it.
    public var author: String
    /// Why, where that was said.
    public var reason: String?
    /// What became of the weight, in pounds.
    public var weight: Change<Float>?
    /// What became of the owner.
    public var owner: Change<PassengerReport>?
    /// The number of the change that was taken back or brought back; nil where that is not known.
    public var change: Int64?
    /// When somebody has taken back what was done; nil where it counts.
    public var undoneAt: Date?
    /// The name of the failed picture from which the tag was typed, or that was dismissed.
    public var picture: String?

    /// Takes down a correction.
    public init(_ correction: Correction) {
        kind = correction.kind
        madeAt = correction.madeAt
        author = correction.author
        reason = correction.reason.isEmpty ? nil : correction.reason
        // Older versions of the program had other numbers.
        change = correction.withdrawn == nil ? nil : correction.change
        undoneAt = correction.undoneAt
        picture = correction.imageName
        // What a typed tag says, its scan tells.
        if kind == .file { return }
        if correction.weight != nil || correction.weightBefore != nil {
            weight = Change(before: correction.weightBefore, after: correction.weight)
        }
        // Of names that somebody has purged, nothing is left to tell.
        if correction.owner != nil || correction.hasNoOwner && correction.ownerBefore != nil {
            owner = Change(
                before: correction.ownerBefore.map(PassengerReport.init),
                after: correction.owner.map(PassengerReport.init)
            )
        }
    }
}
