// expect: value of type 'WebSocketOptions' has no member 'subprotocol'
import Godwit

func program(api: APIClient) async throws {
    let socket = try await api.webSocket("live") { $0.subprotocol = ["chat"] }
    _ = socket
}
