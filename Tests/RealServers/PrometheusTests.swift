import Godwit
import RealServerSupport
import Testing

// snippet: guide-prometheus-model
/// A series of an answer: `value` of a query at a time, `values` of one over a range.
nonisolated struct Series: Decodable, Sendable {
    var metric: [String: String]
    var value: Sample?
    var values: [Sample]?
}

/// `[1795958122.236, "0.5"]`: seconds, and a number as a string, because JSON has no NaN.
nonisolated struct Sample: Decodable, Sendable {
    var time: Date
    var value: Double

    init(from decoder: any Decoder) throws {
        var parts = try decoder.unkeyedContainer()
        time = Date(timeIntervalSince1970: try parts.decode(Double.self))
        value = Double(try parts.decode(String.self)) ?? .nan
    }
}

nonisolated extension Endpoint<[Series]> {
    /// By POST, as an expression can be longer than a URL.
    static func query(_ expression: String, timeout: String? = nil) -> Self {
        .post("query", body: .form(["query": expression, "timeout": timeout])).unwrapping("data.result")
    }

    static func range(_ expression: String, from start: Date, to end: Date, step: Int) -> Self {
        .get(
            "query_range",
            query: [
                "query": expression, "start": start.timeIntervalSince1970, "end": end.timeIntervalSince1970,
                "step": step,
            ]
        )
        .unwrapping("data.result")
    }
}
// end

@Suite("Prometheus", .enabled(if: RealServer.isInstalled(.command("prometheus")), "script/test --servers real"))
struct PrometheusTests {
    /// A server that has read its own metrics once.
    private func server() async throws -> (RealServer, APIClient) {
        let server = try await RealServer(.command("prometheus")) { place in
            let configuration = """
                global: {scrape_interval: 100ms, scrape_timeout: 100ms}
                scrape_configs: [{job_name: self, static_configs: [{targets: ["127.0.0.1:\(place.port)"]}]}]
                """
            try place.write(configuration, to: "prometheus.yml")
            return [
                "--config.file=\(place.folder.path)/prometheus.yml", "--storage.tsdb.path=\(place.folder.path)/data",
                "--web.listen-address=127.0.0.1:\(place.port)",
            ]
        }
        let api = APIClient(baseURL: server.url + "/api/v1/")
        // It accepts connections before it is ready.
        while case let up = await api.result(of: .query("up")), (try? up.get())?.first?.value?.value != 1 {
            try await Task.sleep(for: .milliseconds(20))
        }
        return (server, api)
    }

    @Test("typed queries by POST, and one that is wrong, in the server's words: E4, E11", .timeLimit(.minutes(15)))
    func queries() async throws {
        let (server, api) = try await server()
        let up = try await api.send(.query("up"))
        #expect(up.count == 1 && up[0].metric["job"] == "self")
        #expect(abs(up[0].value?.time.timeIntervalSinceNow ?? .infinity) < 600)

        let unclosed = await api.result(of: .query("up("))
        guard case .failure(let error) = unclosed else { throw Unexpected() }
        #expect(error.kind == .client(status: 400))
        #expect(error.userMessage?.contains("parse error: unclosed left parenthesis") == true)

        // 422: it can be read, and can't be computed.
        let ambiguous = await api.result(of: .query(#"up + on() group_left() {__name__=~".+"}"#))
        guard case .failure(let error) = ambiguous else { throw Unexpected() }
        #expect(error.response?.status.code == 422)
        #expect(error.problem?.detail?.contains("many-to-many matching not allowed") == true)
        await server.stop()
    }

    @Test("a large result is decoded series by series while it arrives: R1", .timeLimit(.minutes(15)))
    func ranges() async throws {
        let (server, api) = try await server()
        let now = Date()
        let all = Endpoint.range(#"{__name__=~".+"}"#, from: now - 300, to: now, step: 1)
        var names: Set<String> = []
        for try await series in api.stream(all).elements(of: Series.self, at: "data.result") {
            names.insert(series.metric["__name__"] ?? "")
            #expect(series.values?.isEmpty == false)
        }
        #expect(names.count > 100 && names.contains("up"))
        await server.stop()
    }

    @Test("the server's limit in time is its error, the client's is ours: E4", .timeLimit(.minutes(15)))
    func limits() async throws {
        let (server, api) = try await server()
        let slow = #"sum_over_time(count({__name__=~".+"})[10h:1s])"#
        let limited = await api.result(of: .query(slow, timeout: "1ms").retry(.never))
        guard case .failure(let error) = limited else { throw Unexpected() }
        // While it still looks for the series, the limit is a 422 in Prometheus' words.
        let isEarly = error.problem?.detail == "expanding series: context deadline exceeded"
        #expect(isEarly ? error.kind == .client(status: 422) : error.kind == .server(status: 503), "\(error)")
        #expect(isEarly || error.problem?.detail?.contains("timed out") == true, "\(error)")

        let impatient = await api.result(of: .query(slow).timeout(.milliseconds(1)))
        guard case .failure(let error) = impatient else { throw Unexpected() }
        #expect(error.kind == .timedOut(.total))
        await server.stop()
    }
}

/// A call that should have failed.
struct Unexpected: Error {}
