@testable import GodwitCore
import Testing

@Suite("B6 progress", .timeLimit(.minutes(15)))
struct ProgressMeterTests {
    @Test("B6 updates respect the interval, except the last")
    func throttle() {
        var meter = ProgressMeter(interval: .milliseconds(100))
        _ = meter.jump(to: 0, total: 100, at: .zero)
        #expect(meter.advance(to: 1, total: 100, at: .milliseconds(99)) == nil)
        #expect(meter.advance(to: 2, total: 100, at: .milliseconds(100))?.completed == 2)
        #expect(meter.advance(to: 3, total: 100, at: .milliseconds(199)) == nil)
        #expect(meter.report(3, total: 100, at: .milliseconds(199)).completed == 3)
    }

    @Test("B6 the rate covers the last seconds, without bytes from earlier runs")
    func rate() {
        var meter = ProgressMeter(interval: .zero)
        #expect(meter.jump(to: 1000, total: 5000, at: .zero).bytesPerSecond == nil)
        #expect(meter.advance(to: 1500, total: 5000, at: .seconds(1))?.bytesPerSecond == 500)
        var last: TransferProgress?
        for second in 2...20 {
            last = meter.advance(to: 1500 + Int64(second - 1) * 100, total: 5000, at: .seconds(second))
        }
        #expect(last?.bytesPerSecond == 100)
        #expect(last?.timeRemaining == .seconds(16))
    }

    @Test(
        "B6 without a total there is no fraction and no remaining time",
        arguments: [
            (TransferProgress(completed: 5, total: nil, bytesPerSecond: 1), nil, nil),
            (TransferProgress(completed: 5, total: 10, bytesPerSecond: 1), 0.5, .seconds(5)),
            (TransferProgress(completed: 0, total: 0), 1, nil),
            (TransferProgress(completed: 5, total: 10, bytesPerSecond: 0), 0.5, nil),
        ] as [(TransferProgress, Double?, Duration?)])
    func unknown(progress: TransferProgress, fraction: Double?, time: Duration?) {
        #expect(progress.fraction == fraction)
        #expect(progress.timeRemaining == time)
    }

    @Test("B6 a slow observer gets the latest progress, and nothing after the end or cancellation")
    func observers() async {
        let feed = ProgressFeed()
        for count in 1...3 { feed.show(TransferProgress(completed: Int64(count))) }
        var iterator = ProgressUpdates(feed).makeAsyncIterator()
        #expect(await iterator.next()?.completed == 3)
        let waiting = Task { await feed.next(after: 3)?.progress.completed }
        waiting.cancel()
        #expect(await waiting.value == nil)
        feed.finish()
        #expect(await iterator.next() == nil)
        #expect(await feed.next(after: 0)?.progress.completed == 3)
    }
}
