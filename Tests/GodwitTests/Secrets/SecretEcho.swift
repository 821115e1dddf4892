import Godwit
import GodwitTesting
import Synchronization

/// A server that repeats all that it was sent, in many encodings: in its words, fields, redirects, events and close frames.
struct SecretEcho {
    static let secret = "S3KR/1T+42~x"
    let server: MockServer
    private let heard = Heard()

    final class Heard: Sendable {
        private let texts = Mutex<[String]>([])

        /// Returns a challenge if the server asks for a password and got none.
        func hear(_ request: MockRequest, asks: Bool) -> MockResponse? {
            let fields = request.fields.filter { $0.name != .host && $0.name != .userAgent }.map(\.value)
            texts.withLock { $0 += fields + [request.target, request.text] }
            guard asks, !request.fields.contains(.authorization) else { return nil }
            return .status(.unauthorized).field(.wwwAuthenticate, "Basic realm=\"x\"")
        }

        /// What was sent since the start, and the secret in all forms that a server could make of it.
        var words: String {
            let secret = SecretEcho.secret
            let unreserved = secret.replacing("/", with: "%2F").replacing("+", with: "%2B")
            let forms = [
                secret, unreserved, unreserved.lowercased().replacing("s3kr", with: "S3KR").replacing("1t", with: "1T"),
                Data(secret.utf8).base64EncodedString(), Data("ann:\(secret)".utf8).base64EncodedString(),
                secret.replacing("/", with: "\\/"), secret.replacing("/", with: "\\u002f"), "'\(secret)'",
                "\"\(secret)\"",
            ]
            return (forms + texts.withLock(\.self)).joined(separator: " and ")
        }
    }

    /// - Parameter asks: Whether the server asks for a name and password.
    init(asks: Bool = false) async throws {
        let heard = heard
        server = try await MockServer { routes in
            routes.any("/refuse/*").reply { request in
                if let challenge = heard.hear(request, asks: asks) { return challenge }
                return .json(["message": .string("The key \(heard.words) is not valid")], status: .badRequest).echoing(
                    heard)
            }
            routes.any("/fields/*").reply { request in
                if let challenge = heard.hear(request, asks: asks) { return challenge }
                return .json(["errors": ["title": [.string("\(heard.words) is bad")]]], status: .unprocessableContent)
            }
            routes.any("/plain/*").reply { request in
                if let challenge = heard.hear(request, asks: asks) { return challenge }
                return .text("The key \(SecretEcho.secret) is not valid", status: .conflict).echoing(heard)
            }
            routes.any("/wrong/*").reply { request in
                if let challenge = heard.hear(request, asks: asks) { return challenge }
                return .json(["count": .string(SecretEcho.secret), "echo": .string(heard.words)])
            }
            routes.any("/elements/*").reply { request in
                if let challenge = heard.hear(request, asks: asks) { return challenge }
                return .json([["count": .string(SecretEcho.secret)]])
            }
            routes.any("/counts/*").reply { request in
                if let challenge = heard.hear(request, asks: asks) { return challenge }
                return .events([ServerSentEvent(data: "{\"count\":\"\(SecretEcho.secret)\"}")])
            }
            routes.any("/typed/*").reply { request in
                if let challenge = heard.hear(request, asks: asks) { return challenge }
                return .bytes(
                    Data(#"{"token":"other-T0KEN","echo":"\#(SecretEcho.secret)"}"#.utf8), contentType: "text/plain")
            }
            routes.any("/moved/*").reply { request in
                if let challenge = heard.hear(request, asks: asks) { return challenge }
                let name = SecretEcho.secret.replacing("/", with: "%2F").replacing("+", with: "%2B")
                return .redirect(to: "/refuse/\(name)?echo=\(name)").echoing(heard)
            }
            routes.any("/events/*").reply { request in
                if let challenge = heard.hear(request, asks: asks) { return challenge }
                let data = Data(
                    "data: {\"echo\":\ndata: \"\(SecretEcho.secret)\"}\n\ndata: {\"token\":\ndata: \"other-T0KEN\"}\n\n"
                        .utf8)
                let middle = data.count / 4
                let chunks = stride(from: 0, to: data.count, by: middle).map {
                    Data(data[$0..<min(data.count, $0 + middle)])
                }
                return .chunks(chunks, every: .zero, contentType: "text/event-stream")
            }
            routes.webSocket("/socket/*") { socket in
                try await socket.send("{\"echo\":\"\(SecretEcho.secret)\"}")
                await socket.close(.policyViolation, reason: "not \(SecretEcho.secret)")
            }
        }
    }

    /// The forms of the secret that no text may have.
    static var forms: [String] {
        let percent = secret.replacing("/", with: "%2F").replacing("+", with: "%2B")
        return [
            secret, percent, "S3KR", "1T+42", "1T%2B42", Data(secret.utf8).base64EncodedString(),
            Data("ann:\(secret)".utf8).base64EncodedString(), "other-T0KEN",
        ]
    }
}

extension MockResponse {
    /// Repeats what was heard in fields.
    fileprivate func echoing(_ heard: SecretEcho.Heard) -> MockResponse {
        field("X-Echo", SecretEcho.secret).field("X-Debug", heard.words.filter { $0.isASCII && !$0.isNewline })
            .field(.setCookie, "sid=\(SecretEcho.secret)")
    }
}
