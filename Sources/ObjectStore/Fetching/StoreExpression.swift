/// A value computed from a row: what a predicate becomes for a store.
///
/// Conditions are values too: true is the integer 1, false 0. A condition on a value that is missing
/// is itself missing where the table below says so, and a row is selected only by one that is true.
/// Text is compared, searched and sorted by its UTF-8, so that every store agrees.
public indirect enum StoreExpression: Sendable {
    /// The key of the row.
    case key
    /// A column of the row.
    case column(Int)
    /// An expression on the row to which a to-one relationship leads; missing where it leads nowhere.
    case related(column: Int, StoreExpression)
    /// How many rows of a to-many relationship fulfil a condition; the relationship is named by the
    /// entity of its members and the column in which they point back.
    case count(entity: Int, column: Int, where: StoreExpression)
    /// A value.
    case constant(AttributeValue)

    /// Whether both are equal; two missing values are.
    case equal(StoreExpression, StoreExpression)
    /// Whether the first is less than the second; missing where one is.
    case less(StoreExpression, StoreExpression)
    /// Whether the first is less than the second or equal; missing where one is.
    case lessOrEqual(StoreExpression, StoreExpression)
    /// Whether the first is one of the values, none of which is missing.
    case isOneOf(StoreExpression, [AttributeValue])
    /// Whether the text begins with another; missing where one is.
    case hasPrefix(StoreExpression, StoreExpression)
    /// Whether the text ends with another; missing where it is missing, or no text.
    case hasSuffix(StoreExpression, String)
    /// Whether the text contains another; missing where one is.
    case contains(StoreExpression, StoreExpression)

    /// Whether both hold; missing counts as false.
    case and(StoreExpression, StoreExpression)
    /// Whether one holds; missing counts as false.
    case or(StoreExpression, StoreExpression)
    /// Whether the other does not hold; missing counts as false.
    case not(StoreExpression)

    /// A sum, in floating point where a part is; missing where one is.
    case sum(StoreExpression, StoreExpression)
    /// A difference; missing where a part is.
    case difference(StoreExpression, StoreExpression)
    /// A product; missing where a part is.
    case product(StoreExpression, StoreExpression)

    /// The first, or the second where that is missing.
    case coalesce(StoreExpression, StoreExpression)
    /// The second where the first is not missing; missing otherwise.
    case whenPresent(StoreExpression, StoreExpression)
    /// The second where the first holds, else the third.
    case choose(StoreExpression, StoreExpression, StoreExpression)

    /// A condition that always holds.
    public static let always = StoreExpression.constant(.integer(1))
}
