public import Foundation
internal import ObjectStore

/// A time with a beginning, an end, both or neither.
public struct Period: Hashable, Sendable {
    /// The first moment that belongs to it; nil where it has no beginning.
    public var since: Date?
    /// The first moment that no longer belongs to it; nil where it has no end.
    public var until: Date?

    /// Describes a period.
    ///
    /// - Parameters:
    ///   - since: The first moment that belongs to it.
    ///   - until: The first moment that no longer belongs to it.
    public init(since: Date? = nil, until: Date? = nil) {
        self.since = since
        self.until = until
    }

    /// Whether every moment belongs to it.
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

/// A time that a property has, or may have.
protocol PointInTime: AttributeConvertible {
    init(_ date: Date)
}

extension Date: PointInTime {
    init(_ date: Date) { self = date }
}

extension Date?: PointInTime {
    init(_ date: Date) { self = date }
}
