import Godwit
import GodwitSigning
import GodwitSupport
import GodwitTesting
import GodwitWire
import PeerSupport
import TestSupport
import Testing

/// Against servers that verify what arrives.
@Suite("Contract: signed requests", .timeLimit(.minutes(15)))
struct SignedRequestTests {
    private static let aws = AWSCredentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "hidden/Key+1")

    private static func authority(_ server: MockServer) -> String { "127.0.0.1:\(server.url.port)" }

    @Test(
        "A8 a server verifies the message signature of each attempt, redirect and cookie", arguments: Subject.allCases)
    func messages(_ subject: Subject) async throws {
        let key = try SigningKey.generate(.ed25519, id: "k1")
        let problems = Watched<[String]>([])
        let own = Watched("")
        let check: @Sendable (MockRequest) -> Bool = { request in
            let problem = SignatureCheck.message(request, at: own.value, key.verificationKey)
            problems.update { $0.append(problem ?? "fine") }
            return problem == nil
        }
        let calls = Watched(0)
        let server = try await MockServer { route in
            route.put("/v1/articles").reply { request in
                calls.update { $0 += 1 }
                guard check(request) else { return .status(.unauthorized) }
                if calls.value == 1 { return .status(.serviceUnavailable) }
                return .redirect(to: "/v1/moved?to=1", status: .temporaryRedirect)
                    .field(.setCookie, "sid=1234567890; Path=/")
            }
            route.put("/v1/moved").reply { request in
                check(request)
                    ? .json(["cookie": .string(request.fields[.cookie] ?? "")]) : .status(.unauthorized)
            }
        }
        own.update { $0 = Self.authority(server) }
        let api = APIClient(baseURL: "\(server.url)v1", transport: try subject.make()) {
            $0.retry.maximumAttempts = 3
            $0.retry.backoff = Backoff(base: .zero)
            $0.attemptMiddleware.append(MessageSigning(key, for: server.url) { $0.hasNonce = true })
        }
        let endpoint = Endpoint<JSONValue>.put("articles", body: .json(["title": "Tides"]))
        let value = try await api.send(endpoint)
        #expect(value == ["cookie": "sid=1234567890"])
        #expect(problems.value == ["fine", "fine", "fine"])
        let inputs = server.requests.compactMap { $0.fields[.signatureInput] }
        #expect(Set(inputs).count == 3, "each has a signature of its own")
        await server.stop()
    }

    @Test("A8 a message signature covers what the transport adds, and the body of a file", arguments: Subject.allCases)
    func transportFields(_ subject: Subject) async throws {
        let key = try SigningKey.generate(.ecdsaP256SHA256, id: "k1")
        let own = Watched("")
        let server = try await MockServer { request in
            .text(SignatureCheck.message(request, at: own.value, key.verificationKey) ?? "fine")
        }
        own.update { $0 = Self.authority(server) }
        let folder = TemporaryFolder()
        let file = try folder.file("tern.txt", Data(repeating: 65, count: 300_000))
        let signing = MessageSigning(key, for: server.url) { $0.components += [.authority, .field(.contentLength)] }
        let request = HTTPRequest(method: .put, url: server.url, body: .file(at: file))
        let response = try await Chain([signing], over: subject.make()).send(request)
        #expect(String(decoding: try await response.body.collect(upTo: 10_000), as: UTF8.self) == "fine")
        let input = try #require(server.requests.first?.fields[.signatureInput])
        #expect(input.contains("\"content-length\" \"content-digest\""))
        await server.stop()
    }

    @Test("A8 a redirect to another origin isn't signed, by neither kind", arguments: Subject.allCases)
    func elsewhere(_ subject: Subject) async throws {
        let other = try await MockServer { _ in .text("other") }
        let server = try await MockServer { _ in .redirect(to: "\(other.url)there") }
        let token = AWSCredentials(accessKeyID: "A", secretAccessKey: "hidden-1", sessionToken: "hidden-2")
        let signer = AWSSigner(service: "s3", region: "us-east-1") { token }
        let signings: [any Middleware] = [
            MessageSigning(try SigningKey.generate(), for: server.url), AWSSigning(signer, for: server.url),
        ]
        for signing in signings {
            _ = try await Chain([Redirects(), signing], over: subject.make()).send(HTTPRequest(url: server.url))
        }
        #expect(server.requests.count == 2 && other.requests.count == 2)
        #expect(server.requests[0].fields.contains(.signature))
        #expect(server.requests[1].fields["X-Amz-Security-Token"] == "hidden-2")
        let names: [HTTPField.Name] = [
            .signature, .signatureInput, .authorization, "X-Amz-Security-Token", "X-Amz-Date",
        ]
        for request in other.requests { #expect(!names.contains { request.fields.contains($0) }) }
        await server.stop()
        await other.stop()
    }

    @Test(
        "A8 a server verifies the signature of AWS of each attempt: of forms, files and streams",
        arguments: Subject.allCases)
    func aws(_ subject: Subject) async throws {
        let calls = Watched(0)
        let server = try await MockServer { request in
            calls.update { $0 += 1 }
            let problem = SignatureCheck.aws(request, secret: "hidden/Key+1", service: "execute-api", at: Date())
            return calls.value == 1 ? .status(.serviceUnavailable) : .text(problem ?? "fine")
        }
        let folder = TemporaryFolder()
        let file = try folder.file("tern.txt", Data(repeating: 65, count: 300_000))
        let stream = HTTPBody.stream {
            AsyncStream<Data> {
                $0.yield(Data("a".utf8)); $0.yield(Data("b".utf8)); $0.finish()
            }
        }
        let signer = AWSSigner(service: "execute-api", region: "eu-central-1") { Self.aws }
        var retries = RetryOptions()
        retries.backoff = Backoff(base: .zero)
        let chain = Chain([Retry(retries), AWSSigning(signer, for: server.url)], over: try subject.make())
        let url = try server.url.resolving("/v1/articles?a=1&b=tern%20one")
        let bodies: [HTTPBody?] = [nil, .bytes(Data("a=b".utf8)), .file(at: file), stream]
        for body in bodies {
            let fields: HTTPFields = [.contentType: "text/plain", .userAgent: "tests", "X-Note": "two  spaces"]
            let request = HTTPRequest(method: .put, url: url, fields: fields, body: body)
            let response = try await chain.send(request)
            #expect(String(decoding: try await response.body.collect(upTo: 10_000), as: UTF8.self) == "fine")
        }
        #expect(server.requests.count == bodies.count + 1)
        await server.stop()
    }

    @Test("A8 a wrong clock is corrected by the server's, once, and remembered", arguments: Subject.allCases)
    func skew(_ subject: Subject) async throws {
        let server = try await MockServer { request in
            let problem = SignatureCheck.aws(request, secret: "hidden/Key+1", service: "s3", at: Date())
            return problem == nil
                ? .text("fine") : .text(problem ?? "", status: .forbidden).field(.date, HTTPDate.format(Date()))
        }
        let late: @Sendable () -> Date = { Date(timeIntervalSinceNow: -3600) }
        let signer = AWSSigner(service: "s3", region: "eu-central-1", now: late) { Self.aws }
        let chain = Chain([AWSSigning(signer, for: server.url)], over: try subject.make())
        for _ in 0..<2 {
            let response = try await chain.send(HTTPRequest(method: .put, url: server.url, body: "tern"))
            #expect(response.head.status == .ok)
        }
        #expect(server.requests.count == 3)
        let wrong = AWSSigner(service: "s3", region: "eu-central-1") {
            AWSCredentials(accessKeyID: "A", secretAccessKey: "wrong")
        }
        let refused = try await Chain([AWSSigning(wrong, for: server.url)], over: subject.make()).send(
            HTTPRequest(url: server.url))
        #expect(refused.head.status == .forbidden)
        #expect(server.requests.count == 4, "a refusal for another reason isn't repeated")
        await server.stop()
    }

    @Test("A8 a presigned URL needs nothing else", arguments: Subject.allCases)
    func presigned(_ subject: Subject) async throws {
        let server = try await MockServer { .text($0.queryValue("X-Amz-Signature") ?? "none") }
        let signer = AWSSigner(service: "s3", region: "eu-central-1") { Self.aws }
        let url = try await signer.presignedURL(server.url.resolving("/tern.jpg"))
        let response = try await subject.make().send(HTTPRequest(url: url))
        let text = String(decoding: try await response.body.collect(upTo: 1000), as: UTF8.self)
        #expect(text.utf8.count == 64 && url.absoluteString.hasSuffix(text))
        await server.stop()
    }
}
