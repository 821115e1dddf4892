import GodwitSupport
import GodwitWire
import Testing

@Suite("Numbers and durations out of range")
struct NumberTests {
    static let durations: [Duration] = [
        .seconds(Int64.max), .seconds(Int64.min), .zero, .nanoseconds(1), .nanoseconds(-1), .seconds(1e19),
        .seconds(-1e19),
        Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
    ]

    @Test("U9 a duration of any size is clamped to zero … a century", arguments: durations)
    func bounded(duration: Duration) {
        let bounded = duration.bounded
        #expect(bounded >= .zero && bounded <= .century)
        #expect(duration < .zero || duration > .century || bounded == duration)
        // What is bounded can be added and counted.
        let now = ContinuousClock.now
        #expect(now.advanced(by: bounded + bounded) >= now)
        #expect(bounded.boundedMilliseconds >= 0)
    }

    @Test(
        "U9 a number of seconds of any kind is a duration",
        arguments: [
            (.nan, 0), (.infinity, 3.2e9), (-.infinity, 0), (1e300, 3.2e9), (-1, 0), (-0.0, 0), (0.25, 0.25),
            (1e30, 3.2e9),
        ] as [(Double, Double)])
    func seconds(number: Double, expected: Double) {
        #expect(Duration.bounded(seconds: number) == .seconds(expected))
    }

    @Test("B6 sums and differences are clamped on overflow")
    func saturating() {
        #expect(Int64.max.saturatingAdding(1) == .max && Int64.min.saturatingAdding(-1) == .min)
        #expect(Int64.min.saturatingSubtracting(1) == .min && Int64.max.saturatingSubtracting(-1) == .max)
        #expect(2.saturatingAdding(3) == 5 && 2.saturatingSubtracting(3) == -1)
        #expect(Int(saturating: .nan) == 0 && Int(saturating: .infinity) == .max && Int(saturating: -1e300) == .min)
        #expect(Int(saturating: 2.9) == 2 && Int(saturating: -2.9) == -2 && Int64(saturating: 0x1p63) == .max)
    }

    @Test("B7 byte ranges of a download of the largest size there is do not overflow")
    func pieces() {
        var map = PieceMap(total: .max, present: [0..<10, (.max - 100)..<(.max - 50)])
        let taken = [map.take(upTo: .max), map.take(upTo: 1 << 20), map.take(upTo: 1)]
        #expect(taken == [10..<(Int64.max - 100), (Int64.max - 50)..<Int64.max, nil])
    }

    @Test(
        "B7 a Content-Range that does not fit is no range",
        arguments: [
            "bytes 0-9223372036854775807/*", "bytes 0-9223372036854775808/*", "bytes 0-1/99999999999999999999",
            "bytes 9223372036854775807-9223372036854775807/9223372036854775807", "bytes 5-4/10", "bytes */*",
        ])
    func contentRange(text: String) {
        #expect(ContentRange(text) == nil)
    }

    @Test("R3 an event with a retry of any length can be written", arguments: durations)
    func event(retry: Duration) {
        #expect("\(ServerSentEvent(data: "x", retry: retry))".isEmpty == false)
    }

    @Test("W1 a message limit of any size is a limit", arguments: [Int.min, -1, 0, .max])
    func messageLimit(limit: Int) {
        var reader = MessageReader(.client, limit: limit)
        let frame: [UInt8] = [0x82, 0x02, 1, 2]
        let result = frame.withUnsafeBytes { bytes in
            Result { () throws(WebSocketFault) in try reader.read(bytes) { _ in true } }
        }
        let isRead = if case .success = result { true } else { false }
        #expect(isRead == (limit == .max))
    }

    @Test(
        "E6 Retry-After of any size is a wait of a year at most",
        arguments: ["1e30", "99999999999999999999999999", "9223372036854775807", "Fri, 31 Dec 9999 23:59:59 GMT"])
    func retryAfter(value: String) {
        let delay = RetryAfter.delay(value, now: Date(timeIntervalSince1970: 0))
        #expect(delay == (value == "1e30" ? nil : RetryAfter.longest))
    }

    @Test("C1 lifetimes of any size are cut, and dates far off trap nothing")
    func lifetimes() {
        let fields: HTTPFields = [.cacheControl: "max-age=99999999999999999999999"]
        for date in [-1e300, -.infinity, .infinity, .nan, 1e300] {
            let response = CachedResponse(
                url: CachedResponse.url, variant: "", status: .ok, fields: fields, body: Data(),
                requestTime: Date(timeIntervalSince1970: date), responseTime: Date(timeIntervalSince1970: 0))
            _ = CacheDecision([:], stored: [response], mode: .standard, now: Date(timeIntervalSince1970: date))
            #expect(response.lifetime == TimeInterval(DeltaSeconds.largest))
        }
    }
}
