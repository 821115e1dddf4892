import Godwit
import GodwitBackground
import GodwitTesting
import Testing

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
#elseif canImport(Darwin)
import Foundation
#endif

/// The left column of docs/coming-from-urlsession.md: what people write with URLSession.
enum URLSessionCode {
    static func data(_ url: URL) async throws -> Article {
        // snippet: us-data
        let (data, response) = try await URLSession.shared.data(from: url)
        guard let http = response as? HTTPURLResponse, (200..<300).contains(http.statusCode) else {
            throw URLError(.badServerResponse)
        }
        let article = try JSONDecoder().decode(Article.self, from: data)
        // end
        return article
    }

    static func post(_ url: URL, _ draft: Draft) async throws {
        // snippet: us-post
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode(draft)
        let (data, _) = try await URLSession.shared.data(for: request)
        // end
        _ = data
    }

    static func query(_ base: URL, _ words: String) -> URL? {
        // snippet: us-query
        var parts = URLComponents(url: base.appendingPathComponent("search"), resolvingAgainstBaseURL: false)
        parts?.queryItems = [URLQueryItem(name: "q", value: words)]  // a "+" in it arrives as a space
        let url = parts?.url
        // end
        return url
    }

    static func upload(_ request: URLRequest, _ file: URL) async throws {
        // snippet: us-upload
        let (data, _) = try await URLSession.shared.upload(for: request, fromFile: file)
        // end
        _ = data
    }

    static func download(_ url: URL, _ destination: URL) async throws {
        // snippet: us-download
        let (temporary, _) = try await URLSession.shared.download(from: url)
        try FileManager.default.moveItem(at: temporary, to: destination)
        // end
    }

    static func resume(_ session: URLSession, _ task: URLSessionDownloadTask) {
        // snippet: us-resume
        task.cancel { data in
            guard let data else { return }  // the server may not allow it
            session.downloadTask(withResumeData: data).resume()
        }
        // end
    }

    // snippet: us-progress
    final class Progress: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
            totalBytesSent: Int64, totalBytesExpectedToSend: Int64
        ) {
            print(Double(totalBytesSent) / Double(totalBytesExpectedToSend))
        }
    }
    // end

    // snippet: us-redirect
    final class NoRedirects: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }
    }
    // end

    // snippet: us-challenge
    final class Passwords: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard challenge.previousFailureCount == 0 else {
                return completionHandler(.cancelAuthenticationChallenge, nil)
            }
            completionHandler(
                .useCredential, URLCredential(user: "admin", password: "secret", persistence: .forSession))
        }
    }
    // end

    static func cookies(_ url: URL) {
        // snippet: us-cookies
        let configuration = URLSessionConfiguration.default
        configuration.httpCookieStorage = HTTPCookieStorage.shared
        for cookie in configuration.httpCookieStorage?.cookies(for: url) ?? [] { print(cookie.name) }
        // end
    }

    static func cache(_ url: URL) async throws {
        // snippet: us-cache
        let configuration = URLSessionConfiguration.default
        configuration.urlCache = URLCache(memoryCapacity: 20 << 20, diskCapacity: 100 << 20, diskPath: "articles")
        let session = URLSession(configuration: configuration)
        var request = URLRequest(url: url)
        request.cachePolicy = .returnCacheDataElseLoad
        let (data, _) = try await session.data(for: request)
        // end
        _ = data
    }

    static func timeouts(_ url: URL) {
        // snippet: us-timeouts
        let configuration = URLSessionConfiguration.default
        configuration.timeoutIntervalForRequest = 60
        configuration.timeoutIntervalForResource = 300
        configuration.httpMaximumConnectionsPerHost = 4
        let session = URLSession(configuration: configuration)
        // end
        session.invalidateAndCancel()
    }

    static func socket(_ url: URL) async throws {
        // snippet: us-socket
        let task = URLSession.shared.webSocketTask(with: url)
        task.resume()
        try await task.send(.string("hello"))
        while true {
            if case .string(let text) = try await task.receive() { print(text) }
        }
        // end
    }

    static func failures(_ request: URLRequest) async {
        // snippet: us-errors
        do {
            let (data, _) = try await URLSession.shared.data(for: request)
            print(data.count)
        } catch let error as URLError where error.code == .notConnectedToInternet {
            print("offline")
        } catch {
            print(error.localizedDescription)
        }
        // end
    }

    // snippet: us-protocol
    nonisolated final class Stub: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool { true }
        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

        override func startLoading() {
            guard let url = request.url,
                let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil)
            else { return }
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: Data(#"{"id": 1, "title": "Tides"}"#.utf8))
            client?.urlProtocolDidFinishLoading(self)
        }

        override func stopLoading() {}
    }
    // end
}

/// The right column: the same with Godwit.
enum GodwitCode {
    static func data(_ api: APIClient) async throws -> Article {
        // snippet: gw-data
        let article = try await api.send(.article(id: 42))
        // end
        return article
    }

    static func post(_ api: APIClient, _ draft: Draft) async throws {
        // snippet: gw-post
        let article = try await api.send(.create(draft))
        // end
        _ = article
    }

    static func query(_ words: String) -> Endpoint<[Article]> {
        // snippet: gw-query
        let search = Endpoint<[Article]>.get("search", query: ["q": words])  // a "+" is sent as %2B
        // end
        return search
    }

    static func bytes(_ api: APIClient) async throws {
        // snippet: gw-bytes
        for try await line in api.stream(.export).lines { print(line) }
        // end
    }

    static func upload(_ api: APIClient, _ draft: Draft, _ file: URL) async throws {
        // snippet: gw-upload
        let article = try await api.upload(.create(draft), body: .file(at: file))
        // end
        _ = article
    }

    static func download(_ api: APIClient, _ destination: URL) async throws {
        // snippet: gw-download
        let file = try await api.download(.export, to: destination).file
        // end
        _ = file
    }

    static func resume(_ api: APIClient, _ download: Download) async throws {
        // snippet: gw-resume
        let ticket = try await download.pause()  // Codable: keep it in a file, resume in another process
        let file = try await api.resume(ticket).file
        // end
        _ = file
    }

    static func background(_ request: HTTPRequest, _ folder: URL) async throws {
        // snippet: gw-background
        let session = BackgroundSession(identifier: "com.example.reader.sync")
        try await session.download(request, to: folder)
        for try await event in session.events {
            print(event.outcome)
            try await session.acknowledge(event)
        }
        // end
    }

    static func progress(_ api: APIClient, _ draft: Draft, _ file: URL) async throws {
        // snippet: gw-progress
        let upload = api.uploading(.create(draft), body: .file(at: file))
        for await progress in upload.progress { print(progress.fraction ?? 0) }
        // end
    }

    static func redirect(_ api: APIClient) async throws {
        // snippet: gw-redirect
        let article = try await api.send(.article(id: 42).redirects(.block))
        // end
        _ = article
    }

    static func metrics(_ api: APIClient) async throws {
        // snippet: gw-metrics
        let metrics = try await api.response(for: .article(id: 42)).metrics
        print(metrics.total ?? .zero, metrics.protocolVersion ?? "")
        // end
    }

    static func challenge(_ transport: any HTTPTransport) -> APIClient {
        // snippet: gw-challenge
        let api = APIClient(baseURL: "https://camera.example", transport: transport) {
            $0.challenges = Challenges { question in
                question.failureCount == 0 ? PasswordCredential(user: "admin", password: "secret") : nil
            }
        }
        // end
        return api
    }

    static func trust(_ current: String, _ backup: String) -> APIClient {
        // snippet: gw-trust
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.pins["api.example.com"] = [.sha256(current), .sha256(backup)]
        }
        // end
        return api
    }

    static func cookies(_ file: URL) throws -> APIClient {
        // snippet: gw-cookies
        let jar = try CookieJar(file: CookieFile(file))  // mode 0600; .memory is the default
        let api = APIClient(baseURL: "https://api.example.com/v1") { $0.cookies = .jar(jar) }
        for cookie in jar.cookies(for: try HTTPURL("https://api.example.com/")) { print(cookie.name) }
        // end
        return api
    }

    static func cache() async throws {
        // snippet: gw-cache
        let responses = try DiskCacheStore(directory: CacheFolder.standard(for: "com.example.reader"), limit: 100 << 20)
        let api = APIClient(baseURL: "https://api.example.com/v1") { $0.cache = .store(responses) }
        let article = try await api.send(.article(id: 42).cachePolicy(.cacheElseLoad))
        // end
        _ = article
    }

    static func timeouts() -> APIClient {
        // snippet: gw-timeouts
        let api = APIClient(baseURL: "https://api.example.com/v1") {
            $0.timeouts.connect = .seconds(10)
            $0.timeouts.inactivity = .seconds(60)
            $0.timeouts.total = .seconds(300)
            $0.concurrency.perHost = 4
        }
        // end
        return api
    }

    static func socket(_ api: APIClient) async throws {
        // snippet: gw-socket
        let socket = try await api.webSocket("live")
        try await socket.send("hello")
        for try await message in socket.messages {
            if case .text(let text) = message { print(text) }
        }
        // end
    }

    static func failures(_ api: APIClient) async {
        // snippet: gw-errors
        do {
            print(try await api.send(.article(id: 42)).title)
        } catch {
            switch error.kind {  // error is a NetworkError, and the switch can be complete
            case .offline: print("offline")
            case .cancelled: break
            default: print(error.userMessage ?? "")
            }
        }
        // end
    }

    static func mock() async throws {
        // snippet: gw-mock
        let mock = MockTransport { $0.get("/articles/1").reply(json: ["id": 1, "title": "Tides"]) }
        let api = APIClient(baseURL: "https://api.example.com", transport: mock)
        #expect(try await api.send(.article(id: 1)).title == "Tides")
        // end
    }
}
