import GodwitCore

/// A server's end of a connection that switched protocols, with the faults that a script may cause on it.
protocol MockDuplex: DuplexConnection {
    /// Ends the connection at once, whatever waits to be written.
    ///
    /// - Parameter resets: Whether the peer is to see that it broke.
    func interrupt(resets: Bool)

    /// Reads what comes and ignores it, pings and close frames included.
    func fallSilent()
}
