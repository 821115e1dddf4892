#if os(Linux)
import CGodwitCurl
import GodwitSockets

/// A multi handle that makes one connection and keeps it.
///
/// On the engine's multi handle, libcurl would close such a connection: it takes a connection that switched protocols for an
/// idle one, and closes idle ones after two minutes or if there are too many. Costs 36 KB: a plain connection
/// leaves it soon.
final class ConnectMulti: MultiHandle {
    private unowned let upgrades: Upgrades
    private unowned let owner: UpgradedConnection

    init(_ owner: UpgradedConnection, in upgrades: Upgrades) {
        (self.owner, self.upgrades) = (owner, upgrades)
        super.init(generation: .max, poller: upgrades.poller)
    }

    override func watch(_ descriptor: Int32, _ what: Int32, _ easy: UnsafeMutableRawPointer?) {
        upgrades.watch(descriptor, for: Poller.events(for: what), of: owner)
    }

    override func setTimer(milliseconds: Int) {
        super.setTimer(milliseconds: milliseconds)
        upgrades.noteConnectTimer(deadline)
    }
}
#endif
