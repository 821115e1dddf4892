import GodwitCore
import GodwitSockets
import GodwitTesting

/// Requests of many kinds, each with how it ends.
enum Sending {
    static func run() async throws {
        let away = try client("https://nowhere.example")
        await report("name") { () throws(NetworkError) in try await away.send(Endpoint<Void>.get("a")) }
        for (name, base) in [("v4", "http://192.0.2.1"), ("v6", "http://[2001:db8::1]")] {
            let api = try client(base)
            await report(name) { () throws(NetworkError) in try await api.send(Endpoint<Void>.get("a")) }
        }
        await report("warm-up") { () throws(NetworkError) in try await away.warmUp() }
        await report("socket") { () throws(NetworkError) in try await away.webSocket("live") }
        await report("events") { () throws(NetworkError) in
            for try await _ in away.events(.get("live"), configure: { $0.failureLimit = 0 }) {}
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "path-probe-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        await report("download") { () throws(NetworkError) in
            try await away.download(.get("a"), to: folder.appending(path: "file")).file
        }
        try? FileManager.default.removeItem(at: folder)
        let server = try await MockServer { route in route.get("/a").reply(.text("ok")) }
        let near = try client("\(server.url)")
        await report("loopback") { () throws(NetworkError) in try await near.send(Endpoint<Void>.get("a")) }
        await server.stop()
        await report("refused") { () throws(NetworkError) in try await near.send(Endpoint<Void>.get("a")) }
    }

    private static func client(_ base: String) throws(NetworkError) -> APIClient {
        APIClient(baseURL: base, transport: try SocketTransport { $0.protocols = .http1 }) {
            $0.plaintextHosts = ["192.0.2.1", "[2001:db8::1]"]
        }
    }

    /// Prints a line: what was tried, what came of it, and at which attempt.
    private static func report(_ name: String, _ send: () async throws(NetworkError) -> some Any) async {
        do throws(NetworkError) {
            _ = try await send()
            StandardOutput.print("\(name): ok")
        } catch {
            StandardOutput.print("\(name): \(error.shortDescription) (\(error.attempt))")
        }
    }
}
