public import GodwitCore

extension MockResponse {
    /// The same, later: waits before the first byte, by the clock of the server or transport.
    ///
    /// ```swift
    /// route.get("/slow").reply(.text("late").delayed(by: .seconds(2)))
    /// ```
    public func delayed(by delay: Duration) -> MockResponse {
        changed { $0.delay = delay }
    }

    /// The same, with its content at this pace; at least 1 byte per second.
    ///
    /// Sent in pieces of a tenth of a second's worth. Less than 1 counts as 1.
    public func throttled(bytesPerSecond: Int) -> MockResponse {
        changed { $0.bytesPerSecond = max(1, bytesPerSecond) }
    }

    /// The same, ended by closing the connection at a place in its content.
    ///
    /// Counted in bytes of content; a content that is shorter is sent whole.
    public func dropped(after offset: BodyOffset) -> MockResponse {
        changed { $0.fault = .drop(after: offset) }
    }

    /// The same, ended by resetting the connection at a place in its content.
    ///
    /// What the client has not received by then may be lost to it.
    public func reset(after offset: BodyOffset) -> MockResponse {
        changed { $0.fault = .reset(after: offset) }
    }

    /// The same, with a field set.
    ///
    /// In place of any of that name. It is not checked, so that wrong answers can be sent too.
    public func field(_ name: HTTPField.Name, _ value: String) -> MockResponse {
        changed { $0.fields[name] = value }
    }

    /// The same, with its end told another way.
    ///
    /// ```swift
    /// .text("short").framed(.length(100))         // a client waits for bytes that never come
    /// ```
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
