import GodwitSupport

// MARK: - The sentences
extension UserMessages.Key: CaseIterable {
    /// No network.
    public static let offline = Self(
        "offline",
        english: "You appear to be offline. Check the connection and try again.",
        german: "Sie sind anscheinend offline. Prüfen Sie die Verbindung und versuchen Sie es noch einmal.")
    /// Only networks that the request must not use.
    public static let networkNotAllowed = Self(
        "networkNotAllowed",
        english: "This isn't allowed on the current network. Try again on another one.",
        german: "Das ist in diesem Netz nicht erlaubt. Versuchen Sie es in einem anderen noch einmal.")
    /// A timeout.
    public static let timedOut = Self(
        "timedOut",
        english: "The server took too long to answer. Try again.",
        german: "Der Server hat nicht rechtzeitig geantwortet. Versuchen Sie es noch einmal.")
    /// A server that can't be reached.
    public static let unreachable = Self(
        "unreachable",
        english: "The server could not be reached. Check the connection and try again.",
        german: "Der Server ist nicht erreichbar. Prüfen Sie die Verbindung und versuchen Sie es noch einmal.")
    /// A lost socket connection.
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
    /// An invalid request.
    public static let notSent = Self(
        "notSent",
        english: "This could not be sent.",
        german: "Das konnte nicht gesendet werden.")
    /// An invalid response.
    public static let notUnderstood = Self(
        "notUnderstood",
        english: "The server's response could not be understood.",
        german: "Die Antwort des Servers ist nicht verständlich.")
    /// A response over the limit.
    public static let tooLarge = Self(
        "tooLarge",
        english: "The response is too large.",
        german: "Die Antwort ist zu groß.")
    /// A file that can't be read or written.
    public static let file = Self(
        "file",
        english: "A file could not be read or written.",
        german: "Eine Datei konnte nicht gelesen oder geschrieben werden.")
    /// `.cacheOnly` without a stored response.
    public static let notCached = Self(
        "notCached",
        english: "This is not available offline.",
        german: "Das ist offline nicht verfügbar.")
    /// A feature that the platform lacks.
    public static let unsupported = Self(
        "unsupported",
        english: "This is not possible here.",
        german: "Das ist hier nicht möglich.")
    /// A client that was shut down.
    public static let failed = Self(
        "failed",
        english: "This did not work.",
        german: "Das hat nicht geklappt.")
    /// A canceled task.
    public static let cancelled = Self(
        "cancelled",
        english: "This was canceled.",
        german: "Das wurde abgebrochen.")
    /// 401.
    public static let unauthorized = Self(
        "unauthorized",
        english: "Please sign in again.",
        german: "Bitte melden Sie sich noch einmal an.")
    /// 403.
    public static let forbidden = Self(
        "forbidden",
        english: "You do not have access to this.",
        german: "Sie haben darauf keinen Zugriff.")
    /// 404.
    public static let notFound = Self(
        "notFound",
        english: "This could not be found.",
        german: "Das wurde nicht gefunden.")
    /// 410.
    public static let gone = Self(
        "gone",
        english: "This isn't available anymore.",
        german: "Das gibt es nicht mehr.")
    /// 400 or 422 with fields.
    public static let validationFailed = Self(
        "validationFailed",
        english: "Some of what was entered is not valid.",
        german: "Einige Eingaben sind nicht gültig.")
    /// Another 4xx.
    public static let refused = Self(
        "refused",
        english: "The server did not accept this.",
        german: "Der Server hat das nicht angenommen.")
    /// 408 and 425.
    public static let serverNotReady = Self(
        "serverNotReady",
        english: "The server was not ready for this. Try again.",
        german: "Der Server war dafür noch nicht bereit. Versuchen Sie es noch einmal.")
    /// 409, 412 and 428.
    public static let conflict = Self(
        "conflict",
        english: "This was changed elsewhere in the meantime. Load it again before you change it.",
        german: "Das wurde inzwischen anderswo geändert. Laden Sie es neu, bevor Sie es ändern.")
    /// 413.
    public static let contentTooLarge = Self(
        "contentTooLarge",
        english: "This is larger than the server accepts.",
        german: "Das ist größer, als der Server erlaubt.")
    /// 415.
    public static let unsupportedContent = Self(
        "unsupportedContent",
        english: "The server does not accept this kind of content.",
        german: "Der Server nimmt diese Art von Inhalt nicht an.")
    /// 423.
    public static let locked = Self(
        "locked",
        english: "Somebody else is working on this. Try again later.",
        german: "Jemand anders bearbeitet das gerade. Versuchen Sie es später noch einmal.")
    /// 451.
    public static let unavailableForLegalReasons = Self(
        "unavailableForLegalReasons",
        english: "This is not available for legal reasons.",
        german: "Das ist aus rechtlichen Gründen nicht verfügbar.")
    /// 5xx.
    public static let serverFailed = Self(
        "serverFailed",
        english: "The server has a problem. Try again later.",
        german: "Der Server hat ein Problem. Versuchen Sie es später noch einmal.")
    /// 501 and 505.
    public static let notImplemented = Self(
        "notImplemented",
        english: "The server cannot do this.",
        german: "Der Server kann das nicht.")
    /// 507.
    public static let serverFull = Self(
        "serverFull",
        english: "The server has no room for this.",
        german: "Der Server hat dafür keinen Platz.")
    /// 429: wait a moment.
    public static let rateLimited = Self(
        "rateLimited",
        english: "There were too many requests. Wait a moment and try again.",
        german: "Das waren zu viele Anfragen. Warten Sie einen Moment und versuchen Sie es noch einmal.")
    /// 429: wait `{minutes}`, a number from 2 to 90.
    public static let rateLimitedMinutes = Self(
        "rateLimitedMinutes",
        english: "There were too many requests. Try again in {minutes} minutes.",
        german: "Das waren zu viele Anfragen. Versuchen Sie es in {minutes} Minuten noch einmal.")
    /// 429: wait longer.
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
