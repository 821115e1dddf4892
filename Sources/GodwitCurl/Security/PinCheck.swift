#if os(Linux)
import CGodwitCurl
import GodwitCore
import GodwitSockets

/// The pins of single hosts. OpenSSL calls this for every chain that it has validated.
final class PinCheck {
    private let pins: LoadedRules.Pins
    let check: UnsafeMutablePointer<godwit_chain_check>
    /// The handles whose connections were refused, until their exchanges end.
    private(set) var refused: Set<UnsafeRawPointer> = []

    init(_ pins: LoadedRules.Pins) {
        self.pins = pins
        check = .allocate(capacity: 1)
        check.initialize(to: godwit_chain_check(admits: onChain, context: nil))
        check.pointee.context = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        check.deallocate()
    }

    /// A handle's exchange ended.
    func forget(_ easy: UnsafeRawPointer) {
        if !refused.isEmpty { refused.remove(easy) }
    }

    fileprivate func admits(_ keys: [Pin], from serverName: String?, for easy: UnsafeRawPointer?) -> Bool {
        if admits(keys, from: serverName) { return true }
        if let easy { refused.insert(easy) }
        return false
    }

    /// - Parameter serverName: The server that the handshake names; nil for an address.
    private func admits(_ keys: [Pin], from serverName: String?) -> Bool {
        let host = serverName?.asciiLowercased
        // Another name is that of a proxy on the way to the host, which uses TLS too.
        if let host, !pins.scope.contains(host) { return true }
        return pins.set.admits(keys, from: host ?? pins.scope.name)
    }
}

private let digestSize = 32

private func onChain(
    context: UnsafeMutableRawPointer?, easy: UnsafeRawPointer?, serverName: UnsafePointer<CChar>?,
    digests: UnsafePointer<UInt8>?, count: Int
) -> Int32 {
    guard let context else { return 0 }
    let bytes = UnsafeBufferPointer(start: digests, count: count * digestSize)
    let keys = (0..<count).map { Pin.sha256(bytes[($0 * digestSize)..<(($0 + 1) * digestSize)]) }
    let check = Unmanaged<PinCheck>.fromOpaque(context).takeUnretainedValue()
    return check.admits(keys, from: serverName.map { String(cString: $0) }, for: easy) ? 1 : 0
}
#endif
