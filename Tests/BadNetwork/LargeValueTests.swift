import Godwit
import GodwitTesting
import PeerSupport
import Testing

extension BadNetwork {
    /// JSON whose values take far more memory than its text.
    @Suite("Large values", .serialized, .timeLimit(.minutes(15)))
    struct LargeValues {
        private static let elements = [
            "[]", "{}", "0", "\"\"", "[[[[[[[[0]]]]]]]]", #"{"a":0}"#, "\"0123456789abcdef\"",
        ]
        private static let size = 56_000_000

        private static func text(_ element: String) -> Data {
            let piece = Data("\(element),".utf8)
            var data = piece
            while data.count < size { data += data.prefix(size - data.count + piece.count) }
            let whole = size / piece.count * piece.count
            return Data("[".utf8) + data.prefix(whole - 1) + Data("]".utf8)
        }

        @Test("S5 an Endpoint<JSONValue> takes less than six times the text of its body", arguments: elements)
        func tree(_ element: String) async throws {
            let body = Self.text(element)
            let answer = MockResponse.bytes(body).field(.contentType, "application/json")
            var failure = answer
            failure.status = .notFound
            let server = try await MockServer { [failure] routes in
                routes.get("/ok").reply(.json("[1]"))
                // Not by a closure: the wait for the other process takes the threads that would run it.
                routes.get("/failed").reply(failure)
                routes.get("/").reply(answer)
            }
            let result = await #expect(
                processExitsWith: .success, observing: [\.standardOutputContent]
            ) { [port = server.url.port as Int, size = body.count as Int] in
                let api = try APIClient(baseURL: HTTPURL("http://127.0.0.1:\(port)/"))
                _ = try await api.send(Endpoint<JSONValue>.get("ok"))
                let before = Usage.now().memory
                var outcomes: [String] = []
                for path in ["", "failed"] as [EndpointPath] {
                    do throws(NetworkError) {
                        _ = try await api.send(Endpoint<JSONValue>.get(path))
                        outcomes.append("value")
                    } catch {
                        outcomes.append(error.shortDescription)
                    }
                }
                #expect(outcomes[0] == "value" || outcomes[0] == "too_large")
                let growth = Usage.peak - before
                #expect(growth < 6 * size)
                print("\(outcomes): \(growth >> 20) MiB for \(size >> 20)")
            }
            print(element, String(decoding: result?.standardOutputContent ?? [], as: UTF8.self))
        }
    }
}
