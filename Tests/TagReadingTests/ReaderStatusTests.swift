import CTagReader
import TagReading
import Testing

@Suite("The status of a reader")
struct ReaderStatusTests {
    @Test(
        "has the same number in C and in Swift",
        arguments: [
            (TAG_READER_NOT_AN_IMAGE, .notAnImage), (TAG_READER_DAMAGED, .damaged),
            (TAG_READER_TOO_MANY_PIXELS, .tooManyPixels),
            (TAG_READER_TOO_MANY_BYTES, .tooManyBytes),
            (TAG_READER_TOO_MANY_SYMBOLS, .tooManySymbols),
            (TAG_READER_OUT_OF_MEMORY, .outOfMemory), (TAG_READER_INPUT_FAILED, .inputFailed),
            (TAG_READER_DECODER_FAILED, .decoderFailed),
        ] as [(TagReaderStatus, ReadError.Code)]
    )
    func numbers(status: TagReaderStatus, code: ReadError.Code) throws {
        let known = try #require(ReaderStatus(rawValue: Int32(status.rawValue)))
        #expect(known.error(message: Array("words".utf8), errorNumber: 5)?.code == code)
    }

    @Test("of success is no error")
    func success() throws {
        let known = try #require(ReaderStatus(rawValue: Int32(TAG_READER_OK.rawValue)))
        #expect(known.error(message: [], errorNumber: 0) == nil)
    }
}
