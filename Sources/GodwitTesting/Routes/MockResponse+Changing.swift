public import GodwitCore

extension MockResponse {
    /// The same, later: waits before the first byte, by the clock of the server or transport.
    public func delayed(by delay: Duration) -> MockResponse {
        changed { $0.delay = delay }
    }

    /// The same, with its content at this pace; at least 1 byte per second.
    public func throttled(bytesPerSecond: Int) -> MockResponse {
        changed { $0.bytesPerSecond = max(1, bytesPerSecond) }
    }

    /// The same, ended by closing the connection at a place in its content.
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
    public func field(_ name: HTTPField.Name, _ value: String) -> MockResponse {
        changed { $0.fields[name] = value }
    }

    /// The same, with its end told another way.
    public func framed(_ framing: Framing) -> MockResponse {
        changed { $0.framing = framing }
    }

    /// The same, with the connection closed after it.
    public func closing() -> MockResponse {
        changed { $0.closesConnection = true }
    }

    private func changed(_ change: (inout MockResponse) -> Void) -> MockResponse {
        var copy = self
        change(&copy)
        return copy
    }
}
