extension NetworkError {
    /// The description of a failure caused by the response's status; `nil` for other failures.
    var answerLine: String? {
        guard let response, kind.isStatus else { return nil }
        let line = sentSecrets.redacted("HTTP \(response.status)" + (request.map { " from \($0)" } ?? ""))
        return "\(line): \(explanation ?? kind.meaning)"
    }

    /// The description of any other failure: the failure, the request, and the response that caused it.
    var failureLine: String {
        let line = shownKind + (request.map { " [\($0)]" } ?? "")
        // Not the expected stream; the body often says why.
        if response != nil, let explanation { return "\(line): \(explanation)" }
        // No token could be obtained; the authorization server says why.
        if let cause = (underlying as? NetworkError)?.answerLine, kind.isStatus { return "\(line): \(cause)" }
        return line
    }

    /// What went wrong, without the secrets that a peer's words repeat.
    var shownKind: String { sentSecrets.redacted(summary) }

    /// The server's explanation of the failure, in one line and without secrets.
    private var explanation: String? {
        let words = wordsWithFields ?? problem?.code ?? pageTitle
        return words.flatMap { ServerText($0, hiding: sentSecrets) }?.shortLine
    }

    private var wordsWithFields: String? {
        var fields = problem?.fields ?? []
        if case .validationFailed(let known) = kind { fields = known }
        let list = fields.map(\.line).joined(separator: "; ")
        guard let words = problem?.detail ?? problem?.title else {
            return fields.isEmpty ? nil : "validation failed: \(list)"
        }
        return fields.isEmpty ? words : "\(words) (\(list))"
    }

    private var pageTitle: String? {
        guard let body, let response else { return nil }
        return ErrorText(body, response)?.pageTitle
    }
}

// MARK: - Messages for people
extension NetworkError {
    /// Maximum field messages that a person is shown.
    private static let mostMessages = 10

    /// The server's message, if it was written for people: a sentence, with a status from 400 to 499.
    package var messageOfServer: String? {
        guard let response, kind.isStatus, (400..<500).contains(response.status.code) else {
            return switch kind {
            case .validationFailed(let fields): message(of: fields, sentSecrets)
            // Reported in an accepted response.
            case .operationFailed: problem?.detail.flatMap { ServerText($0, hiding: sentSecrets)?.message }
            // Thrown by a closure of the program.
            case .transport(.other): messageOfProgram
            default: nil
            }
        }
        // Parsed from the response's body, not thrown while obtaining a token.
        if phase == .validating, let text = messageOfProgram { return text }
        let secrets = sentSecrets
        let words = [problem?.detail, problem?.title].lazy.compactMap(\.self)
            .compactMap { ServerText($0, hiding: secrets)?.message }
        if case .validationFailed(let fields) = kind { return message(of: fields, secrets) ?? words.first }
        return words.first ?? problem.flatMap { message(of: $0.fields, secrets) }
    }

    /// The message of a `LocalizedError` of the program, read by ``ErrorBody/type(_:)`` or thrown by a closure.
    private var messageOfProgram: String? {
        switch underlying {
        case is any LibraryError, is DecodingError, is EncodingError: nil
        case let own as any LocalizedError: own.errorDescription.map { sentSecrets.redacted($0) }
        default: nil
        }
    }

    private func message(of fields: [FieldError], _ secrets: SecretSearch) -> String? {
        let messages = fields.flatMap(\.messages).compactMap { ServerText($0, hiding: secrets)?.fieldMessage }
            .prefix(Self.mostMessages)
        return messages.isEmpty ? nil : messages.joined(separator: "\n")
    }
}

extension NetworkError.FieldError {
    var line: String { "\(field): \(messages.joined(separator: ", "))" }
}

/// An error type of this library. Its text isn't a message of the program.
package protocol LibraryError: Error {
    /// The same error with the server's text replaced, to redact secrets.
    func quoting(_ shown: (String?) -> String?) -> any Error
}

extension LibraryError {
    package func quoting(_ shown: (String?) -> String?) -> any Error { self }
}

extension NetworkError: LibraryError {}
extension InvalidURL: LibraryError {}
