public import GodwitCore

extension MockResponse {
    /// The same, later: waits before the first byte, by the clock of the server or transport.
    ///
    /// ```swift
    /// route.get("/slow").reply(.text("late").delayed(by: .seconds(2)))
    /// ```
    ///
    /// - Parameter delay: Zero or less does not wait. Delays do not add up: the last one counts.
    public func delayed(by delay: Duration) -> MockResponse {
        changed { $0.delay = delay }
    }

    /// The same, with its content at this pace; at least 1 byte per second.
    ///
    /// Sent in pieces of a tenth of a second's worth. Less than 1 counts as 1.
    ///
    /// - Parameter bytesPerSecond: Bytes of content a second. The head is sent at once.
    public func throttled(bytesPerSecond: Int) -> MockResponse {
        changed { $0.bytesPerSecond = max(1, bytesPerSecond) }
    }

    /// The same, ended by closing the connection at a place in its content.
    ///
    /// Counted in bytes of content; a content that is shorter is sent whole.
    ///
    /// ```swift
    /// route.get("/cut").reply(.bytes(Data(count: 5000)).dropped(after: .bytes(1000)))
    /// ```
    ///
    /// - Parameter offset: Where; `.bytes(0)` drops it right after the head.
    public func dropped(after offset: BodyOffset) -> MockResponse {
        changed { $0.fault = .drop(after: offset) }
    }

    /// The same, ended by resetting the connection at a place in its content.
    ///
    /// What the client has not received by then may be lost to it.
    ///
    /// - Parameter offset: Where; `.bytes(0)` resets it right after the head.
    public func reset(after offset: BodyOffset) -> MockResponse {
        changed { $0.fault = .reset(after: offset) }
    }

    /// Closes the connection at a place in the content, without the `close_notify` alert that ends TLS.
    ///
    /// An attacker who cuts the connection causes the same. If only the end of the connection tells the length
    /// (``Framing/untilClose``), such an answer is incomplete (RFC 9112 section 9.8). Over plain TCP it is the same as
    /// ``dropped(after:)``.
    ///
    /// - Parameter offset: Where; an offset beyond the content truncates after its last byte.
    public func truncated(after offset: BodyOffset) -> MockResponse {
        changed { $0.fault = .truncate(after: offset) }
    }

    /// The same, with a field set.
    ///
    /// In place of any of that name. It is not checked, so that wrong answers can be sent too.
    ///
    /// ```swift
    /// route.get("/articles").reply(.json([]).field(.cacheControl, "max-age=60"))
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name, as it shall be written.
    ///   - value: The value, as it shall be written; line breaks too.
    public func field(_ name: HTTPField.Name, _ value: String) -> MockResponse {
        changed { $0.fields[name] = value }
    }

    /// The same, with its end told another way.
    ///
    /// ```swift
    /// route.get("/short").reply(.text("short").framed(.length(100)))         // a client waits for bytes that never come
    /// ```
    ///
    /// - Parameter framing: How. One that does not agree with the content is sent as it is.
    public func framed(_ framing: Framing) -> MockResponse {
        changed { $0.framing = framing }
    }

    /// The same, with the connection closed after it.
    ///
    /// `Connection: close` is sent with it.
    public func closing() -> MockResponse {
        changed { $0.closesConnection = true }
    }

    private func changed(_ change: (inout MockResponse) -> Void) -> MockResponse {
        var copy = self
        change(&copy)
        return copy
    }
}
