import Godwit
import RealServerSupport
import Testing

// snippet: guide-jupyter-model
nonisolated struct Kernel: Decodable, Sendable {
    var id: String
}

/// A message of a kernel, in both directions.
nonisolated struct KernelMessage: Codable, Sendable {
    struct Header: Codable, Sendable {
        var msgID = UUID().uuidString
        var msgType: String
        var session: String
        var username = "reader"
        var version = "5.3"

        enum CodingKeys: String, CodingKey {
            case msgID = "msg_id", msgType = "msg_type", session, username, version
        }
    }

    struct Parent: Codable, Sendable {
        var msgID: String?

        enum CodingKeys: String, CodingKey {
            case msgID = "msg_id"
        }
    }

    var header: Header
    var parentHeader = Parent()
    var metadata: JSONValue = [:]
    var content: JSONValue
    var channel: String?

    enum CodingKeys: String, CodingKey {
        case header, metadata, content, channel
        case parentHeader = "parent_header"
    }

    static func execute(_ code: String, in session: String) -> KernelMessage {
        KernelMessage(
            header: Header(msgType: "execute_request", session: session),
            content: ["code": .string(code), "silent": false],
            channel: "shell")
    }
}
// end

extension RealServer.Program {
    fileprivate static let jupyter = python(["-m", "jupyter_server"], package: "jupyter_server")
}

@Suite(
    "Jupyter server",
    .enabled(
        if: RealServer.isInstalled(.jupyter), "script/test --servers real")
)
struct JupyterTests {
    private func server() async throws -> RealServer {
        try await RealServer(.jupyter) { place in
            [
                "--allow-root", "--ip=127.0.0.1", "--port=\(place.port)", "--no-browser",
                "--ServerApp.root_dir=\(place.folder.path)", "--IdentityProvider.token=secret-token",
            ]
        }
    }

    @Test("a kernel runs code; its messages come over a WebSocket with a token: W1, A1", .timeLimit(.minutes(15)))
    func kernels() async throws {
        let server = try await server()
        let url = server.url
        // snippet: guide-jupyter
        let api = APIClient(baseURL: url) {
            $0.authentication = .credential(.apiKey("token secret-token", field: .authorization))
        }
        let kernel = try await api.send(Endpoint<Kernel>.post("api/kernels", body: .json(["name": "python3"])))
        let socket = try await api.webSocket("api/kernels/\(kernel.id)/channels")
        let question = KernelMessage.execute("print(6 * 7)", in: "reader-1")
        try await socket.send(String(decoding: JSONModelEncoder().encode(question), as: UTF8.self))
        // end
        var printed = ""
        for try await message in socket.messages {
            guard case .text(let text) = message else { continue }
            let answer = try JSONModelDecoder().decode(KernelMessage.self, from: Data(text.utf8))
            guard answer.parentHeader.msgID == question.header.msgID else { continue }
            if answer.header.msgType == "stream" { printed += answer.content["text"]?.string ?? "" }
            if answer.header.msgType == "status", answer.content["execution_state"]?.string == "idle" { break }
        }
        #expect(printed == "42\n")
        await socket.close()
        try await api.send(Endpoint<Void>.delete("api/kernels/\(kernel.id)"))
        await server.stop()
    }

    @Test(
        "a session by a form: its cookies, and the field that they need for changes: K1, B3", .timeLimit(.minutes(15)))
    func sessions() async throws {
        let server = try await server()
        let url = server.url
        // snippet: guide-jupyter-session
        let api = APIClient(baseURL: url) {
            $0.attemptMiddleware.append(XSRFToken(cookie: "_xsrf", field: "X-XSRFToken"))
        }
        try await api.send(Endpoint<Void>.get("login"))  // sets the cookie
        try await api.send(Endpoint<Void>.post("login", body: .form(["password": "secret-token"])))
        // end
        let file = JSONValue.object(["type": "file", "format": "text", "content": "ebb"])
        try await api.send(Endpoint<Void>.put("api/contents/tide.txt", body: .json(file)))
        #expect(try server.text(of: "tide.txt") == "ebb")
        await server.stop()
    }
}
