package import GodwitCore
import Synchronization

/// Who waits for events of a session, and since which call of ``BackgroundSession/finish()``.
struct SystemNews: Sendable {
    typealias Waiter = UnsafeContinuation<Void, Never>

    private(set) var era = 0
    private var waiters: [UUID: Waiter] = [:]

    var waiting: [Waiter] { Array(waiters.values) }

    mutating func wait(_ id: UUID, _ waiter: Waiter) { waiters[id] = waiter }

    mutating func leave(_ id: UUID) -> Waiter? { waiters.removeValue(forKey: id) }

    mutating func takeWaiting() -> [Waiter] {
        defer { waiters = [:] }
        return waiting
    }

    /// Ends all readings that have begun.
    mutating func end() -> [Waiter] {
        era += 1
        return takeWaiting()
    }
}

extension SystemTransfers {
    var era: Int { state.withLock(\.news.era) }

    /// The events that are not acknowledged, the oldest first.
    func events(after number: Int64) -> [BackgroundEvent] {
        state.withLock { state in
            state.jobs.values.compactMap(\.event).filter { $0.id > number }.sorted { $0.id < $1.id }
        }
    }

    /// The next event; nil once its readings are ended, or the task is cancelled.
    func event(after number: Int64, in era: Int) async -> BackgroundEvent? {
        await begin()
        while !Task.isCancelled, self.era == era {
            if let event = events(after: number).first { return event }
            await waitForNews(after: number, in: era)
        }
        return nil
    }

    private func waitForNews(after number: Int64, in era: Int) async {
        let id = UUID()
        await withTaskCancellationHandler {
            await withUnsafeContinuation { (waiter: SystemNews.Waiter) in
                let isWaiting = state.withLock { state in
                    let isThere = state.jobs.values.contains { ($0.event?.id ?? 0) > number }
                    guard !isThere, state.news.era == era, !Task.isCancelled else { return false }
                    state.news.wait(id, waiter)
                    return true
                }
                if !isWaiting { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.news.leave(id) }?.resume()
        }
    }
}

/// What the numbers of URLSession's errors mean (`NSURLErrorDomain`).
package enum SystemFailure {
    /// - Parameters:
    ///   - code: 0 for an error of another domain.
    ///   - detail: The system's own words.
    package static func kind(code: Int, detail: String, host: String) -> NetworkError.Kind {
        switch code {
        case -999, -1012: .cancelled
        case -1001: .timedOut(.inactivity)
        case -1000, -1002: .invalidURL(reason: detail)
        case -1003, -1006: .transport(.cannotResolveHost(host))
        case -1004: .transport(.cannotConnect(detail))
        // The connection was lost, or the process that transferred was ended.
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
        // An app extension has to name a container that it shares with its app.
        case -995: .invalidRequest(reason: "sharedContainerIdentifier is required in an app extension")
        default: .transport(.other(detail))
        }
    }
}
