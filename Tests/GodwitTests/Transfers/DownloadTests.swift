import Godwit
import GodwitSupport
import GodwitTesting
import TestSupport
import Testing

@Suite("B5 downloads to files")
struct DownloadTests {
    private let folder = TemporaryFolder()
    private let content = Content(300_000)

    private func server() async throws -> MockServer {
        try await MockServer { [content] route in
            route.get("/a.bin").reply { content.answer($0) }
            route.get("/named").reply { request in
                content.answer(request).field(.contentDisposition, request.queryValue("as") ?? "")
            }
            route.get("/empty").reply(.bytes(Data()))
            route.get("/nothing").reply(.status(.noContent))
            route.get("/missing").reply(.text("no such thing", status: .notFound))
            route.get("/digested").reply { request in
                content.answer(request).field(.reprDigest, request.queryValue("is") ?? "")
            }
            route.post("/report").reply { content.answer($0) }
            route.get("/slow").reply { content.answer($0).throttled(bytesPerSecond: 300_000) }
            // "hello" in gzip, for those who did not ask for it.
            route.get("/coded").reply(
                .bytes(Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJBwCGphA2BQAAAA==") ?? Data())
                    .field(.contentEncoding, "gzip").field(.etag, "\"z\""))
        }
    }

    @Test("M8 B5 a download without a network fails immediately, and is not retried", .timeLimit(.minutes(15)))
    func offline() async throws {
        let mock = MockTransport { _ in .status(204) }
        let clock = TestClock()
        let api = APIClient(baseURL: "https://api.example.com", transport: mock) {
            $0.connectivity = .failFast
            $0.pathMonitor = { PathFeed(.unsatisfied) }
            $0.clock = clock
        }
        let download = api.download(Endpoint<Void>.get("a"), to: folder.path("a"))
        let error = await #expect(throws: NetworkError.self) { try await download.file }
        #expect(error?.kind == .offline(.noPath))
        #expect(clock.now.offset == .zero && mock.requestCount == 0)
    }

    @Test("B5 a download writes a file with usual permissions, and leaves nothing else")
    func file() async throws {
        let server = try await server()
        let download = APIClient.eager(server).download(Endpoint<Void>.get("a.bin"), to: folder.path("b.bin"))
        #expect(try await download.file.path == folder.path("b.bin").path)
        #expect(try Data(contentsOf: folder.path("b.bin")) == content.data)
        #expect(try folder.names == ["b.bin"])
        _ = try folder.write("", to: "plain")
        #expect(try folder.mode(of: "b.bin") == folder.mode(of: "plain"))
    }

    @Test(
        "B5 in a folder the file is named after the server's name or the URL",
        arguments: [
            ("a.bin", "a.bin"), ("named?as=attachment;filename=%22of%20it.txt%22", "of it.txt"),
            ("named?as=attachment", "named"),
            ("named?as=attachment;filename=a;filename*=UTF-8''na%25C3%25AFve.txt", "naïve.txt"),
        ])
    func naming(path: String, name: String) async throws {
        let server = try await server()
        let api = APIClient(baseURL: "\(server.url)\(path)")
        let file = try await api.download(Endpoint<Void>.get(""), to: folder.url).file
        #expect(file.lastPathComponent == name)
        #expect(try folder.names == [name])
    }

    @Test(
        "B5 no file name of a server leaves the folder",
        arguments: [
            "../../x", "..", ".", "/etc/passwd", "..\\..\\x", "C:\\x", "a/../../b", "%2e%2e%2fx", ".bashrc", "CON",
            "con.txt", "a\u{202E}txt.exe", "a\u{0}b", "\r\nx", "~/x", "", " ", "...", "a\u{7F}",
            String(repeating: "n", count: 300) + ".txt", String(repeating: "é", count: 300),
        ])
    func malice(name: String) async throws {
        let outer = folder.path("outer/inner/")
        try FileManager.default.createDirectory(at: outer, withIntermediateDirectories: true)
        let encoded = name.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let server = try await MockServer { [content] route in
            route.get("/d").reply { request in
                content.answer(request).field(.contentDisposition, "attachment; filename*=UTF-8''\(encoded)")
            }
        }
        let file = try await APIClient.eager(server).download(Endpoint<Void>.get("d"), to: outer).file
        #expect(file.deletingLastPathComponent().path == URL(filePath: outer.path).path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: outer.path) == [file.lastPathComponent])
        #expect(try folder.names == ["outer"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("outer").path) == ["inner"])
        #expect(!file.lastPathComponent.hasPrefix(".") && file.lastPathComponent.utf8.count <= 255)
        #expect(try Data(contentsOf: file) == content.data)
    }

    @Test("B5 an existing file makes a download fail before anything is sent")
    func existing() async throws {
        let server = try await server()
        let target = try folder.write("old", to: "a.bin")
        let error = await APIClient.eager(server).download(Endpoint<Void>.get("a.bin"), to: target).failure()
        #expect(error?.kind == .file(reason: "a.bin exists already"))
        #expect(server.requestCount == 0)
        #expect(try String(decoding: Data(contentsOf: target), as: UTF8.self) == "old")
        #expect(try folder.names == ["a.bin"])
    }

    @Test("B5 an existing file is replaced, or both are kept, as the option says")
    func policies() async throws {
        let server = try await server()
        let api = APIClient.eager(server)
        let target = try folder.write("old", to: "a.bin")
        for name in ["a (2).bin", "a (3).bin"] {
            let file = try await api.download(Endpoint<Void>.get("a.bin"), to: folder.url) {
                $0.existingFile = .keepBoth
            }.file
            #expect(file.lastPathComponent == name)
            #expect(try Data(contentsOf: file) == content.data)
        }
        #expect(try Data(contentsOf: target) == Data("old".utf8))
        let file = try await api.download(Endpoint<Void>.get("a.bin"), to: target) {
            $0.existingFile = .replace
            $0.synchronizesToDisk = true
        }.file
        #expect(try Data(contentsOf: file) == content.data)
        #expect(try folder.names == ["a (2).bin", "a (3).bin", "a.bin"])
    }

    @Test("B5 a file that appears meanwhile is kept, and so is the received content, without a second transfer")
    func meanwhile() async throws {
        let server = try await server()
        let api = APIClient.eager(server)
        let first = api.download(Endpoint<Void>.get("slow"), to: folder.path("a.bin"))
        await first.reach(1)
        _ = try folder.write("somebody else's", to: "a.bin")
        #expect(await first.failure()?.kind == .file(reason: "a.bin exists already"))
        #expect(try Data(contentsOf: folder.path("a.bin")) == Data("somebody else's".utf8))
        #expect(try folder.names == [".a.bin.godwit-part", ".a.bin.godwit-ticket", "a.bin"])
        #expect(try folder.mode(of: ".a.bin.godwit-part") == 0o600)
        let download = api.download(Endpoint<Void>.get("slow"), to: folder.path("a.bin")) {
            $0.existingFile = .replace
        }
        #expect(try await Data(contentsOf: download.file) == content.data)
        #expect(server.requestCount == 1)
        #expect(try folder.names == ["a.bin"])
    }

    @Test("B5 content with the expected digest is accepted, other content is discarded")
    func digest() async throws {
        let server = try await server()
        let api = APIClient.eager(server)
        let right = try #require(ContentDigest(sha256: SHA256.digest(content.data)))
        let wrong = try #require(ContentDigest(sha256: SHA256.digest([1])))
        let bad = api.download(Endpoint<Void>.get("a.bin"), to: folder.path("a")) { $0.digest = wrong }
        #expect(await bad.failure()?.kind == .invalidResponse(reason: "the content's digest is \(right), not \(wrong)"))
        #expect(try folder.names.isEmpty)
        let good = api.download(Endpoint<Void>.get("a.bin"), to: folder.path("a")) { $0.digest = right }
        #expect(try await Data(contentsOf: good.file) == content.data)
    }

    @Test("B5 the server's Repr-Digest is checked")
    func reportedDigest() async throws {
        let server = try await server()
        let api = APIClient.eager(server)
        let digests = [SHA256.digest(content.data), SHA256.digest([1])].map {
            "sha-512=:AAAA:, sha-256=:\(Data($0).base64EncodedString()):"
        }
        let good = api.download(.digested(digests[0]), to: folder.path("a"))
        #expect(try await Data(contentsOf: good.file) == content.data)
        let bad = await api.download(.digested(digests[1]), to: folder.path("b")).failure()
        guard case .invalidResponse = bad?.kind else { Issue.record("\(String(describing: bad))"); return }
        #expect(try folder.names == ["a"])
    }

    @Test("B5 server errors and empty content are handled", arguments: ["empty", "nothing"])
    func small(path: String) async throws {
        let server = try await server()
        let api = APIClient.eager(server)
        #expect(await api.download(Endpoint<Void>.get("missing"), to: folder.path("a")).failure()?.kind == .notFound)
        #expect(try folder.names.isEmpty)
        #expect(
            try await Data(contentsOf: api.download(Endpoint<Void>.get("\(path)"), to: folder.path("a")).file).isEmpty)
    }

    @Test("B5 an unwritable destination throws .file, and nothing is sent", arguments: ["none/a", "f/a"])
    func unwritable(path: String) async throws {
        let server = try await server()
        _ = try folder.write("a file", to: "f")
        let error = await APIClient.eager(server).download(Endpoint<Void>.get("a.bin"), to: folder.path(path)).failure()
        guard case .file(let reason) = error?.kind else { Issue.record("\(String(describing: error))"); return }
        #expect(reason.hasPrefix("cannot create a file for a: "))
        #expect(server.requestCount == 0)
    }

    @Test("B5 a symbolic link instead of the partial file is not followed")
    func link() async throws {
        let server = try await server()
        let victim = try folder.write("precious", to: "victim")
        try FileManager.default.createSymbolicLink(at: folder.path(".a.godwit-part"), withDestinationURL: victim)
        let error = await APIClient.eager(server).download(Endpoint<Void>.get("a.bin"), to: folder.path("a")).failure()
        guard case .file = error?.kind else { Issue.record("\(String(describing: error))"); return }
        #expect(try Data(contentsOf: victim) == Data("precious".utf8))
    }

    @Test("B5 of two downloads to one destination the second fails")
    func twice() async throws {
        let server = try await server()
        let api = APIClient.eager(server)
        let first = api.download(Endpoint<Void>.get("slow"), to: folder.path("a"))
        await first.reach(1)
        let second = await api.download(Endpoint<Void>.get("slow"), to: folder.path("a")).failure()
        #expect(second?.kind == .file(reason: "a is being downloaded already"))
        first.cancel()
        #expect(await first.failure()?.kind == .cancelled)
        #expect(try folder.names.isEmpty)
    }

    @Test("B5 canceling the task that waits for the file ends the download, and keeps what was received")
    func cancellation() async throws {
        let server = try await server()
        let download = APIClient.eager(server).download(Endpoint<Void>.get("slow"), to: folder.path("a"))
        let task = Task { await download.failure() }
        await download.reach(1)
        task.cancel()
        #expect(await task.value?.kind == .cancelled)
        #expect(try folder.names == [".a.godwit-part", ".a.godwit-ticket"])
    }

    @Test("B5 content in a coding that wasn't requested is decoded")
    func coded() async throws {
        let server = try await server()
        let file = try await APIClient.eager(server).download(Endpoint<Void>.get("coded"), to: folder.path("a")).file
        #expect(try Data(contentsOf: file) == Data("hello".utf8))
        #expect(server.requests.map { $0.fields[.acceptEncoding] == "identity" } == [true, false])
    }

    @Test("B5 the response to a POST can be downloaded, but not paused")
    func post() async throws {
        let server = try await server()
        let download = APIClient.eager(server).download(
            Endpoint<Void>.post("report", body: .text("all")), to: folder.path("a"))
        await #expect { _ = try await download.pause() } throws: { error in
            (error as? NetworkError)?.kind == .invalidRequest(reason: "only a GET without a body can be paused")
        }
        #expect(try await Data(contentsOf: download.file) == content.data)
    }

    @Test("B6 any number of observers get the progress from the first to the last byte")
    func progress() async throws {
        let server = try await server()
        let download = APIClient.eager(server).download(Endpoint<Void>.get("a.bin"), to: folder.path("a")) {
            $0.progressInterval = .zero
        }
        let observers = (0..<3).map { _ in
            Task {
                var seen: [TransferProgress] = []
                for await progress in download.progress { seen.append(progress) }
                return seen
            }
        }
        _ = try await download.file
        for observer in observers {
            let seen = await observer.value
            #expect(seen.last?.completed == 300_000 && seen.last?.fraction == 1)
            #expect(seen.map(\.completed) == seen.map(\.completed).sorted())
        }
        var late = download.progress.makeAsyncIterator()
        #expect(await late.next()?.completed == 300_000)
        #expect(await late.next() == nil)
    }
}

extension Endpoint<Void> {
    fileprivate static func digested(_ digest: String) -> Endpoint<Void> { .get("digested", query: ["is": digest]) }
}
