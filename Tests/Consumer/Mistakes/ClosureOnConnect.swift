// works
import Godwit

func program(api: APIClient) {
    let socket = api.reconnectingWebSocket("live") { _, reconnect in
        reconnect.onConnect = { socket in try await socket.send("subscribe") }
    }
    _ = socket
}
