// expect: value of type 'MockRoute' has no member 'replyy'
import Godwit
import GodwitTesting

func program() async throws {
    let server = try await MockServer { route in
        route.get("/articles").replyy(json: [])
    }
    _ = server
}
