extension NetworkError {
    /// What a description says about an answer whose status is the failure; `nil` for other failures.
    var answerLine: String? {
        guard let response, kind.isStatus else { return nil }
        let line = "HTTP \(response.status)" + (request.map { " from \($0)" } ?? "")
        return "\(line): \(explanation ?? kind.meaning)"
    }

    /// What a description says about a failure that is not an answer's status: the failure, the request, and whose answer
    /// it is due to.
    var failureLine: String {
        let line = kind.summary + (request.map { " [\($0)]" } ?? "")
        // The stream that was asked for isn't one, and the body often says why.
        if response != nil, let explanation { return "\(line): \(explanation)" }
        // A token could not be had: what the authorization server said.
        if let cause = (underlying as? NetworkError)?.answerLine, kind.isStatus { return "\(line): \(cause)" }
        return line
    }

    /// What the server says about the failure, in one line and without secrets.
    private var explanation: String? {
        let words = wordsWithFields ?? problem?.code ?? pageTitle
        return words.flatMap { ServerWords($0, hiding: sentSecrets) }?.shortLine
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

// MARK: - What people are shown
extension NetworkError {
    /// The most messages about fields that a person is shown at once.
    private static let mostMessages = 10

    /// What the server says, if it was written for people: with a status from 400 to 499, and a sentence.
    package var messageOfServer: String? {
        guard let response, kind.isStatus, (400..<500).contains(response.status.code) else {
            return switch kind {
            case .validationFailed(let fields): message(of: fields, [])
            // Thrown by a closure of the program.
            case .transport(.other): messageOfProgram
            default: nil
            }
        }
        // Read from the answer's body, not thrown on the way to a token.
        if phase == .validating, let text = messageOfProgram { return text }
        let secrets = sentSecrets
        let words = [problem?.detail, problem?.title].lazy.compactMap(\.self)
            .compactMap { ServerWords($0, hiding: secrets)?.message }
        if case .validationFailed(let fields) = kind { return message(of: fields, secrets) ?? words.first }
        return words.first ?? problem.flatMap { message(of: $0.fields, secrets) }
    }

    /// What an error type of the program says that is a `LocalizedError`: one that ``ErrorBody/type(_:)`` read, or that was
    /// thrown.
    private var messageOfProgram: String? {
        switch underlying {
        case is any LibraryError, is DecodingError, is EncodingError: nil
        case let own as any LocalizedError: own.errorDescription
        default: nil
        }
    }

    private func message(of fields: [FieldError], _ secrets: [String]) -> String? {
        let messages = fields.flatMap(\.messages).compactMap { ServerWords($0, hiding: secrets)?.fieldMessage }
            .prefix(Self.mostMessages)
        return messages.isEmpty ? nil : messages.joined(separator: "\n")
    }
}

extension NetworkError.FieldError {
    var line: String { "\(field): \(messages.joined(separator: ", "))" }
}

/// An error type of the library: what it says is not a message of the program.
protocol LibraryError: Error {
    /// The same with the server's words changed, as secrets in them are left out.
    func quoting(_ shown: (String?) -> String?) -> any Error
}

extension LibraryError {
    func quoting(_ shown: (String?) -> String?) -> any Error { self }
}

extension NetworkError: LibraryError {}
extension InvalidURL: LibraryError {}
