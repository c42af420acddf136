internal import CDigests

/// The SHA-256 of bytes that come piece by piece (FIPS 180-4), by libnettle, which uses the
/// instructions that the processor has for it.
///
/// A value: a copy goes on by itself.
struct SHA256 {
    /// What libnettle knows of the bytes so far; it points to nothing.
    private var state = sha256_ctx()

    /// Begins with no bytes.
    init() {
        unsafe nettle_sha256_init(&state)
    }

    /// Goes on with more bytes.
    ///
    /// - Parameter bytes: What follows the bytes before.
    mutating func update(_ bytes: some Collection<UInt8>) {
        let hasStorage: Void? = bytes.withContiguousStorageIfAvailable { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe nettle_sha256_update(&state, bytes.count, start)
        }
        if hasStorage == nil { update(Array(bytes)) }
    }

    /// The digest of all bytes so far.
    ///
    /// - Returns: 32 bytes.
    consuming func finalize() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        unsafe nettle_sha256_digest(&state, digest.count, &digest)
        return digest
    }
}
