import Synchronization

/// A cached response, with its times and the requests it matches.
///
/// ```swift
/// for stored in await store.responses(for: url) { print(stored.status, stored.byteCount) }
/// ```
public struct CachedResponse: Sendable, Hashable {
    /// The requested URL.
    public var url: HTTPURL { parts.url }

    /// Identifies a variant by the values of the request fields in `Vary` (RFC 9111 section 4.1). Treat it as secret:
    /// it contains these values.
    public var variant: String { parts.variant }

    /// The status of the response.
    public var status: HTTPStatus { parts.status }

    /// The fields, without those of the connection (RFC 9111 section 3.1).
    public var fields: HTTPFields { parts.fields }

    /// The body, with content codings undone.
    public var body: Data { parts.body }

    /// When the request was sent, by this machine's clock.
    public var requestTime: Date { parts.requestTime }

    /// When the response was received, by this machine's clock.
    public var responseTime: Date { parts.responseTime }

    /// The `Cache-Control` directives.
    package var control: CacheControl { parts.control }

    /// The fields that may be shown without validation: without those that `no-cache` names.
    package var unconfirmedFields: HTTPFields {
        let withheld = parts.control.unconfirmedFields
        return withheld.isEmpty ? fields : fields.keeping { !withheld.contains($0) }
    }

    /// How long the response is fresh from its creation, in seconds (RFC 9111 section 4.2.1).
    public var lifetime: TimeInterval { parts.timing.lifetime }

    /// The age of the response on arrival, in seconds (RFC 9111 section 4.2.3).
    var initialAge: TimeInterval { parts.timing.initialAge }

    private struct Timing: Sendable {
        let lifetime: TimeInterval
        let initialAge: TimeInterval
    }

    /// Shared by all copies.
    private final class Parts: Sendable {
        let url: HTTPURL
        let variant: String
        let status: HTTPStatus
        let fields: HTTPFields
        let body: Data
        let requestTime: Date
        let responseTime: Date
        let control: CacheControl
        let byteCount: Int
        /// Computed on first use: most stored responses are never used again.
        private let knownTiming = Mutex<Timing?>(nil)

        init(
            _ request: (url: HTTPURL, variant: String), _ status: HTTPStatus, _ fields: HTTPFields, _ body: Data,
            requestTime: Date, responseTime: Date
        ) {
            url = request.url
            variant = request.variant
            self.status = status
            self.fields = fields
            self.body = body
            self.requestTime = requestTime
            self.responseTime = responseTime
            control = CacheControl(fields)
            byteCount = fields.reduce(body.count + 256 + url.absoluteString.utf8.count + variant.utf8.count) {
                $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 48
            }
        }

        /// The same response with another body; parsed values are reused.
        init(_ head: Parts, body: Data) {
            url = head.url
            variant = head.variant
            status = head.status
            fields = head.fields
            requestTime = head.requestTime
            responseTime = head.responseTime
            control = head.control
            self.body = body
            byteCount = head.byteCount - head.body.count + body.count
        }

        var timing: Timing {
            knownTiming.withLock { known in
                if let known { return known }
                let timing = findTiming()
                known = timing
                return timing
            }
        }

        private func findTiming() -> Timing {
            let made = fields.agreedValue(of: .date).flatMap { HTTPDate.parse($0, now: responseTime) } ?? responseTime
            return Timing(
                lifetime: Freshness.lifetime(
                    status: status, fields: fields, control: control, made: made, now: responseTime),
                initialAge: Freshness.initialAge(
                    made: made, age: DeltaSeconds.age(fields), requestTime: requestTime, responseTime: responseTime))
        }
    }

    private let parts: Parts

    /// Creates a response from stored parts.
    ///
    /// - Parameters:
    ///   - variant: The variant, made from the request fields that `Vary` names.
    ///   - requestTime: When the request was sent (RFC 9111 section 4.2.3).
    public init(
        url: HTTPURL, variant: String, status: HTTPStatus, fields: HTTPFields, body: Data, requestTime: Date,
        responseTime: Date
    ) {
        parts = Parts(
            (url, variant), status, fields, body, requestTime: requestTime, responseTime: responseTime)
    }

    private init(_ parts: Parts) {
        self.parts = parts
    }

    /// The response with another body; a store completes a head this way.
    package func with(body: Data) -> CachedResponse {
        CachedResponse(Parts(parts, body: body))
    }

    /// The approximate size of the response in memory, in bytes.
    public var byteCount: Int { parts.byteCount }
}

extension CachedResponse {
    /// Whether all stored parts are equal.
    public static func == (left: Self, right: Self) -> Bool {
        left.parts === right.parts
            || left.url == right.url && left.variant == right.variant && left.status == right.status
                && left.fields == right.fields && left.body == right.body && left.requestTime == right.requestTime
                && left.responseTime == right.responseTime
    }

    /// Hashes the URL, variant and time, which distinguish most responses.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(variant)
        hasher.combine(responseTime)
    }
}

extension CachedResponse {
    /// The response updated by a 304 (RFC 9111 sections 3.2 and 4.3.4); `nil` if the 304 is about another response.
    package func refreshed(by fields: HTTPFields, requestTime: Date, responseTime: Date) -> CachedResponse? {
        guard isMeant(by: fields) else { return nil }
        return updated(with: fields, requestTime: requestTime, responseTime: responseTime)
    }

    /// The response updated by a 200 to HEAD; `nil` if the content has changed (section 4.3.5).
    package func refreshed(byHead fields: HTTPFields, requestTime: Date, responseTime: Date) -> CachedResponse? {
        for name in [HTTPField.Name.etag, .lastModified, .contentLength] {
            guard let new = fields[name], new != self.fields[name] else { continue }
            // A response that was stored decoded has no length to compare.
            if name == .contentLength, self.fields[name] == nil { continue }
            return nil
        }
        return updated(with: fields, requestTime: requestTime, responseTime: responseTime)
    }

    /// Whether a 304 is about this response: by its entity tag, otherwise by its date. Without either, it answers the
    /// only conditions sent, which were this response's.
    private func isMeant(by new: HTTPFields) -> Bool {
        if let tag = new[.etag] {
            guard let own = fields.agreedValue(of: .etag) else { return false }
            return EntityTag.isWeak(tag) ? EntityTag.matchesWeakly(tag, own) : EntityTag.matchesStrongly(tag, own)
        }
        guard let new = new[.lastModified], let own = fields[.lastModified] else { return true }
        return new == own
    }

    private func updated(with new: HTTPFields, requestTime: Date, responseTime: Date) -> CachedResponse {
        let new = HTTPFields(new.withoutConnectionFields.filter { !Self.kept.contains($0.name) })
        let names = Set(new.map(\.name))
        // The old age counts from the old arrival.
        var merged = HTTPFields(fields.filter { !names.contains($0.name) && $0.name != .age })
        for field in new { merged.append(field) }
        // Without a new date, the response counts as created when it was confirmed.
        if !names.contains(.date) { merged.remove(.date) }
        return CachedResponse(
            url: url, variant: variant, status: status, fields: merged, body: body, requestTime: requestTime,
            responseTime: responseTime)
    }

    /// Fields that describe the stored content, which a 304 doesn't change (section 3.2), and `Vary`, which belongs to
    /// the variant.
    private static let kept: Set<HTTPField.Name> = [
        .contentLength, .contentEncoding, .contentType, .contentRange, .vary,
    ]
}

extension CachedResponse {
    /// Whether the response may be used instead of a server failure: within `stale-if-error` of the response or the
    /// request after it became stale (RFC 5861 section 4), and unless staleness is forbidden (RFC 9111 section 4.2.4).
    package func standsIn(forRequest fields: HTTPFields, at now: Date) -> Bool {
        let request = CacheControl(fields)
        guard !control.mustRevalidate, !control.noCache, !request.noCache else { return false }
        guard let window = [control.staleIfError, request.staleIfError].compactMap(\.self).max() else { return false }
        return staleness(at: now) <= TimeInterval(window)
    }
}

extension HTTPStatus {
    /// Whether the status is a server failure in terms of `stale-if-error` (RFC 5861 section 4).
    package var isServerFailure: Bool {
        [500, 502, 503, 504].contains(code)
    }
}
