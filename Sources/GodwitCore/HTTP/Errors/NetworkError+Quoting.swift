// The words of servers and decoders in an error, without secrets of the call that they repeat.
extension NetworkError {
    /// Redacts the call's secrets in the words of others.
    ///
    /// - Parameter isLine: Whether each text becomes one line.
    package mutating func hideSecretsInWords(isLine: Bool = false) {
        let secrets = sentSecrets
        guard isLine || !secrets.isEmpty else { return }
        let shown = { (words: String?) in
            isLine ? words.flatMap { ServerText($0, hiding: secrets)?.line } : words.map { secrets.redacted($0) }
        }
        quote(shown)
    }

    /// The error with a call's secrets hidden. For errors without the call's request.
    func hidingSecrets(of sent: SentSecrets?) -> NetworkError {
        guard let secrets = sent?.search, !secrets.isEmpty else { return self }
        var error = self
        error.quote { $0.map { secrets.redacted($0) } }
        return error
    }

    private mutating func quote(_ shown: (String?) -> String?) {
        problem = problem.map { $0.quoting(shown) }
        kind = kind.quoting(shown)
        switch underlying {
        case let reason as any LibraryError: underlying = reason.quoting(shown)
        case let reason as DecodingError: underlying = reason.quoting(shown)
        default: break
        }
    }
}

extension ProblemDetails {
    fileprivate func quoting(_ shown: (String?) -> String?) -> ProblemDetails {
        var problem = self
        problem.detail = shown(detail)
        problem.title = shown(title)
        problem.code = shown(code)
        problem.type = shown(type)
        problem.instance = shown(instance)
        problem.fields = fields.map { $0.quoting(shown) }
        return problem
    }
}

extension NetworkError.FieldError {
    fileprivate func quoting(_ shown: (String?) -> String?) -> Self {
        Self(field: shown(field) ?? field, messages: messages.compactMap(shown))
    }
}

extension NetworkError.Kind {
    /// The kind with the words of others replaced.
    fileprivate func quoting(_ shown: (String?) -> String?) -> Self {
        switch self {
        case .validationFailed(let fields): .validationFailed(fields.map { $0.quoting(shown) })
        case .invalidResponse(let reason): .invalidResponse(reason: shown(reason) ?? "")
        case .socketClosed(let code, let reason): .socketClosed(code: code, reason: shown(reason) ?? "")
        case .unexpectedContentType(let type): .unexpectedContentType(shown(type))
        case .redirect(.invalidLocation(let location)): .redirect(.invalidLocation(shown(location) ?? ""))
        case .insecure(.downgrade(let url)): .insecure(.downgrade(to: shown(url) ?? ""))
        case .transport(let failure): .transport(failure.quoting(shown))
        case .decoding(let failure): .decoding(failure.quoting(shown))
        default: self
        }
    }
}

extension NetworkError.TransportFailure {
    fileprivate func quoting(_ shown: (String?) -> String?) -> Self {
        switch self {
        case .other(let text): .other(shown(text) ?? "")
        case .protocolViolation(let text): .protocolViolation(shown(text) ?? "")
        case .proxy(let text): .proxy(shown(text) ?? "")
        default: self
        }
    }
}

extension NetworkError.DecodingFailure {
    fileprivate func quoting(_ shown: (String?) -> String?) -> Self {
        let position = line.flatMap { line in column.map { (line, $0) } }
        return Self(path: shown(path) ?? "", reason: shown(reason) ?? "", snippet: shown(snippet), position: position)
    }
}

extension DecodingError {
    /// The same error with its words replaced: they can quote the value.
    fileprivate func quoting(_ shown: (String?) -> String?) -> DecodingError {
        func quoted(_ context: Context) -> Context {
            Context(
                codingPath: context.codingPath, debugDescription: shown(context.debugDescription) ?? "",
                underlyingError: context.underlyingError)
        }
        return switch self {
        case .typeMismatch(let type, let context): .typeMismatch(type, quoted(context))
        case .valueNotFound(let type, let context): .valueNotFound(type, quoted(context))
        case .keyNotFound(let key, let context): .keyNotFound(key, quoted(context))
        case .dataCorrupted(let context): .dataCorrupted(quoted(context))
        @unknown default: self
        }
    }
}
