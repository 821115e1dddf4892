import ContentReaderKit
import Godwit
import GodwitTesting
import GodwitUI

/// Answers the requests of browsers.
nonisolated final class PageService: Sendable {
    let token: String
    private let model: ReaderPageModel
    private let pictures: ImageLoader<Data>
    private let api: APIClient

    init(_ model: ReaderPageModel, _ api: APIClient) {
        (self.model, self.api) = (model, api)
        pictures = ImageLoader(api, memoryLimit: 16 << 20)
        var generator = SystemRandomNumberGenerator()
        token = (0..<2).map { _ in String(generator.next() | 1 << 63, radix: 36) }.joined()
    }

    func response(to request: MockRequest) async -> MockResponse {
        guard Self.isLocal(request) else { return .text("not a name of this machine", status: .badRequest) }
        let words = request.path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count == 3, Self.areEqual(words[1], token) else { return .status(.notFound) }
        return await response(to: request, at: String(words[2])).secured()
    }

    private func response(to request: MockRequest, at path: String) async -> MockResponse {
        switch ("\(request.method)", path) {
        case ("GET", "state"):
            return MockResponse(
                fields: [.contentType: "text/event-stream"],
                body: .stream { [model] in StateStream(writer: StateWriter(model)) })
        case ("POST", "action"):
            guard let action = try? request.decoded(as: PageAction.self) else { return .status(.badRequest) }
            await model.perform(action)
            return .status(.noContent)
        case ("POST", "upload"):
            // The server keeps a prefix of what is longer than its limit.
            guard request.bodyByteCount == Int64(request.body.count) else { return .status(.contentTooLarge) }
            await model.upload(request.body)
            return .status(.noContent)
        case ("GET", _) where path.hasPrefix("picture/"): return await picture(String(path.dropFirst(8)))
        case ("GET", _): return PageFile(rawValue: path)?.response ?? .status(.notFound)
        default: return .status(.notFound)
        }
    }

    private func picture(_ number: String) async -> MockResponse {
        do throws(NetworkError) {
            guard let id = Int(number) else { return .status(.notFound) }
            let data = try await pictures.image(at: try api.request(for: .picture(of: id)).url)
            return .bytes(data, contentType: "image/png").field(.cacheControl, "private, max-age=3600")
        } catch {
            return .text(error.userMessage ?? "", status: .badGateway)
        }
    }

    // MARK: Who may ask

    /// Whether the request names this machine: a name from elsewhere, resolved to 127.0.0.1, would let a foreign page in.
    private static func isLocal(_ request: MockRequest) -> Bool {
        guard let host = request.fields[.host] else { return false }
        guard ["127.0.0.1", "localhost"].contains(host.prefix { $0 != ":" }.lowercased()) else { return false }
        return request.fields["Origin"].map { $0 == "http://\(host)" } ?? true
    }

    /// Compares without revealing by its time where the difference is.
    private static func areEqual(_ word: Substring, _ token: String) -> Bool {
        word.utf8.count == token.utf8.count && zip(word.utf8, token.utf8).reduce(0) { $0 | $1.0 ^ $1.1 } == 0
    }
}

nonisolated extension MockResponse {
    /// With the fields that keep the page on this machine: it loads and sends nothing elsewhere, and no page frames it.
    fileprivate func secured() -> MockResponse {
        var response = self
        response.fields["Content-Security-Policy"] =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        response.fields["Referrer-Policy"] = "no-referrer"
        response.fields["X-Content-Type-Options"] = "nosniff"
        response.fields["Cross-Origin-Resource-Policy"] = "same-origin"
        if response.fields[.cacheControl] == nil { response.fields[.cacheControl] = "no-store" }
        return response
    }
}
