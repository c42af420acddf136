/// A key path that identifies a property.
///
/// Unchecked because the compiler passes the key paths of wrapped properties without `Sendable`.
/// They lead to declared properties, so they capture no shared state.
struct PropertyPath: Hashable, @unchecked Sendable {
    let keyPath: AnyKeyPath

    init(_ keyPath: AnyKeyPath) {
        self.keyPath = keyPath
    }
}
