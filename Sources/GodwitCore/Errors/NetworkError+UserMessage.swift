extension NetworkError {
    /// What a person may be shown; nil where there is nothing to tell, as when they cancelled it themselves.
    ///
    /// Where the server sent a message about what the person entered, this is it; else it is a plain English sentence,
    /// which says to try again only where that may help.
    ///
    /// Not localised.
    public var userMessage: String? {
        switch kind {
        case .cancelled: nil
        case .validationFailed(let fields): Self.message(of: fields) ?? "Some of what was entered is not valid."
        case .client(let status): Self.message(ofRefusal: status)
        case .server(let status): Self.message(ofTrouble: status)
        case .rateLimited(let delay): "There were too many requests. \(Self.advice(toWait: delay))"
        case .notFound where response?.status == .gone: "This is no longer there."
        case .offline(.noPath): "You appear to be offline. Check the connection and try again."
        case .offline: "This may not use the present network. Try again on another one."
        case .timedOut: "The server took too long to answer. Try again."
        case .socketClosed: "The connection to the server ended. Try again."
        case .transport(.protocolViolation): "The server's answer could not be understood."
        case .transport(.tooManyOpenFiles): "Too much is open at the same time. Try again."
        case .transport(.cannotSendBody): "This could not be sent."
        case .transport: "The server could not be reached. Check the connection and try again."
        case .insecure: "A secure connection to the server could not be made."
        case .unauthorized: "Please sign in again."
        case .forbidden: "You do not have access to this."
        case .notFound: "This could not be found."
        case .tooLarge: "The answer is too large."
        case .file: "A file could not be read or written."
        case .unsupported: "This is not possible here."
        case .invalidURL, .invalidRequest, .encoding: "This could not be sent."
        case .redirect, .invalidResponse, .unexpectedStatus, .unexpectedContentType, .decoding:
            "The server's answer could not be understood."
        case .shutdown: "This did not work."
        }
    }

    private static func message(of fields: [FieldError]) -> String? {
        let messages = fields.flatMap(\.messages)
        return messages.isEmpty ? nil : messages.joined(separator: "\n")
    }

    private static func message(ofRefusal status: Int) -> String {
        switch status {
        case 408, 425: "The server was not ready for this. Try again."
        case 409, 412, 428: "This was changed elsewhere in the meantime. Load it again before you change it."
        case 413: "This is larger than the server accepts."
        case 415: "The server does not accept this kind of content."
        case 423: "Somebody else is working on this. Try again later."
        case 451: "This is not available for legal reasons."
        default: "The server did not accept this."
        }
    }

    private static func message(ofTrouble status: Int) -> String {
        switch status {
        case 501, 505: "The server cannot do this."
        case 507: "The server has no room for this."
        default: "The server has a problem. Try again later."
        }
    }

    private static func advice(toWait delay: Duration?) -> String {
        let minutes = ((delay?.bounded.components.seconds ?? 0) + 59) / 60
        return switch minutes {
        case ...1: "Wait a moment and try again."
        case ...90: "Try again in \(minutes) minutes."
        default: "Try again later."
        }
    }
}
