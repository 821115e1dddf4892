#if os(Linux)
import GodwitCore
import Synchronization

/// Stores responses in Redis, for all processes of a fleet, and evicts the least recently used ones.
///
/// ```swift
/// $0.cache = .store(FleetCacheStore(fleet, limit: 100 << 20))
/// ```
///
/// All clients with the same store must act for the same user: a client empties its store when its account changes.
/// Bodies and header fields are encrypted if the fleet has ``FleetOptions/keys``; URLs are not. While Redis can't be used,
/// nothing is stored or found. What is removed meanwhile is removed when Redis is back, and not used before.
public final class FleetCacheStore: CacheStore {
    /// The maximum size of all responses in bytes, by `CachedResponse.byteCount`.
    public let limit: Int

    /// The maximum size of one response in bytes. A larger one is not stored.
    public let entryLimit: Int

    private let fleet: Fleet
    private let key: String
    private let pending = Mutex(PendingRemovals())
    private let news = NewsReceiver()

    /// Creates a store of responses that all processes of a fleet share.
    ///
    /// - Parameters:
    ///   - fleet: The processes that share it.
    ///   - name: Distinguishes several stores. `responses` by default.
    ///   - limit: The maximum size of all responses in bytes. 64 MiB by default.
    ///   - entryLimit: The maximum size of one response in bytes, at most a quarter of ``FleetOptions/replyLimit``. `nil`
    ///     (the default) means an eighth of the limit, at most 1 MiB: Redis answers no other client while it sends one.
    public init(_ fleet: Fleet, name: String = "responses", limit: Int = 64 << 20, entryLimit: Int? = nil) {
        self.fleet = fleet
        self.limit = max(0, limit)
        self.entryLimit = min(
            entryLimit ?? min(EntryLimit.share(of: self.limit), 1 << 20), self.limit, fleet.options.replyLimit / 4)
        key = fleet.key("cache", name)
        // Redis may be back: other processes must not use what this one has removed.
        news.start(fleet, .cookies) { [weak self] text in
            guard text == nil, let self, !pending.withLock(\.isEmpty) else { return }
            Task { await self.removePending() }
        }
    }

    /// All stored variants of a URL, which count as used. Empty while Redis can't be used.
    public func responses(for url: HTTPURL) async -> [CachedResponse] {
        guard await isUsable(url.absoluteString),
            case .success(let value) = await fleet.run(.cached, [key], [RedisArgument(url.absoluteString)]),
            // It may have been removed during the reading.
            !pending.withLock({ $0.contains(url.absoluteString) })
        else { return [] }
        return (value.array ?? []).compactMap { value in
            value.bytes.flatMap(opened).flatMap { CachedResponse(stored: $0, for: url) }
        }
    }

    /// Stores a response, replacing the one with its URL and variant, and evicts others if necessary.
    public func store(_ response: CachedResponse) async {
        guard response.byteCount <= entryLimit, let bytes = StoredResponse.encode(response), let record = sealed(bytes),
            record.count <= fleet.options.replyLimit / 4
        else { return await remove(response) }
        let url = response.url.absoluteString
        guard await isUsable(url) else { return }
        _ = await fleet.run(
            .cache, [key],
            [
                RedisArgument(url), RedisArgument(Self.field(response.variant)), RedisArgument(record),
                RedisArgument(response.byteCount), RedisArgument(limit), RedisArgument(EntryLimit.variants),
                RedisArgument(fleet.options.replyLimit / 2),
            ])
    }

    /// Removes the response with the same URL and variant.
    public func remove(_ response: CachedResponse) async {
        let url = response.url.absoluteString
        let arguments = [RedisArgument(url), RedisArgument(Self.field(response.variant))]
        if case .failure = await fleet.run(.removeCached, [key], arguments) { pending.withLock { $0.add(url) } }
    }

    /// Removes all variants of a URL.
    public func removeAll(for url: HTTPURL) async {
        pending.withLock { $0.add(url.absoluteString) }
        await removePending()
    }

    /// Removes everything.
    public func removeAll() async {
        pending.withLock { $0.addEverything() }
        await removePending()
    }

    /// The URLs that responses are stored for, in no particular order.
    public func urls() async -> [HTTPURL] {
        var names: Set<String> = []
        var cursor = "0"
        repeat {
            guard case .success(let value) = await fleet.run(.cachedNames, [key], [RedisArgument(cursor)]),
                let parts = value.array, parts.count == 2, let next = parts[0].string, let page = parts[1].array
            else { return [] }
            for index in stride(from: 0, to: page.count, by: 2) {
                if let url = page[index].string?.split(separator: "\n").first { names.insert(String(url)) }
            }
            cursor = next
        } while cursor != "0"
        let pending = pending.withLock { $0 }
        return names.filter { !pending.contains($0) }.compactMap { try? HTTPURL($0) }
    }

    /// The size of all responses in bytes, as stored.
    public func byteCount() async -> Int {
        guard case .success(let value) = await fleet.run(.cachedBytes, [key], []) else { return 0 }
        return Int(clamping: value.integer ?? 0)
    }

    /// Whether no removal for a URL is pending, after an attempt to perform it.
    private func isUsable(_ url: String) async -> Bool {
        guard pending.withLock({ $0.contains(url) }) else { return true }
        await removePending()
        return !pending.withLock { $0.contains(url) }
    }

    private func removePending() async {
        while let step = pending.withLock(\.next) {
            let arguments: [RedisArgument] = if case .url(let url, _) = step { [RedisArgument(url)] } else { [] }
            guard case .success = await fleet.run(.removeCached, [key], arguments) else { return }
            pending.withLock { $0.finish(step) }
        }
    }

    /// The variant contains values of the request, so that only its hash is a name.
    private static func field(_ variant: String) -> String { RedisScript(variant).hash }

    private func sealed(_ bytes: [UInt8]) -> [UInt8]? {
        fleet.options.keys.isEmpty ? [0] + bytes : fleet.options.keys.seal(bytes, authenticating: key)
    }

    private func opened(_ record: [UInt8]) -> [UInt8]? {
        if record.first == 0 { return fleet.options.keys.isEmpty ? Array(record.dropFirst()) : nil }
        return fleet.options.keys.open(record, authenticating: key)
    }
}

/// The stored form: the length of the head (4 bytes, little-endian), the head as JSON, the body.
private struct StoredResponse: Codable {
    let url: String
    let variant: String
    let status: Int
    let fields: [[String]]
    let requestTime: Double
    let responseTime: Double

    static func encode(_ response: CachedResponse) -> [UInt8]? {
        let head = StoredResponse(
            url: response.url.absoluteString, variant: response.variant, status: response.status.code,
            fields: response.fields.map { [$0.name.rawName, $0.value] },
            requestTime: response.requestTime.timeIntervalSinceReferenceDate,
            responseTime: response.responseTime.timeIntervalSinceReferenceDate)
        guard let json = try? JSONEncoder().encode(head), let count = UInt32(exactly: json.count) else { return nil }
        return (0..<4).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) } + json + response.body
    }
}

extension CachedResponse {
    /// `nil` if the bytes aren't a stored response for the URL.
    fileprivate init?(stored bytes: [UInt8], for url: HTTPURL) {
        guard bytes.count >= 4 else { return nil }
        let count = bytes[..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count - 4 >= count,
            let head = try? JSONDecoder().decode(StoredResponse.self, from: Data(bytes[4..<(4 + count)])),
            head.url == url.absoluteString, let status = HTTPStatus(head.status)
        else { return nil }
        var fields: HTTPFields = [:]
        for field in head.fields {
            guard field.count == 2, let name = HTTPField.Name(field[0]),
                let field = HTTPField(name: name, value: field[1])
            else { return nil }
            fields.append(field)
        }
        self.init(
            url: url, variant: head.variant, status: status, fields: fields, body: Data(bytes[(4 + count)...]),
            requestTime: Date(timeIntervalSinceReferenceDate: head.requestTime),
            responseTime: Date(timeIntervalSinceReferenceDate: head.responseTime))
    }
}
#endif
