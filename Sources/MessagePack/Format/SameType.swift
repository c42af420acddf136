/// A value under the name that a generic function has for its type.
///
/// A cast would look up at run time what has been seen already, for each value.
///
/// - Parameters:
///   - value: The value.
///   - type: The type under the other name; the caller has seen that it is the same.
/// - Returns: The same value.
@inline(__always)
func named<Value, Same>(_ value: Value, _ type: Same.Type) -> Same {
    precondition(Value.self == Same.self)
    // The types are the same, so nothing is reinterpreted.
    return unsafe unsafeBitCast(value, to: Same.self)
}
