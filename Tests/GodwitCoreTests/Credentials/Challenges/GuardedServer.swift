import GodwitCore
import GodwitSupport
import Synchronization

/// Answers 401 until a request proves itself by Basic or Digest, and counts as a careful server does: a nonce's counter
/// has to rise, and a nonce is good for so many requests.
final class GuardedServer: Sendable {
    struct Rules: Sendable {
        var challenges = ["Digest realm=\"nest\", nonce=\"%n\", qop=\"auth\", algorithm=SHA-256, opaque=\"o\""]
        var user = "kuaka"
        var password = "godwit"
        var usesPerNonce = Int.max
        var namesNextNonce = false
    }

    private struct State {
        var nonces: [String: UInt32] = [:]
        var current = ""
        var issued = 0
        var requests: [HTTPRequest] = []
    }

    private let rules: Rules
    private let state = Mutex(State())

    init(_ rules: Rules = Rules()) {
        self.rules = rules
    }

    var requests: [HTTPRequest] { state.withLock(\.requests) }
    var statuses: [Bool] { requests.map { $0.fields.contains(.authorization) } }

    var transport: ScriptedTransport {
        ScriptedTransport { [self] request throws(NetworkError) in answer(request) }
    }

    func answer(_ request: HTTPRequest) -> HTTPResponse {
        state.withLock { state in
            state.requests.append(request)
            guard let value = request.fields[.authorization] else { return refusal(of: request, "", &state) }
            let given = AuthenticationChallenge.parse([value])
            guard let answer = given.first else { return refusal(of: request, "", &state) }
            if answer.scheme == "basic" {
                let pair = Data("\(rules.user):\(rules.password)".utf8).base64EncodedString()
                return answer.token68 == pair ? .reply(to: request, 200, "ok") : refusal(of: request, "", &state)
            }
            return digest(answer.parameters, request, &state)
        }
    }

    private func digest(_ given: [String: String], _ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
        guard let nonce = given["nonce"], let counter = given["nc"].flatMap({ UInt32($0, radix: 16) }),
            given["uri"] == String(request.url.target), given["response"] == expected(given, request)
        else { return refusal(of: request, "", &state) }
        guard let last = state.nonces[nonce], counter > last, counter <= rules.usesPerNonce else {
            return refusal(of: request, ", stale=true", &state)
        }
        state.nonces[nonce] = counter
        guard rules.namesNextNonce else { return .reply(to: request, 200, "ok") }
        return .reply(to: request, 200, "ok", ["Authentication-Info": "nextnonce=\"\(Self.issue(&state))\""])
    }

    private func expected(_ given: [String: String], _ request: HTTPRequest) -> String {
        func hash(_ text: String) -> String {
            let isMD5 = given["algorithm"]?.hasPrefix("MD5") ?? true
            return Hexadecimal.encode(isMD5 ? MD5.hash(text.utf8) : SHA256.digest(text.utf8))
        }
        let (nonce, client) = (given["nonce"] ?? "", given["cnonce"] ?? "")
        let key = hash("\(rules.user):nest:\(rules.password)")
        let target = hash("\(request.method):\(request.url.target)")
        return hash("\(key):\(nonce):\(given["nc"] ?? ""):\(client):auth:\(target)")
    }

    private func refusal(of request: HTTPRequest, _ extra: String, _ state: inout State) -> HTTPResponse {
        let nonce = Self.issue(&state)
        var response = HTTPResponse.reply(to: request, 401, "who are you?")
        for challenge in rules.challenges {
            let parts = challenge.split(separator: "%n", omittingEmptySubsequences: false)
            let value = parts.joined(separator: nonce) + (challenge.hasPrefix("Digest") ? extra : "")
            response.head.fields.append(value, for: .wwwAuthenticate)
        }
        return response
    }

    private static func issue(_ state: inout State) -> String {
        state.issued += 1
        let nonce = "nonce\(state.issued)"
        state.nonces[nonce] = 0
        return nonce
    }
}
