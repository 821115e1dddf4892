import Godwit
import GodwitCurl
import GodwitTesting
import Testing

/// Who sends a message depends on its size and on what waits: the task, the event loop, or both.
@Suite("W2 messages of a plain socket", .timeLimit(.minutes(5)))
struct SocketOrderTests {
    private static let sizes = [3, 8 << 20, 0, 200, 70_000, 1, 2 << 20]

    private static func message(_ number: Int) -> Data {
        Data(repeating: UInt8(number % 251), count: sizes[number % sizes.count])
    }

    @Test("W2 messages arrive whole and in order at a slow reader", arguments: [false, true])
    func order(onLoop: Bool) async throws {
        let matching = Watched(0)
        let server = try await MockServer { route in
            route.webSocket("/live") { socket in
                // The system's buffers are full by then.
                try await Task.sleep(for: .milliseconds(200))
                var number = 0
                for try await message in socket.messages {
                    if message == .binary(Self.message(number)) { matching.update { $0 += 1 } }
                    number += 1
                }
            }
        }
        let transport = try CurlTransport { $0.proxy = .none }
        let send: @Sendable () async throws -> Void = {
            let socket = try await APIClient(baseURL: server.url, transport: transport).webSocket("live")
            for number in 0..<(3 * Self.sizes.count) { try await socket.send(Self.message(number)) }
            try await matching.wait { $0 == 3 * Self.sizes.count }
            await socket.close()
        }
        if onLoop {
            try await withTaskExecutorPreference(transport.taskExecutor) { try await send() }
        } else {
            try await send()
        }
        await transport.shutdown(.cancelling)
    }

    @Test("W2 every message of tasks that send at the same time arrives")
    func crowd() async throws {
        let received = Watched<Set<String>>([])
        let server = try await MockServer { route in
            route.webSocket("/live") { socket in
                for try await case .text(let text) in socket.messages { received.update { _ = $0.insert(text) } }
            }
        }
        let transport = try CurlTransport { $0.proxy = .none }
        let socket = try await APIClient(baseURL: server.url, transport: transport).webSocket("live")
        let padding = String(repeating: "-", count: 20_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask { for number in 0..<50 { try await socket.send("\(task) \(number) \(padding)") } }
            }
            try await group.waitForAll()
        }
        try await received.wait { $0.count == 400 }
        await socket.close()
        await transport.shutdown(.cancelling)
    }
}
