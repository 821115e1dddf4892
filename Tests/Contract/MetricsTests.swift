import Godwit
import GodwitTesting
import PeerSupport
import Testing

@Suite("Contract: metrics", .timeLimit(.minutes(15)))
struct MetricsTests {
    /// The times that are there, in the order in which they have to stand.
    private func times(_ metrics: TransferMetrics) -> [Duration] {
        [metrics.dns, metrics.connect, metrics.tls, metrics.requestSent, metrics.firstByte, metrics.total]
            .compactMap(\.self)
    }

    @Test("T5 a new plain connection: times in order, bytes, version and address", arguments: Subject.allCases)
    func plain(_ subject: Subject) async throws {
        let server = try await MockServer {
            $0.any("*").reply(.bytes(Samples.data(10_000)).delayed(by: .milliseconds(30)))
        }
        let start = ContinuousClock.now
        let metrics = try await subject.make().send(.upload(.bytes(Data(count: 5000)), to: server.url)).metrics
        let elapsed = ContinuousClock.now - start
        #expect(times(metrics).count == 5)
        #expect(times(metrics) == times(metrics).sorted())
        #expect(metrics.tls == nil)
        let firstByte = try #require(metrics.firstByte)
        let requestSent = try #require(metrics.requestSent)
        let total = try #require(metrics.total)
        #expect(firstByte - requestSent >= .milliseconds(25))
        #expect(total <= elapsed)
        #expect(metrics.bytesSent == 5000)
        #expect(metrics.bytesReceived == 10_000)
        #expect(metrics.protocolVersion == .http1_1)
        #expect(metrics.remoteAddress == "127.0.0.1:\(server.url.port)")
        #expect(metrics.redirectCount == 0)
    }

    @Test("T5 a reused connection has no times of connecting", arguments: Subject.allCases)
    func reused(_ subject: Subject) async throws {
        let server = try await MockServer { $0.any("*").reply(.text("ok")) }
        let transport = try subject.make()
        _ = try await transport.get(server.url)
        let metrics = try await transport.get(server.url).metrics
        #expect(metrics.reusedConnection)
        #expect(metrics.dns == nil && metrics.connect == nil && metrics.tls == nil)
        #expect(times(metrics).count == 3)
        #expect(times(metrics) == times(metrics).sorted())
    }

    @Test("T5 TLS has its time", .enabled(if: Nginx.isRunning, Nginx.hint), arguments: Subject.allCases)
    func secure(_ subject: Subject) async throws {
        let transport = try subject.makeTrusting()
        for server in [Nginx.h2, .tls1] {
            let metrics = try await transport.get(server.at("/text.txt")).metrics
            #expect(times(metrics).count == 6)
            #expect(times(metrics) == times(metrics).sorted())
        }
    }

    @Test("T5 of a streamed exchange the end tells the whole", arguments: Subject.allCases)
    func streamed(_ subject: Subject) async throws {
        let ended = Watched<TransferMetrics?>(nil)
        let server = try await MockServer { $0.any("*").reply(.bytes(Samples.data(300_000))) }
        let response = try await subject.make().get(server.url, .streamed) {
            $0.options.onEvent = { event in
                if case .finished(let metrics) = event { ended.update { $0 = metrics } }
            }
        }
        #expect(times(response.metrics) == times(response.metrics).sorted())
        #expect(response.metrics.firstByte != nil)
        _ = try await bytes(of: response)
        try await ended.wait { $0 != nil }
        let metrics = try #require(ended.value)
        #expect(metrics.bytesReceived == 300_000)
        #expect(times(metrics) == times(metrics).sorted())
        let head = try #require(response.metrics.firstByte)
        let total = try #require(metrics.total)
        #expect(total >= head)
    }

    @Test(
        "T5 what is received is counted before decoding", .enabled(if: Nginx.isRunning, Nginx.hint),
        arguments: Subject.allCases)
    func encoded(_ subject: Subject) async throws {
        let response = try await subject.makeTrusting().get(Nginx.h2.at("/text-br.txt"))
        #expect(response.metrics.bytesReceived > 0)
        #expect(response.metrics.bytesReceived < Int64(try await bytes(of: response).count))
    }

    @Test("T5 a failed exchange tells its end too", arguments: Subject.allCases)
    func failed(_ subject: Subject) async throws {
        let ended = Watched<[TransferMetrics]>([])
        let server = try await MockServer {
            $0.any("*").reply(.bytes(Data(count: 1000)).dropped(after: .bytes(300)))
        }
        let error = await (try subject.make()).failure(
            of: .get(server.url) {
                $0.options.onEvent = { event in
                    if case .finished(let metrics) = event { ended.update { $0.append(metrics) } }
                }
            })
        #expect(error != nil)
        #expect(ended.value.map(\.bytesReceived) == [300])
    }
}
