import GodwitCore
import GodwitTesting
import GodwitURLSession

extension MockServer {
    /// The URL of a path and query on this server.
    func at(_ pathAndQuery: String) throws(InvalidURL) -> HTTPURL {
        try HTTPURL("\(url.origin)\(pathAndQuery)")
    }
}

/// The whole body of an answer, as text.
func text(of response: HTTPResponse) async throws(NetworkError) -> String {
    String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
}

/// The error of a request, or of reading its answer; `nil` if there was none.
func failure(of request: HTTPRequest, over transport: (any HTTPTransport)? = nil) async -> NetworkError? {
    do throws(NetworkError) {
        let transport = if let transport { transport } else { try URLSessionTransport() as any HTTPTransport }
        let response = try await transport.send(request)
        for try await _ in response.body {}
        return nil
    } catch {
        return error
    }
}

/// Whether a file that was made for an upload holds this.
func keepsUpload(of content: String) throws -> Bool {
    let folder = FileManager.default.temporaryDirectory
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).contains { name in
        guard name.hasPrefix("godwit-upload-") else { return false }
        return (try? Data(contentsOf: folder.appending(path: name))) == Data(content.utf8)
    }
}
