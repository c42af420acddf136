import SystemSupport
import Testing

@testable import LuggageTags

@Suite("SHA-256")
struct SHA256Tests {
    @Test(
        "gives the digests of NIST's examples for FIPS 180-4",
        arguments: [
            ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklm"
                    + "ghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu", 1,
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
            ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ]
    )
    func examples(text: String, times: Int, digest: String) {
        #expect(Self.digest(of: String(repeating: text, count: times).utf8) == digest)
    }

    /// Of the bytes 7, 38, 69 and so on, by another implementation: where the padding takes one block
    /// more, and around whole blocks.
    static let lengths = [
        1: "ca358758f6d27e6cf45272937977a748fd88391db679ceda7dc7bf1f005ee879",
        55: "8aa994584139d128848eeebc4e815639ba5ab6e6e39574195a63ac4f14f7c43b",
        56: "ad574708f75c044c9b85de64cb568ee7711ff4f36448c6242f053ba8f6cc2b63",
        63: "280ed3e8ff1df845b2e7dfe6ac6cee817bef20e783cc65abc41b818b4d2fe076",
        64: "c6ab9724ade5b6a7a1edfffb12f3aa9181351355af8fd08c919952ad211339dd",
        65: "788367c73c7ddf4c53f65e68cc0d943e6227ab55b0e78ba63ace822b1c6301c0",
        119: "3d610547d68216dedf7435a4fb6260353911f6b3fd3f18805ddb8be285d726fe",
        120: "1f80156a804cb7862ad113e8200e9d74499723e7c7854d5f48776d3148e09656",
        127: "192409cd280e14b743642ad1343fbd3e82d9305de72c078117745a679210cc3d",
        128: "cc548ca2dec1f6fe4f58b2e27aa9c7521607df1130d140b55a4dad0665302356",
        1000: "5097e7d587352f5097062ae679f37bda5802d9f875aba14c8cb4d1a188ada179",
    ]

    @Test("is that of all bytes, in whatever pieces they come", arguments: lengths)
    func pieces(length: Int, digest: String) {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 31 + 7) }
        #expect(Self.digest(of: bytes) == digest)
        for size in [1, 3, 55, 63, 64, 65, 127] {
            var hash = SHA256()
            for start in stride(from: 0, to: length, by: size) {
                hash.update(bytes[start..<min(start + size, length)])
                // Nothing is a piece too, wherever it comes.
                hash.update([])
            }
            #expect(hash.finalize().hexadecimal == digest, "in pieces of \(size)")
        }
    }

    @Test("takes bytes that do not lie side by side")
    func scattered() {
        let scattered = [Array("a".utf8), [], Array("bc".utf8)].joined()
        #expect(Self.digest(of: scattered) == Self.digest(of: "abc".utf8))
    }

    @Test("of a copy goes on by itself, also after the first one has ended")
    func copies() {
        var hash = SHA256()
        hash.update("a".utf8)
        var copy = hash
        hash.update("xy".utf8)
        _ = hash.finalize()
        copy.update("bc".utf8)
        let digest = copy.finalize().hexadecimal
        #expect(digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(copy.finalize().hexadecimal == digest)
    }

    /// The digest of bytes that come at once, in hexadecimal.
    private static func digest(of bytes: some Collection<UInt8>) -> String {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finalize().hexadecimal
    }
}
