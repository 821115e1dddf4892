@testable import GodwitCore
import GodwitTesting
import Testing

/// Values that a caller or a server may supply, and that fit nowhere: each is an error or is cut, and none ends the
/// process.
@Suite("Values from outside", .timeLimit(.minutes(15)))
struct ValuesFromOutsideTests {
    private struct Dated: Codable {
        var at: Date
    }

    static let wildDates: [Double] = [
        .nan, .infinity, -.infinity, 1e300, -1e300, 1e18, -1e18, 253_402_300_800, -62_167_219_201,
    ]

    @Test("E7 a date that has no form in ISO 8601 throws .encoding and names the field", arguments: wildDates)
    func dates(seconds: Double) async {
        let coding = JSONCoding(keys: .snakeCase)
        let error = await failure { () throws(NetworkError) in
            try coding.encode(Dated(at: Date(timeIntervalSince1970: seconds)))
        }
        #expect(error?.kind == .encoding(reason: "field `at`: the date can't be written as ISO 8601 date"))
    }

    @Test(
        "E7 the first and the last date that have one are written and read back",
        arguments: [253_402_300_799.999, -62_167_219_200])
    func lastDates(seconds: Double) throws {
        let coding = JSONCoding()
        let date = Date(timeIntervalSince1970: seconds)
        let read = try coding.decode(Dated.self, from: try coding.encode(Dated(at: date)))
        #expect(abs(read.at.timeIntervalSince(date)) < 0.002)
    }

    @Test(
        "E7 dates as numbers throw .encoding where JSON has no number for them",
        arguments: [.nan, .infinity] as [Double])
    func numberDates(seconds: Double) async {
        for dates in [JSONDates.epochSeconds, .epochMilliseconds] {
            let error = await failure { () throws(NetworkError) in
                try JSONCoding(dates: dates).encode(Dated(at: Date(timeIntervalSince1970: seconds)))
            }
            guard case .encoding = error?.kind else { Issue.record("\(String(describing: error))"); return }
        }
    }

    @Test("E7 a body whose date has no form throws from the call, and nothing is sent", arguments: [Double.nan, 1e300])
    func call(seconds: Double) async {
        let transport = ScriptedTransport()
        let endpoint = Endpoint<Void>.post("a", body: .json(Dated(at: Date(timeIntervalSince1970: seconds))))
        let error = await articles(transport).failure(of: endpoint)
        guard case .encoding = error?.kind else { Issue.record("\(String(describing: error))"); return }
        #expect(transport.requests.isEmpty)
    }

    @Test("E8 a number too large or too long for its type is read as text without losing digits")
    func numberOrString() throws {
        struct Row: Decodable { @NumberOrString var id: String }
        for digits in ["18446744073709551615", "123456789012345678901234567890", "0.1234567890123456789"] {
            let row = try JSONCoding().decode(Row.self, from: Data(#"{"id":\#(digits)}"#.utf8))
            #expect(row.id == digits)
        }
    }

    @Test("E7 an error shows an unsigned number as it was sent")
    func unsigned() async {
        struct Row: Decodable { var id: Bool }
        let error = await failure { () throws(NetworkError) in
            try JSONCoding().decode(Row.self, from: Data(#"{"id":18446744073709551615}"#.utf8))
        }
        #expect(error?.description == "field `id`: expected true or false, found 18446744073709551615")
    }

    static let wildDurations: [Duration] = [
        .seconds(Int64.max), .seconds(1e20), .seconds(Int64.min), .zero, .seconds(-1),
    ]

    @Test("M4 pauses of any length are slept or skipped", arguments: wildDurations)
    func pauses(duration: Duration) async throws {
        let task = Task {
            try? await withRetry(attempts: 2, backoff: Backoff(base: duration, cap: duration)) { _ in
                throw NetworkError(.rateLimited(retryAfter: duration), phase: .validating)
            }
            _ = try? await Debounced<Int, Int>(for: duration) { $0 }(1)
            let throttled = Throttled<Int, Int>(to: duration) { $0 }
            for number in 0..<2 { _ = try? await throttled(number) }
        }
        await Task.yield()
        task.cancel()
        await task.value
    }

    @Test("M6 limits and rules of any size trap nothing", arguments: wildDurations)
    func rateRules(duration: Duration) async throws {
        let rules: [RateRule] = [
            .slidingWindow(count: 1, per: duration), .slidingWindow(count: .min, per: duration),
            .tokenBucket(perSecond: .infinity, burst: .max), .tokenBucket(perSecond: .nan, burst: 1),
            .tokenBucket(perSecond: -1, burst: .min), .tokenBucket(perSecond: 0, burst: 1),
        ]
        for rule in rules {
            let limit = RateLimit(rule, longestWait: duration < .seconds(1) ? duration : .zero)
            let chain = Chain([limit, ConcurrencyLimit(total: .min, perHost: .max)], over: ScriptedTransport())
            let request = HTTPRequest(url: try HTTPURL("https://a.com/"))
            for _ in 0..<3 { _ = await chain.status(request) }
        }
        let breaker = CircuitBreaker.Options()
        var open = breaker
        (open.failures, open.pause) = (1, duration)
        let chain = Chain([CircuitBreaker(open)], over: ScriptedTransport(503))
        for _ in 0..<3 { _ = await chain.status(HTTPRequest(url: try HTTPURL("https://a.com/"))) }
    }

    @Test("M4 a budget of any size is a budget", arguments: [.nan, .infinity, -.infinity, 0, 1e300] as [Double])
    func budget(number: Double) async throws {
        let budget = RetryBudget(capacity: number, perSecond: number, perSuccess: number)
        var options = RetryOptions()
        options.backoff = Backoff(base: .zero, factor: number)
        let chain = Chain([Retry(options, budget: budget)], over: ScriptedTransport(503))
        for _ in 0..<3 { #expect(await chain.status(HTTPRequest(url: try HTTPURL("https://a.com/"))) == .success(503)) }
    }

    @Test("B6 progress of any numbers has a fraction and a time", arguments: [Int64.min, -1, 0, 5, .max])
    func progress(number: Int64) {
        for other in [Int64.min, -1, 0, 5, .max] {
            for rate in [Double.nan, -1, 0, 1e-300, 1e300, .infinity] {
                let progress = TransferProgress(completed: number, total: other, bytesPerSecond: rate)
                #expect(progress.fraction.map { (0...1).contains($0) } ?? true)
                #expect(progress.timeRemaining.map { $0 >= .zero } ?? true)
            }
        }
        var meter = ProgressMeter(interval: .zero)
        _ = meter.jump(to: .min, total: nil, at: .zero)
        let report = meter.report(.max, total: nil, at: .nanoseconds(1))
        #expect(report.bytesPerSecond?.isFinite == true)
    }

    @Test("P1 pages are numbered to the largest number, and there the list ends")
    func pages() async throws {
        let transport = ScriptedTransport(200, #"{"items":[{"id":1,"title":"a"}]}"#)
        let paging = Paging<Page>.numbers(from: .max - 1) { .get("articles", query: ["page": $0]) }
        var count = 0
        for try await _ in articles(transport).pages(paging) { count += 1 }
        #expect(count == 2)
    }

    private struct Page: ElementPage, Decodable {
        var items: [Article]
    }

    @Test("T7 limits of any size on a body are limits", arguments: [Int.min, -1, 0, .max])
    func bodyLimits(limit: Int) async {
        let stream = HTTPBody.stream {
            AsyncStream { continuation in
                continuation.yield(Data("ab".utf8)); continuation.finish()
            }
        }
        for body in [HTTPBody.bytes(Data("ab".utf8)), stream] {
            let result = await Self.result { () throws(NetworkError) in try await body.collect(upTo: limit) }
            #expect(result.isSuccess == (limit == .max))
        }
        var options = LogOptions(level: .bodies)
        options.destination = { _ in }
        options.bodyLimit = limit
        let chain = Chain(
            [Logging(options)], over: ScriptedTransport(200, #"{"a":1}"#, [.contentType: "application/json"]))
        if let url = try? HTTPURL("https://a.com/") { _ = await chain.status(HTTPRequest(url: url)) }
    }

    private static func result(_ work: () async throws(NetworkError) -> Data) async -> (isSuccess: Bool, Void) {
        do throws(NetworkError) {
            _ = try await work()
            return (true, ())
        } catch {
            return (false, ())
        }
    }

    @Test("B1 a range of a file that is not there throws .file", arguments: [Int64.max - 1, 5, -3])
    func fileRange(start: Int64) async {
        let body = HTTPBody.file(
            at: URL(filePath: "/etc/hostname"), range: start..<(start == .max - 1 ? .max : start + 1 << 40))
        let error = await failure { () throws(NetworkError) in try await body.collect(upTo: 100) }
        guard case .file = error?.kind else { Issue.record("\(String(describing: error))"); return }
    }

    @Test("C4 a stored model of any date is stale or fresh", arguments: wildDates)
    func models(seconds: Double) async throws {
        let store = MemoryModelStore()
        let api = articles(ScriptedTransport(200, #"{"id":1,"title":"a"}"#))
        for now in Self.wildDates {
            let readings = api.reading(.article(id: 1), from: store, maxAge: .seconds(60)) {
                Date(timeIntervalSince1970: now)
            }
            for try await reading in readings { #expect(reading.value.id == 1) }
        }
        _ = seconds
    }

    @Test("E4 an error with any delay can be told to a person", arguments: wildDurations)
    func userMessage(delay: Duration) {
        #expect(NetworkError(.rateLimited(retryAfter: delay), phase: .validating).userMessage != nil)
    }
}
