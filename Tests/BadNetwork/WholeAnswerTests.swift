import Godwit
import GodwitTesting
import PeerSupport
import Testing

extension BadNetwork {
    /// Responses over HTTP/2 that are truncated, or with interim responses, trailers or too many fields.
    @Suite("Complete responses over HTTP/2", .enabled(if: H2Peer.isAvailable, H2Peer.hint), .serialized)
    struct WholeAnswers {
        @Test(
            "T11 a stream reset within its body is an error, also with NO_ERROR", arguments: Subject.allCases,
            ["/reset?code=0", "/reset?code=0&after=0", "/reset?code=2", "/reset?code=8&after=0", "/reset?length=100"])
        func cut(_ subject: Subject, _ path: String) async throws {
            let peer = try H2Peer()
            let transport = try subject.makeTrusting()
            for delivery in [Delivery.buffered, .streamed] {
                let error = try #require(await transport.failure(of: .get(HTTPURL(peer.secure + path), delivery)))
                #expect(error.phase == .receiving)
                #expect(error.isRetryable || error.shortDescription == "transport.protocol_violation")
            }
            #expect(try await text(of: transport.get(HTTPURL(peer.secure + "/ok"))) == "ok")
        }

        @Test("T14 interim responses are reported in order, and the final one is returned", arguments: Subject.allCases)
        func interim(_ subject: Subject) async throws {
            let peer = try H2Peer()
            let transport = try subject.makeTrusting()
            for path in ["/interim?count=1", "/interim?count=100", "/interim?count=3&status=102"] {
                let heads = Watched<[HTTPResponseHead]>([])
                let answer = try await transport.get(HTTPURL(peer.secure + path)) {
                    $0.options.onEvent = { event in
                        if case .interim(let head) = event { heads.update { $0.append(head) } }
                    }
                }
                #expect(try await text(of: answer) == "ok")
                #expect("\(heads.value.count)" == path.firstMatch(of: /count=(\d+)/).map { String($0.1) })
                #expect(heads.value.allSatisfy { $0.fields[.link] != nil && $0.status.kind == .informational })
            }
        }

        @Test("T14 1,000 interim responses are too many", arguments: Subject.allCases)
        func manyInterim(_ subject: Subject) async throws {
            let peer = try H2Peer()
            let transport = try subject.makeTrusting()
            let error = await transport.failure(of: .get(try HTTPURL(peer.secure + "/interim?count=1000")))
            #expect(error?.shortDescription == "invalid_response")
            #expect(error?.description.contains("more than 100 interim responses") == true)
        }

        @Test("T14 a flood of fields ends in a typed error", arguments: Subject.allCases)
        func flood(_ subject: Subject) async throws {
            let peer = try H2Peer()
            let transport = try subject.makeTrusting()
            for path in ["/fields?count=4000&size=100", "/fields?count=40&size=10000"] {
                let error = await transport.failure(of: .get(try HTTPURL(peer.secure + path)))
                #expect(error?.shortDescription == "too_large", "\(path): \(String(describing: error))")
            }
        }

        @Test("T14 trailers reach the response, buffered and streamed", arguments: Subject.allCases)
        func trailers(_ subject: Subject) async throws {
            let peer = try H2Peer()
            let transport = try subject.makeTrusting()
            for delivery in [Delivery.buffered, .streamed] {
                let answer = try await transport.get(HTTPURL(peer.secure + "/trailers"), delivery)
                #expect(try await text(of: answer) == "body")
                #expect(answer.trailers["x-checksum"] == "230d8358")
                #expect(answer.trailers["Server-Timing"] == "db;dur=5")
                #expect(!answer.head.fields.contains("x-checksum"))
            }
            #expect(try await transport.get(HTTPURL(peer.secure + "/ok")).trailers.isEmpty)
        }

        @Test("T14 prior knowledge of HTTP/2 works for every request", arguments: Subject.allCases)
        func priorKnowledge(_ subject: Subject) async throws {
            let peer = try H2Peer()
            let transport = try subject.make { $0.versions = .http2PriorKnowledge }
            for number in 0..<5 {
                let url = try HTTPURL("\(peer.plain)/ok?id=\(number)")
                let answer = try await transport.send(number % 2 == 0 ? .get(url) : .upload("content", to: url, .post))
                #expect(answer.metrics.protocolVersion == .http2)
                #expect(try await text(of: answer) == "ok")
            }
            await withTaskGroup(of: NetworkError?.self) { group in
                for number in 5..<25 {
                    group.addTask {
                        guard let url = try? HTTPURL("\(peer.plain)/ok?id=\(number)") else { return nil }
                        return await transport.failure(of: .get(url))
                    }
                }
                for await failure in group { #expect(failure == nil) }
            }
            #expect(try await peer.count().distinct == 25)
        }

        @Test("T11 an upload whose window opens a little at a time counts as activity", arguments: Subject.allCases)
        func trickle(_ subject: Subject) async throws {
            let peer = try H2Peer("--window", "1000")
            let transport = try subject.makeTrusting()
            _ = try await transport.get(HTTPURL(peer.secure + "/ok"))  // The server's settings are known from here on.
            // 64 KiB, at 8 KB every half second: twice the limit.
            let url = try HTTPURL(peer.secure + "/trickle?step=8192&every=0.5&id=x")
            let answer = try await transport.send(
                .upload(.bytes(Data(count: 64 << 10)), to: url, .post) { $0.options.timeouts.inactivity = .seconds(2) })
            #expect(try await text(of: answer) == "ok")
        }

        @Test("T11 a window that never opens ends in the inactivity limit", arguments: Subject.allCases)
        func stuck(_ subject: Subject) async throws {
            let peer = try H2Peer("--window", "1000")
            let transport = try subject.makeTrusting()
            _ = try await transport.get(HTTPURL(peer.secure + "/ok"))
            let begin = ContinuousClock.now
            let error = await transport.failure(
                of: .upload(.bytes(Data(count: 64 << 10)), to: try HTTPURL(peer.secure + "/stuck"), .post) {
                    $0.options.timeouts.inactivity = .milliseconds(500)
                })
            #expect(error?.kind == .timedOut(.inactivity))
            #expect(begin.duration(to: .now) < .seconds(10))
        }
    }
}
