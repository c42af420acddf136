public import ObjectStore

/// Where on its way a bag is scanned.
public enum Point: String, CaseIterable, Codable, Sendable, AttributeType {
    /// Where the bag departs.
    case origin
    /// Where the bag arrives.
    case destination

    /// What a scan without a point reads as.
    public static var absent: Point { .origin }
}
