import CGodwitCurl
import GodwitCore

// libcurl before 8.0 reads from an idle HTTP/2 connection before it uses it, and takes it for dead if it reads no data. TLS session
// tickets, which arrive first, don't count as data. So a warm-up ends when the server's SETTINGS have arrived. Until then its
// handle occupies the connection.
extension Engine {
    /// Whether a connected warm-up has to wait for the server's first frame.
    func awaitsSettings(_ exchange: Exchange) -> Bool {
        guard exchange.agreedOnHTTP2, configuration.features.needsFirstFrame, godwit_sees_streams() != 0,
            let handle = exchange.handle, let descriptor = handle.connectedSocket,
            godwit_await_settings(handle.pointer) == godwit_settings_awaited
        else { return false }
        warming[descriptor] = exchange
        poller.awaitBytes(descriptor)
        return true
    }

    /// Bytes arrived on a connection that is being warmed up.
    func serveWarmUp(_ exchange: Exchange) {
        guard let handle = exchange.handle else { return }
        switch godwit_await_settings(handle.pointer) {
        case godwit_settings_awaited: return
        case godwit_settings_received: remove(exchange, outcome: CURLE_OK)
        default: remove(exchange, outcome: CURLE_GOT_NOTHING)
        }
    }

    /// Returns the connection to libcurl, for other exchanges.
    func endWarmUp(_ exchange: Exchange) {
        exchange.handle?.endWarmUp()
        if let (descriptor, _) = warming.first(where: { $0.value === exchange }) { warming[descriptor] = nil }
    }
}
