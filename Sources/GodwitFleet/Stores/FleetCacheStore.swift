import GodwitCore

/// Stores responses in Redis, for all processes of a fleet, and evicts the least recently used ones.
///
/// ```swift
/// $0.cache = .store(FleetCacheStore(fleet, limit: 100 << 20))
/// ```
///
/// All clients with the same store must act for the same user: a client empties its store when its account changes.
/// Bodies and header fields are encrypted if the fleet has ``FleetOptions/keys``; URLs are not. While Redis can't be used,
/// nothing is stored or found.
public final class FleetCacheStore: CacheStore {
    /// The maximum size of all responses in bytes, by ``CachedResponse/byteCount``.
    public let limit: Int

    /// The maximum size of one response in bytes. A larger one is not stored.
    public let entryLimit: Int

    private let fleet: Fleet
    private let key: String

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - fleet: The processes that share it.
    ///   - name: Distinguishes several stores. `responses` by default.
    ///   - limit: The maximum size of all responses in bytes. 64 MiB by default.
    ///   - entryLimit: The maximum size of one response in bytes. `nil` (the default) means an eighth of the limit, at most
    ///     1 MiB: Redis answers no other client while it sends one.
    public init(_ fleet: Fleet, name: String = "responses", limit: Int = 64 << 20, entryLimit: Int? = nil) {
        self.fleet = fleet
        self.limit = max(0, limit)
        self.entryLimit = min(entryLimit ?? min(EntryLimit.share(of: self.limit), 1 << 20), self.limit)
        key = fleet.key("cache", name)
    }

    /// All stored variants of a URL, which count as used. Empty while Redis can't be used.
    public func responses(for url: HTTPURL) async -> [CachedResponse] {
        guard case .success(let value) = await fleet.run(.cached, [key], [RedisArgument(url.absoluteString)]) else {
            return []
        }
        return (value.array ?? []).compactMap { value in
            value.bytes.flatMap(opened).flatMap { CachedResponse(stored: $0, for: url) }
        }
    }

    /// Stores a response, replacing the one with its URL and variant, and evicts others if necessary.
    public func store(_ response: CachedResponse) async {
        guard response.byteCount <= entryLimit, let bytes = StoredResponse.encode(response), let record = sealed(bytes)
        else { return await remove(response) }
        _ = await fleet.run(
            .cache, [key],
            [
                RedisArgument(response.url.absoluteString), RedisArgument(Self.field(response.variant)),
                RedisArgument(record), RedisArgument(response.byteCount), RedisArgument(limit),
                RedisArgument(EntryLimit.variants),
            ])
    }

    /// Removes the response with the same URL and variant.
    public func remove(_ response: CachedResponse) async {
        await remove([RedisArgument(response.url.absoluteString), RedisArgument(Self.field(response.variant))])
    }

    /// Removes all variants of a URL.
    public func removeAll(for url: HTTPURL) async { await remove([RedisArgument(url.absoluteString)]) }

    /// Removes everything.
    public func removeAll() async { await remove([]) }

    /// The URLs that responses are stored for, in no particular order.
    public func urls() async -> [HTTPURL] {
        guard case .success(let value) = await fleet.run(.cachedNames, [key], []) else { return [] }
        let names = (value.array ?? []).compactMap { $0.string?.split(separator: "\n").first.map(String.init) }
        return Set(names).compactMap { try? HTTPURL($0) }
    }

    /// The size of all responses in bytes, as stored.
    public func byteCount() async -> Int {
        guard case .success(let value) = await fleet.run(.cachedBytes, [key], []) else { return 0 }
        return Int(clamping: value.integer ?? 0)
    }

    private func remove(_ arguments: [RedisArgument]) async { _ = await fleet.run(.uncache, [key], arguments) }

    /// The variant contains values of the request, so that only its hash is a name.
    private static func field(_ variant: String) -> String { RedisScript(variant).hash }

    private func sealed(_ bytes: [UInt8]) -> [UInt8]? {
        fleet.options.keys.isEmpty ? [0] + bytes : fleet.options.keys.seal(bytes, for: key)
    }

    private func opened(_ record: [UInt8]) -> [UInt8]? {
        if record.first == 0 { return fleet.options.keys.isEmpty ? Array(record.dropFirst()) : nil }
        return fleet.options.keys.open(record, for: key)
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
