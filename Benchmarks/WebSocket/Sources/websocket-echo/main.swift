// Echoes messages over one WebSocket: websocket-echo PORT COUNT SIZE [loop]; prints messages per second.
import Glibc
import Godwit

let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
guard numbers.count == 3 else {
    print("usage: websocket-echo PORT COUNT SIZE [loop]")
    exit(2)
}
let (port, count, size) = (numbers[0], numbers[1], numbers[2])
let transport = try CurlTransport { $0.proxy = .none }
let api = APIClient(baseURL: "http://127.0.0.1:\(port)", transport: transport)

func run() async throws(NetworkError) {
    let socket = try await api.webSocket("") { $0.messageLimit = max(size, 1 << 20) }
    let message = WebSocketMessage.binary(Data(repeating: 120, count: size))
    let start = ContinuousClock.now
    for _ in 0..<count {
        try await socket.send(message)
        _ = try await socket.receive()
    }
    print(Double(count) / ((ContinuousClock.now - start) / .seconds(1)))
}

// On the event loop's own thread a message costs no switch of threads.
if CommandLine.arguments.last == "loop" {
    try await withTaskExecutorPreference(transport.taskExecutor) { try await run() }
} else {
    try await run()
}
