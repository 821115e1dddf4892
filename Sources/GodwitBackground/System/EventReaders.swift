package import GodwitCore
import GodwitSupport
import Synchronization

/// The tasks that wait for events of a session, and the number of calls of ``BackgroundSession/finish()``.
struct EventReaders: Sendable {
    private(set) var era = 0
    private var waiters = Waiters<Void>()

    mutating func add() -> Waiter<Void> { waiters.add() }

    mutating func remove(_ waiter: Waiter<Void>) { waiters.remove(waiter) }

    mutating func takeAll() -> [Waiter<Void>] { waiters.takeAll() }

    /// Ends all readers so far.
    mutating func end() -> [Waiter<Void>] {
        era += 1
        return takeAll()
    }
}

extension SystemTransfers {
    var era: Int { state.withLock(\.readers.era) }

    /// The events that are not acknowledged, oldest first.
    func events(after number: Int64) -> [BackgroundEvent] {
        state.withLock { $0.events(after: number) }
    }

    /// Waits for the next event; `nil` when the readers of this era have ended, or the task is canceled.
    func event(after number: Int64, in era: Int) async -> BackgroundEvent? {
        await begin()
        while !Task.isCancelled, self.era == era {
            let (event, waiter) = state.withLock { state -> (BackgroundEvent?, Waiter<Void>?) in
                let event = state.events(after: number).first
                return (event, event == nil && state.readers.era == era ? state.readers.add() : nil)
            }
            if let event { return event }
            await waiter?.value {
                if let waiter { state.withLock { $0.readers.remove(waiter) } }
                waiter?.resume()
            }
        }
        return nil
    }
}

extension SystemTransfers.State {
    fileprivate func events(after number: Int64) -> [BackgroundEvent] {
        jobs.values.compactMap(\.event).filter { $0.id > number }.sorted { $0.id < $1.id }
    }
}

/// Maps URLSession's error codes (`NSURLErrorDomain`) to error kinds.
package enum SystemFailure {
    /// - Parameters:
    ///   - code: 0 for an error of another domain.
    ///   - detail: The system's description.
    package static func kind(code: Int, detail: String, host: String) -> NetworkError.Kind {
        switch code {
        case -999, -1012: .cancelled
        case -1001: .timedOut(.inactivity)
        case -1000, -1002: .invalidURL(reason: detail)
        case -1003, -1006: .transport(.cannotResolveHost(host))
        case -1004: .transport(.cannotConnect(detail))
        // The connection was lost, or the transferring process ended.
        case -1005, -997: .transport(.connectionLost(detail))
        case -1009, -1019: .offline(.noPath)
        case -1018, -1020: .offline(.cellularNotAllowed)
        case -1007: .redirect(.tooMany(limit: 20))
        case -1010: .redirect(.invalidLocation(detail))
        case -1011, -1014, -1015, -1016, -1017: .invalidResponse(reason: detail)
        case -1021: .transport(.cannotSendBody(detail))
        case -1022: .insecure(.plaintext(host: host))
        case -1200: .insecure(.handshake(detail))
        case -1201, -1204: .insecure(.certificateExpired)
        case -1202, -1203: .insecure(.untrustedCertificate(detail))
        case -1205, -1206: .insecure(.clientCertificate(detail))
        // The file to send is gone, or the disk is full.
        case -1100, -1101, -1102, -1104, -3007 ... -3000: .file(reason: detail)
        // An app extension needs a container that it shares with its app.
        case -995: .invalidRequest(reason: "sharedContainerIdentifier is required in an app extension")
        default: .transport(.other(detail))
        }
    }
}
