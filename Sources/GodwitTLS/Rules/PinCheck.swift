#if os(Linux)
package import GodwitCore

/// The pins of one host or domain.
package final class PinCheck: Sendable {
    private let pins: PinSet
    private let scope: HostScope

    package init(_ pins: PinSet, for scope: HostScope) {
        self.pins = pins
        self.scope = scope
    }

    /// Whether to accept a server with these keys in its validated chain, the server's own first.
    ///
    /// - Parameter serverName: The name in the handshake; `nil` for an address.
    package func admits(_ keys: [Pin], from serverName: String?) -> Bool {
        pins.admits(keys, from: serverName?.asciiLowercased ?? scope.name)
    }
}
#endif
