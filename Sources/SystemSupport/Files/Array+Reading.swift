internal import Glibc

extension [UInt8] {
    /// Reads a file on from its present place; nil if it cannot be read.
    ///
    /// - Parameters:
    ///   - descriptor: The open file.
    ///   - most: How many bytes to read; fewer are read only at its end.
    package init?(reading descriptor: Int32, upTo most: Int) {
        var isRead = true
        self = unsafe [UInt8](unsafeUninitializedCapacity: most) { bytes, count in
            while count < most {
                let rest = unsafe bytes.baseAddress.map { unsafe $0 + count }
                let more = unsafe read(descriptor, rest, most - count)
                if more > 0 {
                    count += more
                } else if more == 0 || errno != EINTR {
                    isRead = more == 0
                    return
                }
            }
        }
        if !isRead { return nil }
    }
}
