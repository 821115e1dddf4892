extension NetworkError {
    /// A message for people, in the language of ``UserMessages/current``; `nil` for `.cancelled`.
    ///
    /// For a status from 400 to 499, the server's message if it is a sentence: not a code such as `invalid_grant`,
    /// markup or a stack trace. Otherwise a sentence of ``UserMessages``, which suggests trying again only if that may
    /// help.
    ///
    /// ```swift
    /// show(error.userMessage)                         // "The name is taken", because the server said so
    /// ```
    public var userMessage: String? {
        userMessage(in: .current)
    }

    /// A message for people in a given language; `nil` for `.cancelled`.
    ///
    /// For a service whose users speak several languages. The server's message isn't translated.
    public func userMessage(in messages: UserMessages) -> String? {
        if case .cancelled = kind { return nil }
        return messageOfServer.map(TerminalText.escapedLines) ?? messages[messageKey, retryAfter: suggestedRetryDelay]
    }

    /// The key of the matching sentence.
    package var messageKey: UserMessages.Key {
        switch kind {
        case .notFound where response?.status == .gone: .gone
        case .rateLimited(let delay): UserMessages.Key(waiting: delay)
        default: kind.messageKey
        }
    }
}

extension NetworkError.Kind {
    /// The key, as far as the kind determines it.
    fileprivate var messageKey: UserMessages.Key {
        switch self {
        case .cancelled: .cancelled
        case .offline(.noPath): .offline
        case .offline: .networkNotAllowed
        case .timedOut: .timedOut
        case .socketClosed: .connectionEnded
        case .transport(let failure): failure.messageKey
        case .insecure: .insecure
        case .invalidURL, .invalidRequest, .encoding: .notSent
        case .redirect, .invalidResponse, .unexpectedStatus, .unexpectedContentType, .decoding: .notUnderstood
        case .tooLarge: .tooLarge
        case .file: .file
        case .notCached: .notCached
        case .unsupported: .unsupported
        case .shutdown, .operationFailed: .failed
        case .unauthorized: .unauthorized
        case .forbidden: .forbidden
        case .notFound: .notFound
        case .validationFailed: .validationFailed
        case .rateLimited: .rateLimited
        case .client(let status): Self.messageKey(ofRefusal: status)
        case .server(let status): Self.messageKey(ofTrouble: status)
        }
    }

    private static func messageKey(ofRefusal status: Int) -> UserMessages.Key {
        switch status {
        case 408, 425: .serverNotReady
        case 409, 412, 428: .conflict
        case 413: .contentTooLarge
        case 415: .unsupportedContent
        case 423: .locked
        case 451: .unavailableForLegalReasons
        default: .refused
        }
    }

    private static func messageKey(ofTrouble status: Int) -> UserMessages.Key {
        switch status {
        case 501, 505: .notImplemented
        case 507: .serverFull
        default: .serverFailed
        }
    }
}

extension NetworkError.TransportFailure {
    fileprivate var messageKey: UserMessages.Key {
        switch self {
        case .protocolViolation: .notUnderstood
        case .tooManyOpenFiles: .tooManyOpenFiles
        case .cannotSendBody: .notSent
        case .cannotResolveHost, .cannotResolveProxy, .cannotConnect, .proxy, .connectionLost, .other: .unreachable
        }
    }
}

// MARK: - For code that handles any Error
extension NetworkError: LocalizedError {
    /// The message for people: ``userMessage``, and "This was canceled." for `.cancelled`.
    public var localizedDescription: String {
        userMessage ?? UserMessages.current[.cancelled]
    }

    /// The same as ``localizedDescription``.
    public var errorDescription: String? { localizedDescription }

    /// The failure for a developer: ``description``.
    public var failureReason: String? { description }

    /// What a person can do, if the server's message replaces our advice: sign in again, or wait.
    public var recoverySuggestion: String? {
        guard messageOfServer != nil else { return nil }
        return switch kind {
        case .unauthorized, .rateLimited: UserMessages.current[messageKey, retryAfter: suggestedRetryDelay]
        default: nil
        }
    }
}
