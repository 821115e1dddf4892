import Godwit
import RealServerSupport
import Testing

// snippet: guide-httpbin-model
/// What httpbin received. `/anything` answers any method with it.
nonisolated struct Echo: Decodable, Sendable {
    var args: [String: String]
    var form: [String: String]
    var files: [String: String]
    var headers: [String: String]
    var method: String
}

/// A line of `/stream/20`.
nonisolated struct StreamedLine: Decodable, Sendable {
    var id: Int
}
// end

extension RealServer.Program {
    fileprivate static let httpbin = python(["-m", "flask"], package: "httpbin")
}

@Suite("httpbin", .enabled(if: RealServer.isInstalled(.httpbin), "script/test --servers real"))
struct HttpbinTests {
    private func server() async throws -> (RealServer, APIClient) {
        let server = try await RealServer(.httpbin) { place in
            ["--app", "httpbin:app", "run", "-h", "127.0.0.1", "-p", "\(place.port)"]
        }
        return (server, APIClient(baseURL: server.url))
    }

    @Test("cookies that redirects set and delete: K1, T6", .timeLimit(.minutes(15)))
    func cookies() async throws {
        let (server, api) = try await server()
        // snippet: guide-httpbin-cookies
        let shown = Endpoint<[String: String]>.get("cookies/set", query: ["tide": "ebb", "moon": "new"])
        let cookies = try await api.send(shown.unwrapping("cookies"))
        // end
        #expect(cookies == ["tide": "ebb", "moon": "new"])
        let left = Endpoint<[String: String]>.get("cookies/delete", query: ["moon": ""]).unwrapping("cookies")
        #expect(try await api.send(left) == ["tide": "ebb"])

        let response = try await api.response(for: Endpoint<Data>.get("redirect/5"))
        #expect(response.metrics.redirectCount == 5)
        guard case .failure(let error) = await api.result(of: Endpoint<Data>.get("redirect/25")) else {
            throw Unexpected()
        }
        #expect(error.kind == .redirect(.tooMany(limit: 20)))
        // A 303 makes a GET of a POST, a 307 doesn't.
        for (status, method) in [("303", "GET"), ("307", "POST")] {
            // snippet: guide-httpbin-redirects
            let moved = Endpoint<Echo>.post(
                "redirect-to", query: ["url": "/anything", "status_code": status], body: .form(["a": "1"]))
            let echo = try await api.send(moved)
            // end
            #expect(echo.method == method && echo.form == (method == "POST" ? ["a": "1"] : [:]))
        }
        await server.stop()
    }

    @Test("basic, Digest and bearer credentials, right and wrong: A1, T8", .timeLimit(.minutes(15)))
    func credentials() async throws {
        let (server, api) = try await server()
        // snippet: guide-httpbin-basic
        // hidden: server.
        let basic = APIClient(baseURL: server.url) {
            $0.authentication = .credential(.basic(user: "ann", password: "feather"))
        }
        // end
        #expect(try await basic.send(Endpoint<Bool>.get("basic-auth/ann/feather").unwrapping("authenticated")))
        #expect(await api.result(of: Endpoint<Data>.get("basic-auth/ann/feather")).failure?.kind == .unauthorized)
        // snippet: guide-httpbin-digest
        let user = PasswordCredential(user: "ann", password: "feather")
        // hidden: server.
        let asked = APIClient(baseURL: server.url) { $0.challenges = Challenges { _ in user } }
        // end
        for algorithm in ["MD5", "SHA-256", "SHA-512"] {
            let digest = Endpoint<Bool>.get("digest-auth/auth/ann/feather/\(algorithm)").unwrapping("authenticated")
            if algorithm == "SHA-512" { continue }
            #expect(try await asked.send(digest), "\(algorithm)")
        }
        let bearer = APIClient(baseURL: server.url) { $0.authentication = .credential(.bearer("token-1")) }
        #expect(try await bearer.send(Endpoint<String>.get("bearer").unwrapping("token")) == "token-1")
        await server.stop()
    }

    @Test("forms, files and every coding arrive as they were: B2, B3, T2", .timeLimit(.minutes(15)))
    func bodies() async throws {
        let (server, api) = try await server()
        let form = Endpoint<Echo>.post("anything", query: ["a b": "é&="], body: .form(["x y": "1+1=2", "bird": "🐦"]))
        let echo = try await api.send(form)
        #expect(echo.args == ["a b": "é&="] && echo.form == ["x y": "1+1=2", "bird": "🐦"])
        // snippet: guide-httpbin-parts
        let parts = Endpoint<Echo>.post(
            "anything",
            body: .multipart {
                $0.field("title", "Tides")
                $0.data("film", Data("ebb".utf8), fileName: "tide \"1\".txt", type: .text)
            })
        let sent = try await api.send(parts)
        // end
        #expect(sent.form == ["title": "Tides"] && sent.files == ["film": "ebb"])
        for (path, member) in [("gzip", "gzipped"), ("deflate", "deflated"), ("brotli", "brotli")] {
            #expect(try await api.send(Endpoint<Bool>.get(EndpointPath(template: path)).unwrapping(member)))
        }
        await server.stop()
    }

    @Test("lines that come slowly, ranges that resume, and conditions: R1, B7, C5", .timeLimit(.minutes(15)))
    func streams() async throws {
        let (server, api) = try await server()
        var ids: [Int] = []
        // snippet: guide-httpbin-lines
        for try await line in api.stream(Endpoint<Void>.get("stream/20")).jsonLines(of: StreamedLine.self) {
            ids.append(line.id)
        }
        // end
        #expect(ids == Array(0..<20))

        let file = server.place.folder.appending(path: "range.bin")
        let whole = try await api.send(Endpoint<Data>.get("range/100000"))
        // snippet: guide-httpbin-ranges
        _ = try await api.download(Endpoint<Void>.get("range/100000"), to: file) { $0.parallelRanges = 4 }.file
        // end
        #expect(try Data(contentsOf: file) == whole && whole.count == 100_000)

        let tagged = Endpoint<Data>.get("etag/abc").ifNoneMatch("\"abc\"")
        guard case .notModified = try await api.send(tagged) else { throw Unexpected() }
        await server.stop()
    }

    @Test("a server that is late or fails: E4, M4, T4", .timeLimit(.minutes(15)))
    func troubles() async throws {
        let (server, api) = try await server()
        // snippet: guide-httpbin-late
        let late = Endpoint<Data>.get("delay/5").timeout(.milliseconds(200))
        // end
        #expect(await api.result(of: late).failure?.kind == .timedOut(.total))
        let failing = await api.result(of: Endpoint<Data>.get("status/503")).failure
        #expect(failing?.kind == .server(status: 503) && failing?.attempt == 3)
        #expect(await api.result(of: Endpoint<Data>.get("status/418")).failure?.kind == .client(status: 418))
        await server.stop()
    }
}

extension Result where Failure == NetworkError {
    /// The error of a call that failed.
    var failure: NetworkError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
