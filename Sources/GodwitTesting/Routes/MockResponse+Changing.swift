public import GodwitCore

extension MockResponse {
    /// Waits before the first byte, by the clock of the server or transport.
    ///
    /// ```swift
    /// route.get("/slow").reply(.text("late").delayed(by: .seconds(2)))
    /// ```
    ///
    /// - Parameter delay: Replaces an earlier delay. Zero or less does not wait.
    public func delayed(by delay: Duration) -> MockResponse {
        changed { $0.delay = delay }
    }

    /// Limits the rate of the body. The head is sent immediately, the body in pieces for a tenth of a second each.
    ///
    /// - Parameter bytesPerSecond: The rate; at least 1.
    public func throttled(bytesPerSecond: Int) -> MockResponse {
        changed { $0.bytesPerSecond = max(1, bytesPerSecond) }
    }

    /// Closes the connection at an offset in the body. A shorter body is sent completely.
    ///
    /// ```swift
    /// route.get("/cut").reply(.bytes(Data(count: 5000)).dropped(after: .bytes(1000)))
    /// ```
    ///
    /// - Parameter offset: `.bytes(0)` closes it right after the head.
    public func dropped(after offset: BodyOffset) -> MockResponse {
        changed { $0.fault = .drop(after: offset) }
    }

    /// Resets the connection at an offset in the body. The client may lose bytes that it has not read yet.
    ///
    /// - Parameter offset: `.bytes(0)` resets it right after the head.
    public func reset(after offset: BodyOffset) -> MockResponse {
        changed { $0.fault = .reset(after: offset) }
    }

    /// Closes the connection at an offset in the body, without the `close_notify` alert that ends TLS.
    ///
    /// An attacker who cuts the connection causes the same. If only the end of the connection tells the length
    /// (``Framing/untilClose``), such a response is incomplete (RFC 9112 section 9.8). Without TLS it is the same as
    /// ``dropped(after:)``.
    ///
    /// - Parameter offset: An offset after the end of the body truncates after its last byte.
    public func truncated(after offset: BodyOffset) -> MockResponse {
        changed { $0.fault = .truncate(after: offset) }
    }

    /// Sets a header field and replaces fields with the same name. The value is not checked, so that a test can send an
    /// invalid response.
    ///
    /// ```swift
    /// route.get("/articles").reply(.json([]).field(.cacheControl, "max-age=60"))
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name, with its spelling.
    ///   - value: The value, which may contain line breaks.
    public func field(_ name: HTTPField.Name, _ value: String) -> MockResponse {
        changed { $0.fields[name] = value }
    }

    /// Sets how the client learns the end of the body; ``Framing/automatic`` by default.
    ///
    /// ```swift
    /// route.get("/short").reply(.text("short").framed(.length(100)))         // a client waits for bytes that never come
    /// ```
    ///
    /// A ``MockTransport`` uses only the length.
    ///
    /// - Parameter framing: May contradict the body.
    public func framed(_ framing: Framing) -> MockResponse {
        changed { $0.framing = framing }
    }

    /// Sends `Connection: close` and closes the connection after the response.
    public func closing() -> MockResponse {
        changed { $0.closesConnection = true }
    }

    private func changed(_ change: (inout MockResponse) -> Void) -> MockResponse {
        var copy = self
        change(&copy)
        return copy
    }
}
