import GodwitCore

// What the error of an attempt means for a mutation.
extension NetworkError {
    /// Whether the server has applied the change, though without a value to show for it.
    func isAccepted(_ method: HTTPMethod) -> Bool {
        if case .unexpectedContentType = kind { return false }
        guard let status = response?.status else { return false }
        // What is to be deleted is gone, perhaps by an attempt whose response was lost.
        return status.isSuccessful || method == .delete && (status.code == 404 || status.code == 410)
    }

    /// Whether the same request may be accepted later, without a decision by the user.
    var mayPassByItself: Bool {
        if isRetryable { return true }
        // The server, or a proxy, refused the credentials, not the mutation. The next sign-in helps.
        if let status = response?.status { return status.code == 401 || status.code == 407 || isServerFault }
        switch kind {
        // A captive portal, for example.
        case .transport, .insecure, .invalidResponse, .cancelled: return true
        // The credentials couldn't be read, stored or refreshed.
        case .unauthorized, .forbidden, .client, .file: return true
        default: return isServerFault
        }
    }

    private var isServerFault: Bool {
        switch kind {
        case .server, .shutdown: true
        default: false
        }
    }
}
