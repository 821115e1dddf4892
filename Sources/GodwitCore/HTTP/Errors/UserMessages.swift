import GodwitSupport
import Synchronization

/// The sentences shown to people about failed calls, in one language.
///
/// English and German are built in. ``NetworkError/userMessage`` uses ``current``, by default the one that the person
/// prefers. Add a language, or replace some sentences:
///
/// ```swift
/// let french = UserMessages(language: "fr", [.offline: "Vous êtes hors ligne.", .notFound: "Introuvable."])
/// UserMessages.current = .preferred(from: [.english, .german, french])
/// ```
public struct UserMessages: Sendable, Nonisolated {
    /// A sentence.
    ///
    /// The raw value is the case name: a stable key for a table of translations.
    public enum Key: String, Sendable, Hashable, CaseIterable {
        /// No network; only networks that the request must not use.
        case offline, networkNotAllowed
        /// A timeout; an unreachable server; a lost socket connection; no file descriptor left.
        case timedOut, unreachable, connectionEnded, tooManyOpenFiles
        /// The server isn't trusted.
        case insecure
        /// An invalid request; an invalid response; a response over the limit.
        case notSent, notUnderstood, tooLarge
        /// A file; `.cacheOnly` without a stored response; an unsupported feature; a client that was shut down; a
        /// canceled task.
        case file, notCached, unsupported, failed, cancelled
        /// 401, 403, 404 and 410.
        case unauthorized, forbidden, notFound, gone
        /// 400 or 422 with fields; another 4xx.
        case validationFailed, refused
        /// 408 and 425; 409, 412 and 428; 413; 415; 423; 451.
        case serverNotReady, conflict, contentTooLarge, unsupportedContent, locked, unavailableForLegalReasons
        /// 5xx; 501 and 505; 507.
        case serverFailed, notImplemented, serverFull
        /// 429: wait a moment; wait `{minutes}`, a number from 2 to 90; wait longer.
        case rateLimited, rateLimitedMinutes, rateLimitedLonger
        /// The title of a retry button.
        case tryAgain
        /// The texts of GodwitUI's views: the banner; a spinner; a list without elements; an image that failed.
        case bannerOffline, loading, nothingHere, imageFailed
    }

    /// The language, such as `de` or `pt-BR`.
    public let language: String

    private let message: @Sendable (Key) -> String?

    /// Creates the messages of a language from a table.
    ///
    /// - Parameters:
    ///   - language: The language tag (BCP 47), such as `fr`.
    ///   - messages: The sentences. Missing ones fall back to English.
    public init(language: String, _ messages: [Key: String]) {
        self.init(language: language) { messages[$0] }
    }

    /// Creates the messages of a language from a function, such as a lookup in a string catalog.
    ///
    /// ```swift
    /// let strings = ["network.offline": "Vous êtes hors ligne."]
    /// UserMessages.current = UserMessages(language: "fr") { key in strings["network.\(key.rawValue)"] }
    /// ```
    ///
    /// - Parameters:
    ///   - language: The language tag (BCP 47), such as `fr`.
    ///   - message: Returns the sentence; `nil` falls back to English. Called on any thread.
    public init(language: String, _ message: @escaping @Sendable (Key) -> String?) {
        self.language = language
        self.message = message
    }

    /// The sentence for a key.
    public subscript(key: Key) -> String {
        message(key) ?? Self.inEnglish(key)
    }

    /// The sentence with the delay inserted.
    package subscript(key: Key, retryAfter delay: Duration?) -> String {
        self[key].replacing("{minutes}", with: "\(Self.minutes(delay))")
    }

    /// The built-in English messages.
    public static let english = UserMessages(language: "en") { inEnglish($0) }

    /// The built-in German messages.
    public static let german = UserMessages(language: "de") { inGerman($0) }

    fileprivate static func minutes(_ delay: Duration?) -> Int64 {
        ((delay?.bounded.components.seconds ?? 0) + 59) / 60
    }
}

extension UserMessages.Key {
    init(waiting delay: Duration?) {
        self =
            switch UserMessages.minutes(delay) {
            case ...1: .rateLimited
            case ...90: .rateLimitedMinutes
            default: .rateLimitedLonger
            }
    }
}

// MARK: - The language
extension UserMessages {
    private static let chosen = Mutex<UserMessages?>(nil)
    private static let preferredBySystem = preferred()

    /// The messages for ``NetworkError/userMessage``, for the whole process.
    ///
    /// English or German by default, whichever comes first in ``systemLanguages``. Set it once when the program starts.
    public static var current: UserMessages {
        get { chosen.withLock(\.self) ?? preferredBySystem }
        set { chosen.withLock { $0 = newValue } }
    }

    /// Chooses messages by a person's languages.
    ///
    /// ```swift
    /// let messages = UserMessages.preferred(for: ["de-AT", "en"])          // in a service: from Accept-Language
    /// let message = NetworkError(.notFound, phase: .validating).userMessage(in: messages)
    /// ```
    ///
    /// - Parameters:
    ///   - languages: The person's languages, the best first: `de-AT` and `de_AT.UTF-8` match `de`.
    ///   - messages: The messages to choose from. The first is used if no language matches.
    public static func preferred(
        for languages: [String] = systemLanguages, from messages: [UserMessages] = [.english, .german]
    ) -> UserMessages {
        let offers = messages.map { (messages: $0, tag: tag($0.language)) }
        for language in languages.map(tag) {
            if let offer = offers.first(where: { $0.tag == language }) { return offer.messages }
            if let offer = offers.first(where: { base($0.tag) == base(language) }) { return offer.messages }
        }
        return messages.first ?? .english
    }

    /// The languages of the process, the best first.
    ///
    /// On Linux from `LC_ALL`, `LC_MESSAGES` or `LANG`, whichever is set first, with `LANGUAGE` before them unless they
    /// are `C`. On Apple platforms the app's languages, in the person's order.
    public static var systemLanguages: [String] {
        #if canImport(Darwin)
        Bundle.main.preferredLocalizations
        #else
        languages(ProcessInfo.processInfo.environment)
        #endif
    }

    /// The languages of an environment (POSIX, GNU gettext).
    package static func languages(_ environment: [String: String]) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        guard !["c", "posix"].contains(tag(locale)) else { return ["en"] }
        let list = environment["LANGUAGE"]?.split(separator: ":").map(String.init) ?? []
        return (list + [locale]).map(tag)
    }

    /// `de_AT.UTF-8@euro` as `de-at`.
    private static func tag(_ locale: String) -> String {
        let name = locale.prefix { $0 != "." && $0 != "@" && $0 != ";" && $0 != "," }
        return String(name.map { $0 == "_" ? "-" : $0 }).trimmingBlanks.asciiLowercased
    }

    private static func base(_ tag: String) -> Substring {
        tag.prefix { $0 != "-" }
    }
}

// As switches, so that a key without a sentence does not compile.
extension UserMessages {
    static func inEnglish(_ key: Key) -> String {
        switch key {
        case .offline: "You appear to be offline. Check the connection and try again."
        case .networkNotAllowed: "This isn't allowed on the current network. Try again on another one."
        case .timedOut: "The server took too long to answer. Try again."
        case .unreachable: "The server could not be reached. Check the connection and try again."
        case .connectionEnded: "The connection to the server ended. Try again."
        case .tooManyOpenFiles: "Too much is open at the same time. Try again."
        case .insecure: "A secure connection to the server could not be made."
        case .notSent: "This could not be sent."
        case .notUnderstood: "The server's response could not be understood."
        case .tooLarge: "The response is too large."
        case .file: "A file could not be read or written."
        case .notCached: "This is not available offline."
        case .unsupported: "This is not possible here."
        case .failed: "This did not work."
        case .cancelled: "This was canceled."
        case .unauthorized: "Please sign in again."
        case .forbidden: "You do not have access to this."
        case .notFound: "This could not be found."
        case .gone: "This isn't available anymore."
        case .validationFailed: "Some of what was entered is not valid."
        case .refused: "The server did not accept this."
        case .serverNotReady: "The server was not ready for this. Try again."
        case .conflict: "This was changed elsewhere in the meantime. Load it again before you change it."
        case .contentTooLarge: "This is larger than the server accepts."
        case .unsupportedContent: "The server does not accept this kind of content."
        case .locked: "Somebody else is working on this. Try again later."
        case .unavailableForLegalReasons: "This is not available for legal reasons."
        case .serverFailed: "The server has a problem. Try again later."
        case .notImplemented: "The server cannot do this."
        case .serverFull: "The server has no room for this."
        case .rateLimited: "There were too many requests. Wait a moment and try again."
        case .rateLimitedMinutes: "There were too many requests. Try again in {minutes} minutes."
        case .rateLimitedLonger: "There were too many requests. Try again later."
        case .tryAgain: "Try Again"
        case .bannerOffline, .loading, .nothingHere, .imageFailed: key.viewText.english
        }
    }

    static func inGerman(_ key: Key) -> String {
        switch key {
        case .offline: "Sie sind anscheinend offline. Prüfen Sie die Verbindung und versuchen Sie es noch einmal."
        case .networkNotAllowed: "Das ist in diesem Netz nicht erlaubt. Versuchen Sie es in einem anderen noch einmal."
        case .timedOut: "Der Server hat nicht rechtzeitig geantwortet. Versuchen Sie es noch einmal."
        case .unreachable:
            "Der Server ist nicht erreichbar. Prüfen Sie die Verbindung und versuchen Sie es noch einmal."
        case .connectionEnded: "Die Verbindung zum Server wurde beendet. Versuchen Sie es noch einmal."
        case .tooManyOpenFiles: "Es ist zu viel gleichzeitig geöffnet. Versuchen Sie es noch einmal."
        case .insecure: "Es konnte keine sichere Verbindung zum Server hergestellt werden."
        case .notSent: "Das konnte nicht gesendet werden."
        case .notUnderstood: "Die Antwort des Servers ist nicht verständlich."
        case .tooLarge: "Die Antwort ist zu groß."
        case .file: "Eine Datei konnte nicht gelesen oder geschrieben werden."
        case .notCached: "Das ist offline nicht verfügbar."
        case .unsupported: "Das ist hier nicht möglich."
        case .failed: "Das hat nicht geklappt."
        case .cancelled: "Das wurde abgebrochen."
        case .unauthorized: "Bitte melden Sie sich noch einmal an."
        case .forbidden: "Sie haben darauf keinen Zugriff."
        case .notFound: "Das wurde nicht gefunden."
        case .gone: "Das gibt es nicht mehr."
        case .validationFailed: "Einige Eingaben sind nicht gültig."
        case .refused: "Der Server hat das nicht angenommen."
        case .serverNotReady: "Der Server war dafür noch nicht bereit. Versuchen Sie es noch einmal."
        case .conflict: "Das wurde inzwischen anderswo geändert. Laden Sie es neu, bevor Sie es ändern."
        case .contentTooLarge: "Das ist größer, als der Server erlaubt."
        case .unsupportedContent: "Der Server nimmt diese Art von Inhalt nicht an."
        case .locked: "Jemand anders bearbeitet das gerade. Versuchen Sie es später noch einmal."
        case .unavailableForLegalReasons: "Das ist aus rechtlichen Gründen nicht verfügbar."
        case .serverFailed: "Der Server hat ein Problem. Versuchen Sie es später noch einmal."
        case .notImplemented: "Der Server kann das nicht."
        case .serverFull: "Der Server hat dafür keinen Platz."
        case .rateLimited: "Das waren zu viele Anfragen. Warten Sie einen Moment und versuchen Sie es noch einmal."
        case .rateLimitedMinutes: "Das waren zu viele Anfragen. Versuchen Sie es in {minutes} Minuten noch einmal."
        case .rateLimitedLonger: "Das waren zu viele Anfragen. Versuchen Sie es später noch einmal."
        case .tryAgain: "Noch einmal versuchen"
        case .bannerOffline, .loading, .nothingHere, .imageFailed: key.viewText.german
        }
    }
}

extension UserMessages.Key {
    /// The texts of views; empty for all other keys.
    fileprivate var viewText: (english: String, german: String) {
        switch self {
        case .bannerOffline: ("You are offline", "Sie sind offline")
        case .loading: ("Loading", "Wird geladen")
        case .nothingHere: ("Nothing here yet", "Noch nichts vorhanden")
        case .imageFailed: ("The image could not be loaded", "Das Bild konnte nicht geladen werden")
        default: ("", "")
        }
    }
}
