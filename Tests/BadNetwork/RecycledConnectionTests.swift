import Godwit
import GodwitTesting
import PeerSupport
import Testing

extension BadNetwork {
    /// Servers that close connections after some requests, as nginx does after 1,000.
    @Suite("Recycled connections", .enabled(if: RecyclingNginx.isAvailable, Nginx.hint))
    struct RecycledConnections {
        /// The protocol to the server.
        enum Way: String, CaseIterable, Sendable, Codable {
            case http1, http1Secure, http2
        }

        @Test(
            "T11 through recycled connections nothing is lost and nothing is sent twice", arguments: Subject.allCases,
            Way.allCases)
        func counted(_ subject: Subject, _ way: Way) async throws {
            for (requests, inFlight) in [(20, 100), (100, 100)] {
                try await count(subject, way, calls: 1_000, inFlight: inFlight, requestsPerConnection: requests)
            }
        }

        @Test(
            "T11 20,000 requests through recycled connections",
            .enabled(if: ProcessInfo.processInfo.environment["GODWIT_TEST_SOAK"] != nil),
            arguments: Subject.allCases, Way.allCases)
        func soak(_ subject: Subject, _ way: Way) async throws {
            for requests in [20, 1_000] {
                for inFlight in [20, 100] {
                    try await count(subject, way, calls: 20_000, inFlight: inFlight, requestsPerConnection: requests)
                }
            }
        }

        private func count(
            _ subject: Subject, _ way: Way, calls: Int, inFlight: Int, requestsPerConnection: Int
        ) async throws {
            let nginx = try await RecyclingNginx(requestsPerConnection: requestsPerConnection)
            let transport = try subject.makeTrusting { $0.versions = way == .http2 ? .automatic : .http1 }
            let origin = way == .http1 ? nginx.plain : nginx.secure
            let failures = Watched<[String: Int]>([:])
            await withTaskGroup(of: Void.self) { group in
                for lane in 0..<inFlight {
                    group.addTask {
                        for number in stride(from: lane, to: calls, by: inFlight) {
                            await Self.call(transport, "\(origin)/?id=\(number)", number, failures)
                        }
                    }
                }
            }
            await transport.shutdown(.finishing)
            let processed = try nginx.processed()
            #expect(failures.value == [:], "\(requestsPerConnection) at \(inFlight)")
            #expect(processed.count == calls)
            #expect(processed.values.allSatisfy { $0 == 1 })
        }

        /// A POST or a GET, in turn.
        private static func call(
            _ transport: any HTTPTransport, _ url: String, _ number: Int, _ failures: Watched<[String: Int]>
        ) async {
            do {
                let url = try HTTPURL(url)
                let request = number % 2 == 0 ? HTTPRequest.upload("content", to: url, .post) : .get(url)
                let status = try await transport.send(request).head.status
                if status != .ok { failures.update { $0["status \(status)", default: 0] += 1 } }
            } catch {
                failures.update { $0["\(error)", default: 0] += 1 }
            }
        }
    }
}
