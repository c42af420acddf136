/// A value that a store computes from a row, such as a translated predicate.
///
/// Conditions are values too: true is the integer 1, false is 0. A condition on a missing value is
/// itself missing if the case below says so. A row is selected only if its condition is true. Text
/// is compared, searched and sorted by its UTF-8, so that every store agrees.
public indirect enum StoreExpression: Sendable {
    /// The key of the row.
    case key
    /// A column of the row.
    case column(Int)
    /// An expression on the target row of a to-one relationship; missing if there is no target.
    case related(column: Int, StoreExpression)
    /// The number of rows of a to-many relationship that fulfil a condition.
    ///
    /// The entity of the members, and the column in which they point back, name the relationship.
    case count(entity: Int, column: Int, where: StoreExpression)
    /// A value.
    case constant(AttributeValue)

    /// Whether both are equal; two missing values are equal.
    case equal(StoreExpression, StoreExpression)
    /// Whether the first is less than the second; missing if one is missing.
    case less(StoreExpression, StoreExpression)
    /// Whether the first is less than the second or equal; missing if one is missing.
    case lessOrEqual(StoreExpression, StoreExpression)
    /// Whether the first is one of the values; none of the values is missing.
    case isOneOf(StoreExpression, Set<AttributeValue>)
    /// Whether the text begins with another; missing if one is missing.
    case hasPrefix(StoreExpression, StoreExpression)
    /// Whether the text ends with another; missing if it is missing or not text.
    case hasSuffix(StoreExpression, String)
    /// Whether the text contains another; missing if one is missing.
    case contains(StoreExpression, StoreExpression)

    /// Whether both are true; missing counts as false.
    case and(StoreExpression, StoreExpression)
    /// Whether at least one is true; missing counts as false.
    case or(StoreExpression, StoreExpression)
    /// Whether the other is not true; missing counts as false.
    case not(StoreExpression)

    /// A sum, in floating point if one part is; missing if one part is missing.
    case sum(StoreExpression, StoreExpression)
    /// A difference; missing if one part is missing.
    case difference(StoreExpression, StoreExpression)
    /// A product; missing if one part is missing.
    case product(StoreExpression, StoreExpression)

    /// The first, or the second if the first is missing.
    case coalesce(StoreExpression, StoreExpression)
    /// The second if the first is not missing; missing otherwise.
    case whenPresent(StoreExpression, StoreExpression)
    /// The second if the first is true, else the third.
    case choose(StoreExpression, StoreExpression, StoreExpression)

    /// A condition that is always true.
    public static let always = StoreExpression.constant(.integer(1))
}
