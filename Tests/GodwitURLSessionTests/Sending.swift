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
