#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A unix-domain socket that waits for programs of this user.
package final class LocalListener: Sendable {
    private let descriptor: Int32

    /// Makes the socket, with mode 0600, in the place of one that is left over. Nil with errno where that fails.
    package init?(path: String) {
        let descriptor = LocalAddress.makeSocket()
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        unlink(path)
        // Before there is a name: the folder is closed to others, and so is the socket from its first moment.
        fchmod(descriptor, 0o600)
        guard let address = LocalAddress(path), address.with({ bind(descriptor, $0, $1) }) == 0,
            chmod(path, 0o600) == 0, listen(descriptor, 128) == 0
        else { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// Waits for the next program; nil once the listener was ended. The peer's user is not looked at yet.
    package func accepted(lineLimit: Int) -> LocalSocket? {
        while true {
            let peer = accept(descriptor, nil, nil)
            if peer >= 0 {
                _ = fcntl(peer, F_SETFD, FD_CLOEXEC)
                return LocalSocket(peer, lineLimit: lineLimit)
            }
            switch errno {
            case EINTR, ECONNABORTED: continue
            // Out of descriptors or memory: it passes.
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: usleep(100_000)
            default: return nil
            }
        }
    }

    /// Lets go of whoever waits in ``accepted(lineLimit:)``; who connects from now on is refused.
    package func end() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
#endif
