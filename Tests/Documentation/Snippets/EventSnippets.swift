import Godwit
import GodwitTesting
import Testing

nonisolated struct Delta: Decodable, Sendable {
    var text: String
}

nonisolated struct Price: Decodable, Sendable {
    var amount: Double
}

extension Endpoint {
    static var live: Endpoint<Void> { .get("live") }
    static func chat(_ prompt: String) -> Endpoint<Void> { .post("chat", body: .json(["prompt": prompt])) }
}

enum EventSnippets {
    static func events(_ api: APIClient) async throws {
        // snippet: events
        for try await event in api.events(.live) {
            print(event.type, event.data, event.lastEventID)
        }
        // end
    }

    static func options(_ api: APIClient, _ saved: String) -> EventSource {
        // snippet: event-options
        let events = api.events(.live) {
            $0.lastEventID = saved
            $0.idleTimeout = .seconds(45)  // the server sends a comment every 15 s
            $0.backoff = Backoff(base: .milliseconds(250), cap: .seconds(10))
            $0.statuses = [502, 503]  // retried, not thrown
            $0.failureLimit = 5
            $0.onStateChange = { state in
                switch state {
                case .connecting: print("connecting")
                case .open: print("open")
                case .waiting(let pause, after: let error):
                    print("reconnecting in \(pause)", error?.shortDescription ?? "")
                case .closed: print("closed")
                }
            }
        }
        // end
        return events
    }

    static func deltas(_ api: APIClient) async throws {
        // snippet: event-deltas
        for try await delta in api.events(.chat("When is low tide?")).decoded(as: Delta.self, until: "[DONE]") {
            print(delta.text, terminator: "")
        }
        // end
    }

    static func filtered(_ api: APIClient) async throws {
        // snippet: event-filter
        let prices = api.events(.live).filter { $0.type == "price" }.decoded(as: Price.self, coding: JSONCoding())
        for try await price in prices { print(price.amount) }
        // end
    }

    static func parser(_ api: APIClient) async throws {
        // snippet: event-parser
        var parser = EventStreamParser()
        for try await chunk in api.stream(.live) {
            parser.append(chunk)
            while let event = try parser.next() { print(event.data) }
        }
        // end
    }

    static func server() async throws {
        // snippet: event-server
        let server = try await MockServer { route in
            route.get("/live").replies([
                .events([ServerSentEvent(data: "one", id: "1"), "two"], every: .milliseconds(5)).dropped(
                    after: .events(1)),
                .events(["two"]),
                .status(.noContent),
            ])
        }
        let api = APIClient(baseURL: server.url)
        var received: [String] = []
        for try await event in api.events(.live, configure: { $0.backoff = Backoff(base: .zero) }) {
            received.append(event.data)
        }
        #expect(received == ["one", "two"])
        #expect(server.requests.map(\.lastEventID) == [nil, "1", "1"])
        // end
    }
}
