import GodwitSupport
import Synchronization

/// The compression dictionaries among a cache's stored responses (RFC 9842), and the requests that offer them.
///
/// The store decides what is there: a dictionary is gone with its response.
final class StoredDictionaries: Sendable {
    private struct Digest: Sendable {
        /// The stored response without its body, which the times and the length stand for.
        let head: CachedResponse
        let length: Int
        let bytes: [UInt8]

        init(_ stored: CachedResponse) {
            head = stored.with(body: Data())
            length = stored.body.count
            bytes = SHA256.digest(stored.body)
        }

        func isOf(_ stored: CachedResponse) -> Bool {
            length == stored.body.count && head == stored.with(body: Data())
        }
    }

    private struct State {
        var index = DictionaryIndex()
        var digests = LRUCache<HTTPURL, Digest>(limit: 256 << 10)
        var isLoaded = false
    }

    /// The most bytes of a dictionary. Decoding takes a copy of it and a window of up to twice its size, at least 8 MiB.
    private static let largest = 16 << 20
    /// The most stored responses that are read to find one that can be used.
    private static let mostTried = 3

    private let store: any CacheStore
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    init(_ store: any CacheStore, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.now = now
    }

    /// Notes a response that is stored now.
    func note(_ response: CachedResponse) {
        state.withLock { state in
            state.index.note(response.url, response.fields, at: response.responseTime)
            state.digests.remove(response.url)
        }
    }

    /// Sends a call with the best dictionary, if there is one, and again without it if the server used another.
    nonisolated(nonsending) func send(
        _ call: Call, _ account: CacheAccount?, _ next: Next
    ) async throws(NetworkError) -> HTTPResponse {
        guard call.mayHaveDictionary, let dictionary = await dictionary(for: call.request, account) else {
            return try await next(call)
        }
        var offering = call
        offering.request.dictionary = dictionary
        do throws(NetworkError) {
            var response = try await next(offering)
            // Who keeps a response doesn't keep the dictionary.
            response.request.dictionary = nil
            return response
        } catch {
            guard error.kind == .otherDictionary else {
                var error = error
                error.request?.dictionary = nil
                throw error
            }
            var again = call
            again.startAttempt(after: error)
            return try await next(again)
        }
    }

    private nonisolated(nonsending) func dictionary(
        for request: HTTPRequest, _ account: CacheAccount?
    ) async -> CompressionDictionary? {
        await load()
        let urls = state.withLock { $0.index.urls(for: request.url) }
        for url in urls.prefix(Self.mostTried) {
            guard let stored = await store.response(for: url, matching: request.fields),
                let rule = DictionaryRule(stored.fields, of: url)
            else {
                forget(url)
                continue
            }
            guard stored.isUsable(at: now()), (1...Self.largest).contains(stored.body.count) else { continue }
            // Checked after reading: everything stored until now belongs to the call's account.
            guard account?.isCurrent ?? true else { return nil }
            return CompressionDictionary(content: stored.body, digest: digest(of: stored), id: rule.id) { [weak self] in
                self?.forget(url)
            }
        }
        return nil
    }

    private func forget(_ url: HTTPURL) {
        state.withLock { $0.index.remove(url) }
    }

    /// Finds the dictionaries that were stored before, once. Calls that start meanwhile have none of them.
    private nonisolated(nonsending) func load() async {
        let isFirst = state.withLock { state in
            defer { state.isLoaded = true }
            return !state.isLoaded
        }
        guard isFirst else { return }
        for stored in await store.dictionaries() { note(stored) }
    }

    /// SHA-256 of the body, computed once for each stored response.
    private func digest(of stored: CachedResponse) -> [UInt8] {
        if let known = state.withLock({ $0.digests.value(for: stored.url) }), known.isOf(stored) { return known.bytes }
        let digest = Digest(stored)
        state.withLock { $0.digests.insert(digest, byteCount: digest.head.byteCount, for: stored.url) }
        return digest.bytes
    }
}

extension Call {
    /// Whether a dictionary may be offered: only where the network can't read it (RFC 9842 section 8).
    fileprivate var mayHaveDictionary: Bool {
        request.method == .get && request.body == nil && !request.fields.contains(.range)
            && !request.fields.contains(.acceptEncoding) && request.options.upgrade == nil && isConfidential
    }
}

extension CachedResponse {
    /// Whether it is fresh, or may be used while it is validated (RFC 9842 section 2.2.1).
    fileprivate func isUsable(at now: Date) -> Bool {
        switch CacheDecision([:], stored: self, mode: .standard, now: now) {
        case .use, .useWhileValidating: status == .ok
        case .validate, .fetch, .notModified, .gatewayTimeout: false
        }
    }
}
