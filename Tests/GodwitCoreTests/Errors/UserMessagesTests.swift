import GodwitCore
import Testing

@Suite("E11 messages for people")
struct UserMessagesTests {
    /// One of each kind, and of each that has a sentence of its own.
    static let kinds: [NetworkError.Kind] =
        [
            .invalidURL(reason: ""), .invalidRequest(reason: ""), .encoding(reason: ""),
            .unsupported(feature: "", on: ""),
            .shutdown, .offline(.noPath), .offline(.expensiveNotAllowed), .transport(.cannotResolveHost("")),
            .transport(.cannotResolveProxy), .transport(.cannotConnect("")), .transport(.proxy("")),
            .transport(.connectionLost("")), .transport(.protocolViolation("")), .transport(.cannotSendBody("")),
            .transport(.tooManyOpenFiles), .transport(.other("")), .timedOut(.connect), .timedOut(.inactivity),
            .timedOut(.total), .insecure(.pinMismatch), .redirect(.tooMany(limit: 1)), .invalidResponse(reason: ""),
            .tooLarge(limit: 1), .file(reason: ""), .notCached, .socketClosed(code: .normalClosure, reason: ""),
            .unauthorized, .forbidden, .notFound, .validationFailed([]), .rateLimited(retryAfter: nil),
            .rateLimited(retryAfter: .seconds(600)), .rateLimited(retryAfter: .seconds(1e5)), .unexpectedStatus(300),
            .unexpectedContentType(nil), .decoding(.init(path: "", reason: "")),
        ] + [400, 408, 409, 412, 413, 415, 423, 425, 428, 451].map { .client(status: $0) }
        + [500, 501, 503, 505, 507].map { .server(status: $0) }

    @Test("E11 every kind has a sentence in English and in German", arguments: kinds)
    func complete(kind: NetworkError.Kind) throws {
        let error = NetworkError(kind, phase: .sending)
        let english = try #require(error.userMessage(in: .english))
        let german = try #require(error.userMessage(in: .german))
        #expect(english.hasSuffix(".") && german.hasSuffix("."))
        #expect(english != german)
        #expect(!(english + german).contains("{"))
    }

    @Test("E11 every key has a sentence in English and in German, and no two have the same")
    func keys() {
        for messages in [UserMessages.english, .german] {
            let sentences = UserMessages.Key.allCases.map { messages[$0] }
            #expect(sentences.allSatisfy { !$0.isEmpty })
            #expect(Set(sentences).count == sentences.count)
        }
        for key in UserMessages.Key.allCases { #expect(UserMessages.english[key] != UserMessages.german[key]) }
    }

    @Test("E11 every key is the sentence of some kind, but for the cancellation, the 410 and the button")
    func used() {
        let sentences = Self.kinds.map {
            NetworkError($0, phase: .sending).userMessage(in: UserMessages(language: "x") { $0.rawValue })
        }
        let unused = UserMessages.Key.allCases.filter { key in !sentences.contains { $0 == key.rawValue } }
        #expect(unused == [.cancelled, .gone, .tryAgain])
    }

    @Test("E11 an app's own table is used, with English for what it lacks; minutes are filled in")
    func ownTable() {
        let french = UserMessages(
            language: "fr", [.notFound: "Introuvable.", .rateLimitedMinutes: "Réessayez dans {minutes} minutes."])
        #expect(NetworkError(.notFound, phase: .sending).userMessage(in: french) == "Introuvable.")
        #expect(NetworkError(.forbidden, phase: .sending).userMessage(in: french) == "You do not have access to this.")
        let limited = NetworkError(.rateLimited(retryAfter: .seconds(240)), phase: .sending)
        #expect(limited.userMessage(in: french) == "Réessayez dans 4 minutes.")
        #expect(limited.userMessage(in: .german)?.contains("in 4 Minuten") == true)
    }

    @Test("E11 the process's messages can be replaced, also for errors that no client made")
    func current() {
        let before = UserMessages.current
        defer { UserMessages.current = before }
        // A sentence that no other test reads: they run at the same time.
        UserMessages.current = UserMessages(language: "en", [.serverFull: "The disk is full."])
        #expect(NetworkError(.server(status: 507), phase: .sending).userMessage == "The disk is full.")
        #expect(NetworkError(.server(status: 507), phase: .sending).localizedDescription == "The disk is full.")
    }

    @Test(
        "E11 the messages follow the languages that a person prefers",
        arguments: [
            (["de"], "de"), (["de-AT", "en"], "de"), (["de_DE.UTF-8"], "de"), (["en_US.UTF-8", "de"], "en"),
            (["fr", "de"], "de"),
            (["ja"], "en"), ([], "en"), (["DE"], "de"), (["den"], "en"),
        ])
    func preferred(languages: [String], language: String) {
        #expect(UserMessages.preferred(for: languages).language == language)
    }

    @Test("E11 an exact language is preferred to its base, and the first table is the last resort")
    func preferredOfMany() {
        let tables = ["pt", "pt-BR", "fr"].map { UserMessages(language: $0, [:]) }
        #expect(UserMessages.preferred(for: ["pt_BR.UTF-8"], from: tables).language == "pt-BR")
        #expect(UserMessages.preferred(for: ["pt-PT"], from: tables).language == "pt")
        #expect(UserMessages.preferred(for: ["de"], from: tables).language == "pt")
        #expect(UserMessages.preferred(for: ["de"], from: []).language == "en")
    }

    @Test(
        "E11 the environment names languages as POSIX and gettext do",
        arguments: [
            ([:], ["en"]), (["LANG": "de_DE.UTF-8"], ["de-de"]), (["LANG": "C.UTF-8"], ["en"]),
            (["LANG": "POSIX"], ["en"]),
            (["LC_ALL": "de_AT", "LC_MESSAGES": "fr", "LANG": "en"], ["de-at"]),
            (["LC_ALL": "", "LC_MESSAGES": "fr_FR@euro", "LANG": "en"], ["fr-fr"]),
            (["LANGUAGE": "de:en", "LANG": "en_US"], ["de", "en", "en-us"]), (["LANGUAGE": "de", "LANG": "C"], ["en"]),
        ] as [([String: String], [String])])
    func environment(variables: [String: String], languages: [String]) {
        #expect(UserMessages.languages(variables) == languages)
    }

    @Test("E11 a canceled call has no user message, and a localized description anyway")
    func cancelled() {
        let error = NetworkError(.cancelled, phase: .sending)
        #expect(error.userMessage == nil)
        #expect(error.localizedDescription == UserMessages.current[.cancelled])
        #expect(error.errorDescription == error.localizedDescription)
    }
}
