/// Shows what a client sends and receives, live: on the inspector page, or in a closure.
///
/// ```swift
/// let api = APIClient(baseURL: "https://api.example.com/v1") { $0.inspector = .local }
/// ```
///
/// Start the page with `godwit inspect`. Calls don't wait for it: events go through a bounded buffer, and are dropped
/// and counted if the page is slow or not running. Values of sensitive fields, query items, form items and JSON members
/// are redacted as in a log; see ``LogOptions``.
public struct Inspector: Sendable, Nonisolated {
    enum Destination: Sendable {
        /// The running page of this user, or the one in `GODWIT_INSPECT`.
        case local
        case page(String)
        case closure(@Sendable (TrafficEvent) -> Void)
    }

    let destination: Destination

    /// Maximum bytes shown of each body. 64 KiB by default; less than 0 counts as 0.
    public var bodyLimit = 64 << 10

    /// Fields whose values are redacted, in addition to those that are always secret (``HTTPField/Name/isSensitive``).
    public var redactedFields: Set<HTTPField.Name> = []

    /// Query items, form items and JSON members whose values are redacted, in addition to names that look secret.
    /// Case-insensitive.
    public var redactedNames: Set<String> = []

    /// Whether the page can ask for a redacted value, one at a time. `true` by default.
    ///
    /// Redacted values stay in the memory of this process, for the latest calls, until the page asks for one.
    public var revealsSecrets = true

    /// Whether the page can send a call of this process again. `true` by default.
    public var allowsReplay = true

    init(_ destination: Destination) {
        self.destination = destination
    }

    /// Sends events to the page that `godwit inspect` serves for this user, or to the URL in the environment variable
    /// `GODWIT_INSPECT`.
    ///
    /// If no page is running, events are dropped, and the page is looked for again later.
    public static var local: Inspector { Inspector(.local) }

    /// Sends events to a page.
    ///
    /// - Parameter url: The page's URL with its token, such as `http://127.0.0.1:8642/Zk3v…/`. Only loopback addresses
    ///   are used; events for any other URL are dropped.
    public static func page(at url: String) -> Inspector { Inspector(.page(url)) }

    /// Passes each event to a closure.
    ///
    /// - Parameter receive: Runs on the calling task, for each event. It should return quickly.
    public static func events(_ receive: @escaping @Sendable (TrafficEvent) -> Void) -> Inspector {
        Inspector(.closure(receive))
    }
}

extension Inspector: CustomStringConvertible, CustomReflectable {
    /// Where events go, without the token of the page.
    public var description: String {
        switch destination {
        case .local: "Inspector(local)"
        case .page: "Inspector(<redacted>)"
        case .closure: "Inspector(closure)"
        }
    }

    /// The description too: reflection shows no token.
    public var customMirror: Mirror { Mirror(self, children: ["destination": description]) }
}
