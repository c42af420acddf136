/// A key path by which a property is known.
///
/// Unchecked because the compiler hands wrapped properties' key paths over without their
/// sendability. They lead to declared properties, so they capture nothing that could be shared.
struct PropertyPath: Hashable, @unchecked Sendable {
    let keyPath: AnyKeyPath

    init(_ keyPath: AnyKeyPath) {
        self.keyPath = keyPath
    }
}
