public import FoundationEssentials
internal import ObjectStore

/// A period with a beginning, an end, both or neither.
public struct Period: Hashable, Sendable {
    /// The first moment in the period; nil if it has no beginning.
    public var since: Date?
    /// The first moment after the period; nil if it has no end.
    public var until: Date?

    /// Describes a period.
    ///
    /// - Parameters:
    ///   - since: The first moment in the period.
    ///   - until: The first moment after the period.
    public init(since: Date? = nil, until: Date? = nil) {
        self.since = since
        self.until = until
    }

    /// Whether it contains every moment.
    public var isUnbounded: Bool { since == nil && until == nil }

    /// The objects with a time in the period.
    func applied<Object: ManagedObject, Time: PointInTime>(
        to request: FetchRequest<Object>,
        _ time: KeyPath<Object, Time>
    ) -> FetchRequest<Object> {
        var request = request
        if let since { request = request.where(time, isAtLeast: Time(since)) }
        if let until { request = request.where(time, isLessThan: Time(until)) }
        return request
    }
}

/// The value of a property that is a time, or an optional time.
protocol PointInTime: AttributeConvertible {
    init(_ date: Date)
}

extension Date: PointInTime {
    init(_ date: Date) { self = date }
}

extension Date?: PointInTime {
    init(_ date: Date) { self = date }
}
