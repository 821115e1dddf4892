import GodwitCore

/// A request body in a form that URLSession accepts.
package enum UploadContent: Sendable {
    case none
    case bytes(Data)
    /// A file; a temporary one is removed after the exchange.
    case file(URL, isTemporary: Bool)
    /// URLSession asks the delegate for the stream.
    case stream

    /// Creates the task that sends it.
    func task(for request: URLRequest, in session: URLSession) -> URLSessionTask {
        switch self {
        case .none:
            return session.dataTask(with: request)
        case .bytes(let data):
            var request = request
            request.httpBody = data
            return session.dataTask(with: request)
        case .file(let url, _):
            return session.uploadTask(with: request, fromFile: url)
        case .stream:
            return session.uploadTask(withStreamedRequest: request)
        }
    }

    /// Removes a temporary file.
    func discard() {
        if case .file(let url, isTemporary: true) = self { try? FileManager.default.removeItem(at: url) }
    }
}
