/// One event of a `text/event-stream`.
///
/// ```swift
/// for try await event in api.events(.live) where event.type == "price" { show(event.data) }
/// ```
///
/// A string literal is an event with that data: `.events(["one", "two"])` in a scripted answer.
public struct ServerSentEvent: Sendable, Hashable, Nonisolated {
    /// What kind of event it is, from `event`; `message` where the server names none.
    public var type: String

    /// The `data` lines, joined by LF. May be empty.
    public var data: String

    /// The event's own `id`; nil where it brought none. An empty one tells the client to forget the last.
    ///
    /// To set it is to set ``lastEventID`` too.
    public var id: String? {
        get { hasID ? lastEventID : nil }
        set {
            hasID = newValue != nil
            if let newValue { lastEventID = newValue }
        }
    }

    /// The id that a client sends as `Last-Event-ID` after this event: its own, or that of an earlier one; empty where
    /// there was none.
    public var lastEventID: String

    /// Whether that is its own.
    private var hasID: Bool

    /// The pause before a reconnection that came with this event, from `retry`; nil where it brought none.
    ///
    /// In milliseconds on the wire.
    public var retry: Duration?

    /// Makes an event, as for a scripted answer.
    ///
    /// - Parameters:
    ///   - data: The data; line breaks in it make several `data` lines when the event is written.
    ///   - type: The type; `message` by default, as for events without an `event` line.
    ///   - id: What a client resumes behind; nil leaves the last one as it is.
    ///   - retry: How long clients shall wait before they connect again; nil leaves it to them.
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
    /// An event of the type `message` with this data.
    ///
    /// - Parameter data: The data.
    public init(stringLiteral data: String) {
        self.init(data: data)
    }
}

extension ServerSentEvent {
    /// The event as a server writes it, with the empty line that ends it. Type and id are written as they are.
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
    /// Whether it ends a line of an event stream; CR LF is one character.
    fileprivate var isLineEnding: Bool { self == "\n" || self == "\r" || self == "\r\n" }
}
