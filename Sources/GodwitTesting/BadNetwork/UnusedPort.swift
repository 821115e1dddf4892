import GodwitCore
import GodwitLibc

/// A port of 127.0.0.1 that refuses connections. No other program can take it while this exists.
final class UnusedPort: Sendable {
    let url: HTTPURL
    private let descriptor: Int32

    init() throws(NetworkError) {
        var options = MockServer.Options()
        options.address = .ipv4(port: 0)
        descriptor = try Listener.bound(options)
        do throws(NetworkError) {
            url = try Listener.url(options, of: descriptor)
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }
}
