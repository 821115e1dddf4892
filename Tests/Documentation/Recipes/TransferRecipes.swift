import Godwit
import GodwitBackground
import GodwitTesting
import Synchronization
import Testing

@Suite("Recipes: bodies and transfers")
struct TransferRecipes {
    private func inFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = URL(filePath: "/tmp/godwit-recipe-\(UInt64.random(in: .min ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    @Test("A file is sent while it is read")
    func upload() async throws {
        let server = try await MockServer { $0.put("/films/1").reply(.status(.noContent)) }
        let api = APIClient(baseURL: server.url)
        try await inFolder { folder in
            let film = folder.appending(path: "film.mp4")
            try Data(count: 100_000).write(to: film)
            // snippet: recipe-B1
            let upload = api.uploading(Endpoint<Void>.put("films/1"), body: .file(at: film))
            for await progress in upload.progress { print(progress.fraction ?? 0) }
            try await upload.value
            // end
        }
        #expect(server.requests.map(\.bodyByteCount) == [100_000])
        await server.stop()
    }

    @Test("A form with files")
    func multipart() async throws {
        let transport = MockTransport { _ in .status(.created) }
        let api = APIClient(baseURL: "https://api.example.com", transport: transport)
        try await inFolder { folder in
            let photo = folder.appending(path: "sea.jpg")
            try Data("jpeg".utf8).write(to: photo)
            // snippet: recipe-B2
            let publish = Endpoint<Void>.post(
                "photos",
                body: .multipart {
                    $0.field("caption", "Low tide")
                    $0.file("photo", at: photo)  // streamed; its type by its extension
                })
            try await api.send(publish)
            // end
            let file = folder.appending(path: "form")
            // snippet: recipe-B2-file
            var form = MultipartForm()
            form.file("photo", at: photo)
            try await form.write(to: file)
            var request = try api.request(for: publish)
            request.fields[.contentType] = form.contentType.description  // names the form's boundary
            // then: try await session.upload(request, fromFile: file)
            // end
            #expect(String(decoding: try Data(contentsOf: file), as: UTF8.self).contains(#"filename="sea.jpg""#))
            #expect(request.fields[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
        }
        #expect(transport.requests[0].text.contains(#"filename="sea.jpg""#))
    }

    @Test("A form as browsers send it")
    func form() async throws {
        let transport = MockTransport { _ in .status(.ok) }
        let api = APIClient(baseURL: "https://api.example.com", transport: transport)
        // snippet: recipe-B3
        let login = Endpoint<Void>.post("login", body: .form(["user": "ann", "note": "a b&c"]))
        try await api.send(login)  // user=ann&note=a+b%26c
        // end
        #expect(transport.requests.map(\.text) == ["user=ann&note=a+b%26c"])
    }

    @Test("A compressed request body")
    func compression() async throws {
        let transport = MockTransport { _ in .status(.ok) }
        let log = String(repeating: "low tide\n", count: 1000)
        // snippet: recipe-B4
        // hidden: , transport: transport
        let api = APIClient(baseURL: "https://api.example.com", transport: transport) { $0.compression = .gzip }
        try await api.send(Endpoint<Void>.post("logs", body: .text(log)))  // Content-Encoding: gzip
        // end
        #expect(transport.requests[0].fields[.contentEncoding] == "gzip")
        #expect(transport.requests[0].bodyByteCount < 1000)
    }

    @Test("A complete download is moved to its destination")
    func download() async throws {
        let server = try await MockServer {
            $0.get("/export").reply(
                .bytes(Data("tides".utf8)).field(.contentDisposition, #"attachment; filename="../tides.csv""#))
        }
        let api = APIClient(baseURL: server.url)
        try await inFolder { folder in
            // snippet: recipe-B5
            let download = api.download(.export, to: folder) {  // filename="../tides.csv" becomes tides.csv
                $0.existingFile = .keepBoth  // .fail by default, .replace or .keepIfComplete
                $0.digest = ContentDigest("1b5a3a1d4f0f0ff9c33f5e5d80cd1e5f5ebb6da1ea6d4f9a2ed28ec0bbba4bd5")
            }
            // hidden
            let error = await thrownError {
                // shown
                print(try await download.file.path)  // throws .invalidResponse if the digest is another
                // hidden
            }
            // end
            guard case .invalidResponse = error?.kind else { throw RecipeFailure("a wrong digest was taken") }
            let file = try await api.download(.export, to: folder).file
            #expect(file.lastPathComponent == "tides.csv")
        }
        await server.stop()
    }

    @Test("Progress: bytes, rate, remaining time")
    func progress() async throws {
        let server = try await MockServer { $0.get("/export").reply(.bytes(Data(count: 50_000))) }
        let api = APIClient(baseURL: server.url)
        try await inFolder { folder in
            // snippet: recipe-B6
            let download = api.download(.export, to: folder) { $0.progressInterval = .milliseconds(250) }
            // hidden
            var last = TransferProgress()
            // shown
            for await progress in download.progress {
                print(progress.fraction ?? 0, progress.bytesPerSecond ?? 0, progress.timeRemaining ?? .zero)
                // hidden
                last = progress
                // shown
            }
            // end
            #expect(last.completed == 50_000 && last.total == 50_000)
            _ = try await download.file
        }
        await server.stop()
    }

    @Test("A download is paused and resumed")
    func pause() async throws {
        let content = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 251) })
        let server = try await MockServer { route in
            route.get("/export").where { $0.fields[.range] == nil }.reply { request in
                .ranged(content, for: request, etag: "\"v1\"").throttled(bytesPerSecond: 50_000)
            }
            route.get("/export").reply { .ranged(content, for: $0, etag: "\"v1\"") }
        }
        let api = APIClient(baseURL: server.url)
        try await inFolder { folder in
            let download = api.download(.export, to: folder.appending(path: "tides.bin"))
            for await progress in download.progress where progress.completed > 0 { break }
            // snippet: recipe-B7
            let ticket = try await download.pause()
            let saved = try JSONEncoder().encode(ticket)  // contains no credentials
            // later, also in another process:
            let loaded = try JSONDecoder().decode(DownloadTicket.self, from: saved)
            let file = try await api.resume(loaded).file
            // end
            #expect(try Data(contentsOf: file) == content)
            #expect(server.requests.last?.fields[.range] != nil)
        }
        await server.stop()
    }

    @Test("B9 resumable uploads")
    func resumableUpload() async throws {
        let uploads = MockUploads()
        let server = try await MockServer { $0.resumableUploads("/films", into: uploads) }
        let api = APIClient(baseURL: server.url)
        try await inFolder { folder in
            let (film, ticketFile) = (folder.appending(path: "film.mp4"), folder.appending(path: "film.ticket"))
            try Data("film".utf8).write(to: film)
            // snippet: recipe-B9
            let upload = api.upload(film, to: .resumable(.post("films")) { $0.ticketFile = ticketFile })
            for await progress in upload.progress { print(progress.fraction ?? 0) }
            try await upload.value
            // end
            #expect(uploads.completed.map(\.data) == [Data("film".utf8)])
        }
        await server.stop()
    }

    @Test("B10 presigned parts")
    func presignedParts() async throws {
        let server = try await MockServer { route in
            route.get("/signed/:number").reply {
                .json("http://\($0.fields[.host] ?? "")/store/\($0.parameters["number"] ?? "")")
            }
            route.put("/store/:number").reply(MockResponse.status(.ok).field(.etag, "\"1\""))
            route.post("/finish").reply(json: "done")
            route.post("/abandon").optional().reply(.status(.noContent))
        }
        let api = APIClient(baseURL: server.url)
        try await inFolder { folder in
            let film = folder.appending(path: "film.mp4")
            try Data("film".utf8).write(to: film)
            // snippet: recipe-B10
            let parts = UploadParts(partSize: 16 << 20) { part in
                HTTPRequest(method: .put, url: try await api.send(.signedURL(of: part.number)))
            } complete: { finished in
                try await api.send(.finish(finished.map(\.etag)))
            } abort: {
                try? await api.send(.abandon)
            }
            let receipt = try await api.upload(film, to: .parts(parts)).value
            // end
            #expect(receipt.contains("done"))
            #expect(server.requests.matching(.put, "/store/1").first?.text == "film")
        }
        await server.stop()
    }

    // Compiled; what it does is tested with a process of its own.
    func background(_ api: APIClient, _ folder: URL) async throws {
        // snippet: recipe-B8
        let session = BackgroundSession(identifier: "com.example.reader.sync")
        try await session.download(api.request(for: .export), to: folder)
        for try await event in session.events {  // includes events from before your program restarted
            print(event.outcome)
            try await session.acknowledge(event)
        }
        // end
    }
}

extension Endpoint {
    fileprivate static func signedURL(of part: Int) -> Endpoint<HTTPURL> {
        Endpoint<HTTPURL>(method: .get, path: "signed/\(part)", accept: "application/json") { data, _, coding in
            try HTTPURL(try coding.decode(String.self, from: data))
        }
    }

    fileprivate static func finish(_ tags: [String]) -> Endpoint<String> { .post("finish", body: .json(tags)) }

    fileprivate static var abandon: Endpoint<Void> { .post("abandon") }
}
