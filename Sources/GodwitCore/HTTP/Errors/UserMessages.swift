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
    /// A sentence, with its built-in texts. GodwitUI adds those of its views.
    public struct Key: Sendable, Hashable {
        /// The name of the property: a stable key for a table of translations.
        public let rawValue: String
        fileprivate let english: String
        fileprivate let german: String

        package init(_ rawValue: String, english: String, german: String) {
            self.rawValue = rawValue
            self.english = english
            self.german = german
        }

        public static func == (left: Key, right: Key) -> Bool { left.rawValue == right.rawValue }

        public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
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
        message(key) ?? key.english
    }

    /// The sentence with the delay inserted.
    package subscript(key: Key, retryAfter delay: Duration?) -> String {
        self[key].replacing("{minutes}", with: "\(Self.minutes(delay))")
    }

    /// The built-in English messages.
    public static let english = UserMessages(language: "en") { $0.english }

    /// The built-in German messages.
    public static let german = UserMessages(language: "de") { $0.german }

    static func minutes(_ delay: Duration?) -> Int64 {
        ((delay?.bounded.components.seconds ?? 0) + 59) / 60
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
