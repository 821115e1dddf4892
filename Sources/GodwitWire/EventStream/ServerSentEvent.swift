import GodwitSupport

/// One event of a `text/event-stream`.
///
/// ```swift
/// for try await event in api.events(.live) where event.type == "price" { show(event.data) }
/// ```
///
/// A string literal is an event with that data: `.events(["one", "two"])` in a scripted response.
public struct ServerSentEvent: Sendable, Hashable, Nonisolated {
    /// The event type, from `event`; `message` by default.
    public var type: String

    /// The `data` lines, joined by LF. May be empty.
    public var data: String

    /// The event's own `id`; `nil` if missing. An empty ID resets the client's last event ID.
    ///
    /// Setting it also sets ``lastEventID``.
    public var id: String? {
        get { hasID ? lastEventID : nil }
        set {
            hasID = newValue != nil
            if let newValue { lastEventID = newValue }
        }
    }

    /// The ID a client sends as `Last-Event-ID` after this event: its own, or an earlier event's; empty if there was
    /// none.
    public var lastEventID: String

    /// Whether ``lastEventID`` is the event's own.
    private var hasID: Bool

    /// The reconnection delay of this event, from `retry`; `nil` if missing. In milliseconds on the wire.
    public var retry: Duration?

    /// Creates an event, for example for a scripted response.
    ///
    /// - Parameters:
    ///   - data: The data. Each line becomes a `data` line when the event is written.
    ///   - type: The type; `message` by default, as for events without an `event` line.
    ///   - id: The ID after which a client resumes. `nil` keeps the last one.
    ///   - retry: How long clients should wait before reconnecting. `nil` leaves it to them.
    public init(data: String, type: String = "message", id: String? = nil, retry: Duration? = nil) {
        self.init(type: type, data: data, lastEventID: id ?? "", hasID: id != nil, retry: retry)
    }

    init(type: String, data: String, lastEventID: String, hasID: Bool, retry: Duration?) {
        self.type = type
        self.data = data
        self.lastEventID = lastEventID
        self.hasID = hasID
        self.retry = retry
    }
}

extension ServerSentEvent: ExpressibleByStringLiteral {
    /// Creates an event of type `message` with this data.
    public init(stringLiteral data: String) {
        self.init(data: data)
    }
}

extension ServerSentEvent {
    /// The event as a server writes it, with the closing empty line. Type and ID are written unescaped.
    package var encoded: Data {
        var text = type == "message" ? "" : "event: \(type)\n"
        if let id { text += "id: \(id)\n" }
        if let retry { text += "retry: \(retry.boundedMilliseconds)\n" }
        for line in data.split(omittingEmptySubsequences: false, whereSeparator: \.isLineEnding) {
            text += "data: \(line)\n"
        }
        return Data((text + "\n").utf8)
    }
}

extension Character {
    /// Whether the character ends a line of an event stream; CR LF is one character.
    fileprivate var isLineEnding: Bool { self == "\n" || self == "\r" || self == "\r\n" }
}
