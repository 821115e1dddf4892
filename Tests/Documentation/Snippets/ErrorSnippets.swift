import Godwit

struct Form {
    func show(_ fields: [NetworkError.FieldError]) {}
    func show(_ message: String) {}
    func showLogin() {}
}

// snippet: refusal
struct Refusal: Error, Decodable { let reason: String }
// end

enum ErrorSnippets {
    static func handling(_ api: APIClient, _ draft: Draft, _ form: Form) async {
        // snippet: handling
        do throws(NetworkError) {
            _ = try await api.send(.create(draft))
        } catch {
            switch error.kind {
            case .validationFailed(let fields): form.show(fields)
            case .unauthorized: form.showLogin()
            case .cancelled: break
            default: form.show(error.userMessage ?? "")
            }
        }
        // end
    }

    static func reading(_ form: Form) async {
        // snippet: own-error-body
        let api = APIClient(baseURL: "https://api.example.com/v1") { $0.errorBodies.append(.type(Refusal.self)) }
        do throws(NetworkError) {
            try await api.send(.delete(id: 7))
        } catch {
            if let refusal = error.underlying as? Refusal { form.show(refusal.reason) }
        }
        // end
    }

    static func localizing(_ api: APIClient, _ form: Form, _ acceptLanguage: String) async throws {
        // snippet: own-messages
        let french = UserMessages(language: "fr", [.offline: "Vous êtes hors ligne.", .notFound: "Introuvable."])
        UserMessages.current = .preferred(from: [.english, .german, french])  // once, when the program starts
        // end
        let error = NetworkError(.notFound, phase: .validating)
        // snippet: message-in
        let message = error.userMessage(in: .preferred(for: [acceptLanguage]))
        // end
        form.show(message ?? "")
    }

    static func catalog(_ strings: @escaping @Sendable (String) -> String?) {
        // snippet: message-catalog
        UserMessages.current = UserMessages(language: "fr") { key in strings("network.\(key.rawValue)") }
        // end
    }

    static func raw(_ api: APIClient, _ url: HTTPURL) async throws {
        // snippet: raw-failure
        let response = try await api.send(HTTPRequest(url: url))
        if !response.head.status.isSuccessful {
            throw NetworkError(response, body: try await response.body.collect(upTo: 64 << 10))
        }
        // end
    }

    static func retrying(_ api: APIClient) async throws -> Article {
        // snippet: retrying
        try await withRetry(attempts: 4) { try await api.send(.article(id: 42)) }
        // end
    }

    static func result(_ api: APIClient) async {
        // snippet: result
        switch await api.result(of: .article(id: 42)) {
        case .success(let article): print(article.title)
        case .failure(let error): print(error, error.shortDescription, error.requestID ?? "")
        }
        // end
    }
}
