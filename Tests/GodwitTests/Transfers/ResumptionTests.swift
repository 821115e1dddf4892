import Godwit
import GodwitSupport
import GodwitTesting
import TestSupport
import Testing

@Suite("B7 resumed downloads", .timeLimit(.minutes(15)))
struct ResumptionTests {
    private let folder = TemporaryFolder()
    private let content = Content(400_000)
    private let cut = 150_000

    @Test("B7 a download resumes where its connection broke")
    func broken() async throws {
        let turn = Turn()
        let server = try await MockServer { [content, cut] route in
            route.get("/a").reply { content.answer($0, cutAfter: turn.next() == 0 ? cut : nil) }
        }
        let file = try await APIClient.eager(server).download(Endpoint<Void>.get("a"), to: folder.path("a")).file
        #expect(try Data(contentsOf: file) == content.data)
        #expect(server.requests.map { $0.fields[.range] } == [nil, "bytes=\(cut)-"])
        #expect(server.requests.map { $0.fields[.ifRange] } == [nil, "\"v1\""])
        #expect(content.bytesSent == content.data.count)
    }

    /// What a server does wrong, or otherwise, when it is asked for the rest.
    enum Oddity: String, CaseIterable, Sendable {
        case ignoresRange, wrongRange, noRange, changedTag, changedTagInPart, changedSize, shorter, refuses412
        case weakTag, noValidator, shortParts, endsEarly, sendsTooMuch
    }

    @Test(
        "B7 for any response to a range request, the file has the server's current content", arguments: Oddity.allCases)
    func odd(oddity: Oddity) async throws {
        let next =
            [.changedTag, .changedTagInPart, .changedSize, .shorter].contains(oddity)
            ? Content(oddity == .shorter ? 100_000 : 410_000, seed: 2, etag: "\"v2\"") : content
        let turn = Turn()
        let server = try await MockServer { [content, cut] route in
            route.get("/a").reply { request in
                let number = turn.next()
                guard number > 0 else {
                    return Self.first(oddity, content.answer(request, cutAfter: cut))
                }
                return number > 1 && oddity != .shortParts
                    ? next.answer(request) : Self.odd(oddity, request, next, from: cut)
            }
        }
        let api = APIClient.eager(server)
        let download = api.download(Endpoint<Void>.get("a"), to: folder.path("a"))
        if oddity == .sendsTooMuch {
            guard case .invalidResponse = await download.failure()?.kind else { Issue.record("not refused"); return }
            return
        }
        #expect(try await Data(contentsOf: download.file) == next.data)
        #expect(try folder.names == ["a"])
    }

    private static func first(_ oddity: Oddity, _ response: MockResponse) -> MockResponse {
        var response = response
        if oddity == .weakTag { response.fields[.etag] = "W/\"v1\"" }
        if oddity == .noValidator { response.fields[.etag] = nil }
        return response
    }

    private static func odd(
        _ oddity: Oddity, _ request: MockRequest, _ content: Content, from cut: Int
    ) -> MockResponse {
        let rest = Data(content.data.dropFirst(cut))
        func part(_ data: Data, _ range: String?, _ tag: String) -> MockResponse {
            var response = MockResponse.bytes(data, status: .partialContent).field(.etag, tag)
            response.fields[.contentRange] = range
            return response
        }
        let end = content.data.count
        switch oddity {
        case .ignoresRange: return .bytes(content.data).field(.etag, content.etag)
        case .wrongRange: return part(rest, "bytes \(cut - 1)-\(end - 1)/\(end)", content.etag)
        case .noRange: return part(rest, nil, content.etag)
        case .changedTag, .weakTag, .noValidator: return content.answer(request)
        case .changedTagInPart: return part(rest, "bytes \(cut)-\(end - 1)/\(end)", content.etag)
        case .changedSize: return part(rest, "bytes \(cut)-\(end - 1)/\(end)", "\"v1\"")
        case .shorter:
            return MockResponse.status(.rangeNotSatisfiable).field(.contentRange, "bytes */\(end)")
        case .refuses412: return .status(.preconditionFailed)
        case .shortParts:
            let start = request.fields[.range].flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
            let stop = min(start + 30_000, end)
            return part(Data(content.data[start..<stop]), "bytes \(start)-\(stop - 1)/\(end)", content.etag)
        case .endsEarly:
            return part(rest.prefix(10), "bytes \(cut)-\(end - 1)/\(end)", content.etag).framed(.chunked)
        case .sendsTooMuch:
            return part(rest + [1], "bytes \(cut)-\(end - 1)/\(end)", content.etag)
        }
    }

    @Test(
        "B7 a date is a validator only if it is older than the response",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", true), ("Sun, 06 Nov 1994 08:49:38 GMT", false),
        ])
    func date(modified: String, isStrong: Bool) async throws {
        let turn = Turn()
        let server = try await MockServer { [content, cut] route in
            route.get("/a").reply { request in
                var response = content.answer(request, cutAfter: turn.next() == 0 ? cut : nil)
                response.fields[.etag] = nil
                return response.field(.lastModified, modified).field(.date, "Sun, 06 Nov 1994 08:49:38 GMT")
            }
        }
        let file = try await APIClient.eager(server).download(Endpoint<Void>.get("a"), to: folder.path("a")).file
        #expect(try Data(contentsOf: file) == content.data)
        #expect(server.requests.last?.fields[.ifRange] == (isStrong ? modified : nil))
    }

    @Test("B7 pieces with equal tags and a wrong digest are fetched again")
    func lyingTag() async throws {
        let other = Content(400_000, seed: 9)
        let turn = Turn()
        let server = try await MockServer { [content, cut] route in
            route.get("/a").reply { turn.next() == 0 ? content.answer($0, cutAfter: cut) : other.answer($0) }
        }
        let download = APIClient.eager(server).download(Endpoint<Void>.get("a"), to: folder.path("a")) {
            $0.digest = ContentDigest(sha256: SHA256.digest(other.data))
        }
        #expect(try await Data(contentsOf: download.file) == other.data)
        #expect(server.requestCount == 3)
    }

    @Test("B7 without progress a download fails after the client's number of attempts, and keeps what was received")
    func givingUp() async throws {
        let turn = Turn()
        let server = try await MockServer { [content, cut] route in
            route.get("/a").reply { content.answer($0, cutAfter: turn.next() == 0 ? cut : 0) }
        }
        let api = APIClient.eager(server, attempts: 4)
        let error = await api.download(Endpoint<Void>.get("a"), to: folder.path("a")).failure()
        guard case .transport(.connectionLost) = error?.kind else {
            Issue.record("\(String(describing: error))"); return
        }
        // The first got further; then three more got nowhere.
        #expect(server.requestCount == 4)
        #expect(try folder.names == [".a.godwit-part", ".a.godwit-ticket"])
        #expect(try Data(contentsOf: folder.path(".a.godwit-part")) == content.data.prefix(cut))
    }

    @Test("B7 an endpoint that is never retried is not resumed automatically")
    func never() async throws {
        let server = try await MockServer { [content, cut] route in
            route.get("/a").reply { content.answer($0, cutAfter: cut) }
        }
        let download = APIClient.eager(server).download(Endpoint<Void>.get("a").retry(.never), to: folder.path("a"))
        #expect(await download.failure() != nil)
        #expect(server.requestCount == 1)
    }

    @Test(
        "B7 another run of the same download continues where the last one failed, unless it should start over",
        arguments: [
            (DownloadOptions.Leftover.resume, "bytes=150000-"), (.discard, nil),
        ] as [(DownloadOptions.Leftover, String?)])
    func leftovers(leftover: DownloadOptions.Leftover, range: String?) async throws {
        let turn = Turn()
        let server = try await MockServer { [content, cut] route in
            route.get("/a").reply { content.answer($0, cutAfter: turn.next() == 0 ? cut : nil) }
        }
        let endpoint = Endpoint<Void>.get("a").retry(.never)
        #expect(await APIClient.eager(server).download(endpoint, to: folder.path("a")).failure() != nil)
        let again = APIClient.eager(server).download(endpoint, to: folder.path("a")) { $0.leftover = leftover }
        #expect(try await Data(contentsOf: again.file) == content.data)
        #expect(server.requests.last?.fields[.range] == range)
    }

    @Test("B7 content of unknown length is completed by a 416")
    func unknownTotal() async throws {
        let turn = Turn()
        let server = try await MockServer { [content] route in
            route.get("/a").reply { request in
                // Everything comes, but not the end of the chunks.
                guard turn.next() > 0 else {
                    return content.answer(request).framed(.chunked).dropped(after: .bytes(content.data.count))
                }
                return content.answer(request)
            }
        }
        let file = try await APIClient.eager(server).download(Endpoint<Void>.get("a"), to: folder.path("a")).file
        #expect(try Data(contentsOf: file) == content.data)
        #expect(server.requests.map { $0.fields[.range] } == [nil, "bytes=400000-"])
        #expect(content.bytesSent == content.data.count)
    }
}
