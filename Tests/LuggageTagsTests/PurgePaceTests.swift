import Testing

@testable import LuggageTags

@Suite("How much a transaction of a purge takes")
struct PurgePaceTests {
    @Test("is what fits into a tenth of a second, and not too much more than before")
    func adapts() {
        var pace = PurgePace()
        #expect(pace.rows == 512)
        pace.note(512, in: .milliseconds(1))
        #expect(pace.rows == 1024)
        pace.note(1024, in: .milliseconds(80))
        #expect(pace.rows == 1280)
        pace.note(1280, in: .seconds(1))
        #expect(pace.rows == 128)
    }

    @Test("is never nothing, and never too much for memory")
    func isLimited() {
        var pace = PurgePace()
        pace.note(512, in: .seconds(3600))
        #expect(pace.rows == 64)
        for _ in 0..<20 { pace.note(pace.rows, in: .zero) }
        #expect(pace.rows == 8192)
    }

    @Test("is not learnt from one that had hardly anything to do")
    func little() {
        var pace = PurgePace()
        pace.note(3, in: .milliseconds(50))
        #expect(pace.rows == 512)
        // Though that it has taken too long counts.
        pace.note(100, in: .milliseconds(200))
        #expect(pace.rows == 64)
    }
}
