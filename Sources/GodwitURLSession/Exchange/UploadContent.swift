import GodwitCore

/// The content of a request in one of the forms that URLSession takes.
package enum UploadContent: Sendable {
    case none
    case bytes(Data)
    /// A temporary one is removed after the exchange.
    case file(URL, isTemporary: Bool)
    /// The delegate is asked for the stream.
    case stream

    /// The task that sends it.
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

    /// Removes what was made for the exchange alone.
    func discard() {
        if case .file(let url, isTemporary: true) = self { try? FileManager.default.removeItem(at: url) }
    }
}
