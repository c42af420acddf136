/// Returns a value under the type's name in a generic function.
///
/// A cast would look up for each value at run time what the caller has already tested.
///
/// - Parameters:
///   - value: The value.
///   - type: The other name of the type; the caller has tested that both are the same type.
/// - Returns: The same value.
@inline(__always)
func named<Value, Same>(_ value: Value, _ type: Same.Type) -> Same {
    precondition(Value.self == Same.self)
    // The types are the same, so nothing is reinterpreted.
    return unsafe unsafeBitCast(value, to: Same.self)
}
