import SQLiteStore
import Testing

@Suite("Waiting for a commit to be durable")
struct RecheckScheduleTests {
    @Test("whoever looks for a commit looks less and less often, and stops")
    func schedule() {
        var schedule = RecheckSchedule()
        #expect(schedule.delay == nil)
        schedule.restart()
        var delays: [Duration] = []
        while let delay = schedule.delay {
            delays.append(delay)
            schedule.advance()
        }
        #expect(delays.count < 20)
        #expect(delays.reduce(.zero, +) > .seconds(60))
        for (delay, next) in zip(delays, delays.dropFirst()) { #expect(next == delay * 2) }
    }
}
