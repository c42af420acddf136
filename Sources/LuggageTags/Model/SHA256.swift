internal import CDigests

/// The SHA-256 (FIPS 180-4) of bytes that come piece by piece.
///
/// libnettle computes it with the processor's instructions for it. This is a value: a copy continues
/// independently.
package struct SHA256 {
    /// The state of libnettle; it has no pointers.
    private var state = sha256_ctx()

    /// Begins with no bytes.
    package init() {
        unsafe nettle_sha256_init(&state)
    }

    /// Adds more bytes.
    package mutating func update(_ bytes: some Collection<UInt8>) {
        let hasStorage: Void? = bytes.withContiguousStorageIfAvailable { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe nettle_sha256_update(&state, bytes.count, start)
        }
        if hasStorage == nil { update(Array(bytes)) }
    }

    /// The digest of all bytes so far.
    ///
    /// - Returns: 32 bytes.
    package consuming func finalize() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        unsafe nettle_sha256_digest(&state, digest.count, &digest)
        return digest
    }
}
