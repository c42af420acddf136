internal import Glibc

extension [UInt8] {
    /// Writes all bytes.
    ///
    /// - Parameter descriptor: The descriptor to write to.
    /// - Returns: 0, or the error number.
    package func writeAll(to descriptor: Int32) -> Int32 {
        var rest = self[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0 && errno == EINTR { continue }
            if count < 0 { return errno }
            rest = rest.dropFirst(count)
        }
        return 0
    }
}
