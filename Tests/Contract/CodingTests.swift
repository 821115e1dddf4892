import Glibc
import Godwit
import GodwitTesting
import PeerSupport
import TestSupport
import Testing

@Suite("Contract: content codings", .timeLimit(.minutes(15)))
struct CodingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let coding: String
        let encoded: Data
        let decoded: Data

        var testDescription: String { "\(coding), \(encoded.count) bytes" }
    }

    static let sentence = Data("the bar-tailed godwit\n".utf8)
    static let large = Samples.data(300_007)

    static let all: [Case] = [
        Case(coding: "gzip", encoded: Codings.gzip(sentence), decoded: sentence),
        Case(coding: "x-gzip", encoded: Codings.gzip(sentence), decoded: sentence),
        Case(coding: "GZip", encoded: Codings.gzip(sentence), decoded: sentence),
        Case(coding: "gzip", encoded: Codings.gzip(large), decoded: large),
        Case(coding: "gzip", encoded: Codings.gzip(Data()), decoded: Data()),
        Case(coding: "gzip", encoded: Codings.gzipOfZeros(100_000), decoded: Data(count: 1 + 258 * 388)),
        Case(coding: "gzip", encoded: Codings.gzip(sentence) + Codings.gzip(large), decoded: sentence + large),
        Case(coding: "gzip", encoded: Codings.gzip(sentence) + Codings.gzip(Data()), decoded: sentence),
        Case(coding: "deflate", encoded: Codings.zlib(sentence), decoded: sentence),
        Case(coding: "deflate", encoded: Codings.deflate(sentence), decoded: sentence),
        Case(coding: "deflate", encoded: Codings.zlib(large), decoded: large),
        Case(coding: "br", encoded: Codings.brotli, decoded: sentence),
        Case(coding: "zstd", encoded: Codings.zstd, decoded: sentence),
        Case(coding: "zstd", encoded: Codings.zstd + Codings.zstd, decoded: sentence + sentence),
        Case(coding: "zstd", encoded: Codings.zstdOfZeros, decoded: Data(count: 32 << 10)),
        Case(coding: "zstd", encoded: Codings.zstdOfZeros + Codings.zstd, decoded: Data(count: 32 << 10) + sentence),
        Case(coding: "gzip, gzip", encoded: Codings.gzip(Codings.gzip(large)), decoded: large),
        Case(
            coding: "gzip, gzip, gzip, gzip, gzip", encoded: (0..<5).reduce(sentence) { data, _ in Codings.gzip(data) },
            decoded: sentence),
        Case(coding: "deflate,gzip", encoded: Codings.gzip(Codings.zlib(sentence)), decoded: sentence),
        Case(coding: "br, gzip", encoded: Codings.gzip(Codings.brotli), decoded: sentence),
        Case(coding: "identity", encoded: sentence, decoded: sentence),
        Case(coding: "identity, gzip", encoded: Codings.gzip(sentence), decoded: sentence),
        Case(coding: "gzip", encoded: Data(), decoded: Data()),
    ]

    @Test(
        "T2 I10 a coding is undone, however its bytes are cut, and no longer told of", arguments: Subject.allCases, all)
    func decoded(_ subject: Subject, _ example: Case) async throws {
        let folder = TemporaryFolder()
        let pieces = example.encoded.count > 1000 ? [example.encoded.count, 1009] : [example.encoded.count, 7, 1]
        let server = try await MockServer { request in
            let size = max(1, Int(request.queryValue("size") ?? "") ?? 1)
            return .chunks(Samples.chunks(example.encoded, of: size)).field(.contentEncoding, example.coding)
        }
        let transport = try subject.make()
        for size in pieces {
            for delivery in [Delivery.buffered, .streamed, .file(folder.path("a"))] {
                let response = try await transport.get(server.at("/?size=\(size)"), delivery)
                #expect(try await bytes(of: response) == example.decoded)
                let told = response.head.fields[.contentEncoding]
                #expect(told == (example.coding == "identity" ? "identity" : nil))
            }
        }
    }

    @Test("T2 a decoded response tells no length, which was that of the coded one", arguments: Subject.allCases)
    func fields(_ subject: Subject) async throws {
        let server = try await MockServer {
            $0.get("/").reply(.bytes(Codings.gzip(Self.sentence)).field(.contentEncoding, "gzip").field("X-A", "1"))
        }
        let response = try await subject.make().get(server.url)
        #expect(!response.head.fields.contains(.contentLength))
        #expect(response.head.fields["X-A"] == "1")
        #expect(response.metrics.bytesReceived == Codings.gzip(Self.sentence).count)
    }

    @Test("T2 an unknown coding is handed over as it came", arguments: Subject.allCases, ["compress", "gzip, secret"])
    func unknown(_ subject: Subject, _ coding: String) async throws {
        let data = Samples.data(10_000)
        let server = try await MockServer { $0.get("/").reply(.bytes(data).field(.contentEncoding, coding)) }
        let response = try await subject.make().get(server.url)
        #expect(try await bytes(of: response) == data)
        #expect(response.head.fields[.contentEncoding] == coding)
        #expect(response.head.fields[.contentLength] == "10000")
    }

    @Test("T7 more than five codings on top of each other are refused", arguments: Subject.allCases, [6, 60])
    func tooMany(_ subject: Subject, _ count: Int) async throws {
        let data = (0..<6).reduce(Self.sentence) { data, _ in Codings.gzip(data) }
        let codings = Array(repeating: "gzip", count: count).joined(separator: ", ")
        let server = try await MockServer { $0.get("/").reply(.bytes(data).field(.contentEncoding, codings)) }
        let transport = try subject.make()
        for delivery in [Delivery.buffered, .streamed] {
            do throws(NetworkError) {
                let response = try await transport.get(server.url, delivery)
                Issue.record("\(response)")
            } catch {
                let reason = "the content has \(count) nested codings; at most 5 are decoded"
                #expect(error.kind == .invalidResponse(reason: reason))
            }
        }
    }

    @Test(
        "T2 a request with its own Accept-Encoding gets the encoded bytes", arguments: Subject.allCases,
        ["gzip", "identity", "br;q=1"])
    func raw(_ subject: Subject, _ accept: String) async throws {
        let data = Codings.gzip(Self.sentence)
        let server = try await MockServer { $0.get("/").reply(.bytes(data).field(.contentEncoding, "gzip")) }
        let response = try await subject.make().get(server.url) { $0.fields[.acceptEncoding] = accept }
        #expect(try await bytes(of: response) == data)
        #expect(response.head.fields[.contentEncoding] == "gzip")
        #expect(response.head.fields[.contentLength] == "\(data.count)")
        #expect(server.requests.first?.fields.values(of: .acceptEncoding) == [accept])
    }

    @Test("T2 gzip, deflate, br and zstd are asked for; not for a range or HEAD", arguments: Subject.allCases)
    func accepted(_ subject: Subject) async throws {
        let server = try await MockServer { .ranged(Self.sentence, for: $0) }
        let transport = try subject.make()
        _ = try await transport.get(server.url)
        let part = try await transport.get(server.url) { $0.fields[.range] = "bytes=4-6" }
        _ = try await transport.send(HTTPRequest(method: .head, url: server.url))
        #expect(part.head.status == .partialContent)
        #expect(try await text(of: part) == "bar")
        #expect(server.requests.map { $0.fields[.acceptEncoding] } == ["gzip, deflate, br, zstd", nil, nil])
    }

    @Test("T2 a part of a coded representation is not decoded", arguments: Subject.allCases)
    func codedPart(_ subject: Subject) async throws {
        let data = Codings.gzip(Self.sentence)
        let server = try await MockServer {
            .ranged(data, for: $0).field(.contentEncoding, "gzip")
        }
        let response = try await subject.make().get(server.url) { $0.fields[.range] = "bytes=5-14" }
        #expect(response.head.status == .partialContent)
        #expect(response.head.fields[.contentEncoding] == "gzip")
        #expect(try await bytes(of: response) == data[5...14])
    }

    @Test(
        "T2 nginx's codings are undone", .enabled(if: Nginx.isRunning, Nginx.hint), arguments: Subject.allCases,
        ["/text.txt", "/text-br.txt", "/text-zstd.txt"])
    func real(_ subject: Subject, _ path: String) async throws {
        let transport = try subject.makeTrusting()
        for server in [Nginx.http, .h2] {
            let plain = try await transport.get(server.at("/text.txt")) { $0.fields[.acceptEncoding] = "identity" }
            let coded = try await transport.get(server.at(path))
            #expect(try await bytes(of: coded) == bytes(of: plain))
            #expect(coded.metrics.bytesReceived < plain.metrics.bytesReceived / 2)
            #expect(!coded.head.fields.contains(.contentEncoding))
        }
    }
}

@Suite("Contract: limits", .timeLimit(.minutes(15)))
struct LimitTests {
    @Test(
        "T7 a buffered body of just the limit passes, one byte more is .tooLarge", arguments: Subject.allCases,
        [true, false])
    func buffered(_ subject: Subject, chunked: Bool) async throws {
        let data = Samples.data(100_000)
        let server = try await MockServer {
            $0.get("/ok").reply(.text("ok"))
            $0.get("/").reply(.bytes(data).framed(chunked ? .chunked : .automatic))
        }
        let transport = try subject.make()
        #expect(try await bytes(of: transport.get(server.url, .buffered(limit: 100_000))) == data)
        let error = await transport.failure(of: .get(server.url, .buffered(limit: 99_999)))
        #expect(error?.kind == .tooLarge(limit: 99_999))
        #expect(error?.description.contains("larger than the limit of 99999 bytes") == true)
        #expect(error?.response?.status == .ok)
        #expect(try await transport.stillWorks(with: server))
    }

    @Test("T7 limits before and after decoding hold in every delivery", arguments: Subject.allCases, [true, false])
    func encodedAndDecoded(_ subject: Subject, chunked: Bool) async throws {
        let folder = TemporaryFolder()
        let data = Codings.gzipOfZeros(1 << 20)
        let server = try await MockServer {
            $0.get("/ok").reply(.text("ok"))
            $0.get("/").reply(
                .bytes(data).field(.contentEncoding, "gzip").framed(chunked ? .chunked : .automatic))
        }
        let transport = try subject.make()
        for delivery in [Delivery.buffered, .streamed, .file(folder.path("a"))] {
            for limit in [ResponseLimit(encoded: Int64(data.count) - 1), ResponseLimit(decoded: 1 << 20)] {
                let error = await transport.failure(of: .get(server.url, delivery) { $0.options.responseLimit = limit })
                #expect(error?.kind == .tooLarge(limit: limit.encoded ?? limit.decoded ?? 0))
            }
            let enough = ResponseLimit(encoded: Int64(data.count), decoded: (1 << 20) + 600)
            #expect(
                await transport.failure(of: .get(server.url, delivery) { $0.options.responseLimit = enough }) == nil)
        }
        #expect(try await transport.stillWorks(with: server))
    }

    @Test("T7 a declared length beyond the limit is refused at once", arguments: Subject.allCases)
    func declared(_ subject: Subject) async throws {
        let source = Source(Data("first".utf8), times: 1, then: .wait)
        let server = try await MockServer { $0.any("*").reply { _ in .stream(once: source, length: 1 << 40) } }
        let transport = try subject.make()
        let limits: [(Delivery, ResponseLimit)] = [
            (.buffered, ResponseLimit()), (.streamed, ResponseLimit(encoded: 1000)),
            (.streamed, ResponseLimit(decoded: 1000)),
        ]
        for (delivery, limit) in limits {
            let error = await transport.failure(of: .get(server.url, delivery) { $0.options.responseLimit = limit })
            #expect(error?.shortDescription == "too_large")
            try await server.waitUntilConnectionsClose()
        }
    }

    @Test(
        "T7 a limit that is passed by bytes that waited for their reader ends the exchange at once",
        arguments: Subject.allCases)
    func waitingBytes(_ subject: Subject) async throws {
        let listener = try Listener.answering { connection in
            connection.write(
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + String(repeating: "a", count: 10_000))
            usleep(200_000)
            connection.write(String(repeating: "b", count: 30_000))
            connection.waitUntilPeerLeaves()
        }
        let response = try await subject.make { $0.streamBuffer = 1 }.get(listener.url, .streamed) {
            $0.options.responseLimit.decoded = 20_000
        }
        try await Task.sleep(for: .milliseconds(600))
        let error = await #expect(throws: NetworkError.self) { try await response.body.collect(upTo: 1 << 20) }
        #expect(error?.kind == .tooLarge(limit: 20_000))
    }

    @Test("T7 HEAD may tell any length", arguments: Subject.allCases)
    func head(_ subject: Subject) async throws {
        let server = try await MockServer {
            $0.any("*").reply(MockResponse(fields: [.contentLength: "1000000000000"]))
        }
        let response = try await subject.make().send(
            HTTPRequest(method: .head, url: server.url, delivery: .buffered(limit: 10)))
        #expect(response.head.fields[.contentLength] == "1000000000000")
    }

    @Test("T7 a bomb of a gigabyte is stopped before it costs memory", arguments: Subject.allCases)
    func bomb(_ subject: Subject) async throws {
        await #expect(processExitsWith: .success) { [subject] in
            // Nested, 10 MB of zeros make a few hundred bytes; a hundred members make a gigabyte.
            let member = Codings.gzipOfZeros(10 << 20)
            let bomb = (0..<100).reduce(into: Data()) { data, _ in data.append(member) }
            let server = try await MockServer { $0.get("/").reply(.bytes(bomb).field(.contentEncoding, "gzip")) }
            let transport = try subject.make()
            let before = Usage.now().memory
            for delivery in [Delivery.buffered, .streamed] {
                let error = await transport.failure(
                    of: .get(server.url, delivery) { $0.options.responseLimit.decoded = 5 << 20 })
                #expect(error?.kind == .tooLarge(limit: 5 << 20), "\(String(describing: error))")
            }
            let growth = Usage.now().memory - before
            #expect(growth < 60 << 20, "\(growth)")
        }
    }
}
