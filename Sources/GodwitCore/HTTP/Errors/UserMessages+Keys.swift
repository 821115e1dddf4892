import GodwitSupport

// MARK: - The sentences
extension UserMessages.Key: CaseIterable {
    /// The device has no network.
    public static let offline = Self(
        "offline",
        english: "You appear to be offline. Check the connection and try again.",
        german: "Sie sind anscheinend offline. Prüfen Sie die Verbindung und versuchen Sie es noch einmal.")
    /// There are only networks that the request must not use.
    public static let networkNotAllowed = Self(
        "networkNotAllowed",
        english: "This isn't allowed on the current network. Try again on another one.",
        german: "Das ist in diesem Netz nicht erlaubt. Versuchen Sie es in einem anderen noch einmal.")
    /// A time limit was exceeded.
    public static let timedOut = Self(
        "timedOut",
        english: "The server took too long to answer. Try again.",
        german: "Der Server hat nicht rechtzeitig geantwortet. Versuchen Sie es noch einmal.")
    /// The server can't be reached, or the connection failed.
    public static let unreachable = Self(
        "unreachable",
        english: "The server could not be reached. Check the connection and try again.",
        german: "Der Server ist nicht erreichbar. Prüfen Sie die Verbindung und versuchen Sie es noch einmal.")
    /// A WebSocket was closed, or an upload was interrupted.
    public static let connectionEnded = Self(
        "connectionEnded",
        english: "The connection to the server ended. Try again.",
        german: "Die Verbindung zum Server wurde beendet. Versuchen Sie es noch einmal.")
    /// No file descriptor is left.
    public static let tooManyOpenFiles = Self(
        "tooManyOpenFiles",
        english: "Too much is open at the same time. Try again.",
        german: "Es ist zu viel gleichzeitig geöffnet. Versuchen Sie es noch einmal.")
    /// The server isn't trusted.
    public static let insecure = Self(
        "insecure",
        english: "A secure connection to the server could not be made.",
        german: "Es konnte keine sichere Verbindung zum Server hergestellt werden.")
    /// The request is invalid, or its body could not be encoded or sent.
    public static let notSent = Self(
        "notSent",
        english: "This could not be sent.",
        german: "Das konnte nicht gesendet werden.")
    /// The response can't be used: it is invalid, of another type, or an impossible redirect.
    public static let notUnderstood = Self(
        "notUnderstood",
        english: "The server's response could not be understood.",
        german: "Die Antwort des Servers ist nicht verständlich.")
    /// The response exceeds a limit.
    public static let tooLarge = Self(
        "tooLarge",
        english: "The response is too large.",
        german: "Die Antwort ist zu groß.")
    /// A file can't be read or written.
    public static let file = Self(
        "file",
        english: "A file could not be read or written.",
        german: "Eine Datei konnte nicht gelesen oder geschrieben werden.")
    /// `.cacheOnly` was requested, and no stored response can be used.
    public static let notCached = Self(
        "notCached",
        english: "This is not available offline.",
        german: "Das ist offline nicht verfügbar.")
    /// The platform or the transport lacks a feature.
    public static let unsupported = Self(
        "unsupported",
        english: "This is not possible here.",
        german: "Das ist hier nicht möglich.")
    /// The client was shut down, or an accepted operation failed, as in GraphQL.
    public static let failed = Self(
        "failed",
        english: "This did not work.",
        german: "Das hat nicht geklappt.")
    /// The task was canceled.
    public static let cancelled = Self(
        "cancelled",
        english: "This was canceled.",
        german: "Das wurde abgebrochen.")
    /// Status 401, or no valid credentials could be obtained.
    public static let unauthorized = Self(
        "unauthorized",
        english: "Please sign in again.",
        german: "Bitte melden Sie sich noch einmal an.")
    /// Status 403: the server refuses access.
    public static let forbidden = Self(
        "forbidden",
        english: "You do not have access to this.",
        german: "Sie haben darauf keinen Zugriff.")
    /// Status 404: nothing was found.
    public static let notFound = Self(
        "notFound",
        english: "This could not be found.",
        german: "Das wurde nicht gefunden.")
    /// Status 410: it no longer exists.
    public static let gone = Self(
        "gone",
        english: "This isn't available anymore.",
        german: "Das gibt es nicht mehr.")
    /// Status 400 or 422, with a body that names invalid fields.
    public static let validationFailed = Self(
        "validationFailed",
        english: "Some of what was entered is not valid.",
        german: "Einige Eingaben sind nicht gültig.")
    /// Another status from 400 to 499.
    public static let refused = Self(
        "refused",
        english: "The server did not accept this.",
        german: "Der Server hat das nicht angenommen.")
    /// Status 408 or 425: the server wasn't ready for the request.
    public static let serverNotReady = Self(
        "serverNotReady",
        english: "The server was not ready for this. Try again.",
        german: "Der Server war dafür noch nicht bereit. Versuchen Sie es noch einmal.")
    /// Status 409, 412 or 428: something was changed in the meantime.
    public static let conflict = Self(
        "conflict",
        english: "This was changed elsewhere in the meantime. Load it again before you change it.",
        german: "Das wurde inzwischen anderswo geändert. Laden Sie es neu, bevor Sie es ändern.")
    /// Status 413: the request body is larger than the server accepts.
    public static let contentTooLarge = Self(
        "contentTooLarge",
        english: "This is larger than the server accepts.",
        german: "Das ist größer, als der Server erlaubt.")
    /// Status 415: the server doesn't accept the type of the request body.
    public static let unsupportedContent = Self(
        "unsupportedContent",
        english: "The server does not accept this kind of content.",
        german: "Der Server nimmt diese Art von Inhalt nicht an.")
    /// Status 423: somebody else has locked it (RFC 4918 section 11.3).
    public static let locked = Self(
        "locked",
        english: "Somebody else is working on this. Try again later.",
        german: "Jemand anders bearbeitet das gerade. Versuchen Sie es später noch einmal.")
    /// Status 451: not available for legal reasons (RFC 7725).
    public static let unavailableForLegalReasons = Self(
        "unavailableForLegalReasons",
        english: "This is not available for legal reasons.",
        german: "Das ist aus rechtlichen Gründen nicht verfügbar.")
    /// Another status from 500 to 599.
    public static let serverFailed = Self(
        "serverFailed",
        english: "The server has a problem. Try again later.",
        german: "Der Server hat ein Problem. Versuchen Sie es später noch einmal.")
    /// Status 501 or 505: the server can't do this.
    public static let notImplemented = Self(
        "notImplemented",
        english: "The server cannot do this.",
        german: "Der Server kann das nicht.")
    /// Status 507: the server has no room (RFC 4918 section 11.5).
    public static let serverFull = Self(
        "serverFull",
        english: "The server has no room for this.",
        german: "Der Server hat dafür keinen Platz.")
    /// Status 429: wait a moment. For delays up to a minute, and if the server names none.
    public static let rateLimited = Self(
        "rateLimited",
        english: "There were too many requests. Wait a moment and try again.",
        german: "Das waren zu viele Anfragen. Warten Sie einen Moment und versuchen Sie es noch einmal.")
    /// Status 429: wait `{minutes}`, a number from 2 to 90.
    public static let rateLimitedMinutes = Self(
        "rateLimitedMinutes",
        english: "There were too many requests. Try again in {minutes} minutes.",
        german: "Das waren zu viele Anfragen. Versuchen Sie es in {minutes} Minuten noch einmal.")
    /// Status 429: wait longer than 90 minutes.
    public static let rateLimitedLonger = Self(
        "rateLimitedLonger",
        english: "There were too many requests. Try again later.",
        german: "Das waren zu viele Anfragen. Versuchen Sie es später noch einmal.")
    /// The title of a retry button.
    public static let tryAgain = Self(
        "tryAgain",
        english: "Try Again",
        german: "Noch einmal versuchen")

    /// The keys of errors, and the button.
    public static let allCases: [Self] = [
        .offline, .networkNotAllowed, .timedOut, .unreachable, .connectionEnded, .tooManyOpenFiles, .insecure, .notSent,
        .notUnderstood, .tooLarge, .file, .notCached, .unsupported, .failed, .cancelled, .unauthorized, .forbidden,
        .notFound, .gone, .validationFailed, .refused, .serverNotReady, .conflict, .contentTooLarge,
        .unsupportedContent, .locked, .unavailableForLegalReasons, .serverFailed, .notImplemented, .serverFull,
        .rateLimited, .rateLimitedMinutes, .rateLimitedLonger, .tryAgain,
    ]

    init(waiting delay: Duration?) {
        self =
            switch UserMessages.minutes(delay) {
            case ...1: .rateLimited
            case ...90: .rateLimitedMinutes
            default: .rateLimitedLonger
            }
    }
}
