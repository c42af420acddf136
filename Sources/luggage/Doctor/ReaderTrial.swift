internal import FoundationEssentials
internal import TagReading

/// Reads a picture whose content is known, in the processes that read pictures of tags.
enum ReaderTrial {
    /// What the code in the picture says.
    private static let payload = "luggage doctor"

    /// A PNG of 116 × 116 pixels with one QR symbol.
    private static let picture = """
        iVBORw0KGgoAAAANSUhEUgAAAHQAAAB0AQAAAAB84SuKAAAAkElEQVR42uXVwQ3DMAwDQG7A/bfkBqyoFAHaX+hn\
        BAfG6WEkkoXAPyG8zwBIMFtlziJ36zzHJWarLfrIEHtnBe689eRffR/4tP/UNjTfVRnURNKunFOG8H2fnhrJKRVtr\
        JAy3Dmx1wKd08h57vOeeudpsmJpfO+yDmztRLfOG2UoK18thdB558mZJld+9f/jA7dYiN1dhzMBAAAAAElFTkSuQm\
        CC
        """

    /// Reads it.
    static func check() async -> StationCheck {
        let pool: ReaderPool
        do {
            pool = ReaderPool(executable: try ReaderPool.locateExecutable(), workers: 1)
        } catch {
            return StationCheck(.reader, .wrong, error.message)
        }
        let check: StationCheck
        do throws(ReadError) {
            let bytes = Data(base64Encoded: picture).map(Array.init) ?? []
            let reading = try await pool.read(TagImage(bytes: bytes, name: "a trial"))
            check = judge(reading, pool.sandbox)
        } catch {
            check = StationCheck(.reader, .wrong, "no picture can be read here: \(error.message)")
        }
        await pool.shutdown()
        return check
    }

    private static func judge(_ reading: Reading, _ sandbox: SandboxReport?) -> StationCheck {
        guard reading.symbols.map(\.payload) == [Array(payload.utf8)] else {
            return StationCheck(
                .reader,
                .wrong,
                "a picture with a known code was read wrongly; install luggage anew"
            )
        }
        guard let sandbox else { return StationCheck(.reader, .right, "pictures can be read") }
        return StationCheck(
            .reader,
            sandbox.isComplete ? .right : .advice,
            "pictures can be read, by processes that are confined by: \(sandbox)"
        )
    }
}
