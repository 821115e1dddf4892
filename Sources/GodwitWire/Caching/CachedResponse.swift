import Synchronization

/// A response as a cache keeps it: what the server sent, when, and which requests it answers.
///
/// ```swift
/// for stored in await store.responses(for: url) { print(stored.status, stored.byteCount) }
/// ```
public struct CachedResponse: Sendable, Hashable {
    /// The URL that was requested.
    public var url: HTTPURL { parts.url }

    /// The values of the request fields that `Vary` names, in a form of its own; responses for one URL that differ in
    /// this stand side by side (RFC 9111 section 4.1). Holds what these fields hold: treat it as secret.
    public var variant: String { parts.variant }

    /// The status.
    public var status: HTTPStatus { parts.status }

    /// The fields, without those that belong to one connection (RFC 9111 section 3.1).
    public var fields: HTTPFields { parts.fields }

    /// The content, its codings undone.
    public var body: Data { parts.body }

    /// When the request was sent, by the clock of this machine.
    public var requestTime: Date { parts.requestTime }

    /// When the response came, by the clock of this machine.
    public var responseTime: Date { parts.responseTime }

    /// What `Cache-Control` says.
    package var control: CacheControl { parts.control }

    /// The fields as they may be shown without asking the server: without those that `no-cache` names.
    package var unconfirmedFields: HTTPFields {
        let withheld = parts.control.unconfirmedFields
        return withheld.isEmpty ? fields : fields.keeping { !withheld.contains($0) }
    }

    /// For how long the response is fresh, from its making, in seconds (RFC 9111 section 4.2.1).
    package var lifetime: TimeInterval { parts.timing.lifetime }

    /// How old the response was when it came, in seconds (RFC 9111 section 4.2.3).
    package var initialAge: TimeInterval { parts.timing.initialAge }

    private struct Timing: Sendable {
        let lifetime: TimeInterval
        let initialAge: TimeInterval
    }

    /// Behind one reference, which all copies share.
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
        /// Found when it is first asked for: most of what is stored is never asked for again.
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

        /// The same response with another body. What was read of the fields is kept.
        init(_ head: Parts, body: Data) {
            (url, variant, status, fields) = (head.url, head.variant, head.status, head.fields)
            (requestTime, responseTime, control) = (head.requestTime, head.responseTime, head.control)
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

    /// Makes a response from its parts, as a store that kept them does.
    ///
    /// - Parameters:
    ///   - url: What was asked for.
    ///   - variant: Which of several responses for the URL it is, made of the request fields that `Vary` names.
    ///   - status: The status.
    ///   - fields: The fields that are kept.
    ///   - body: The content, its content codings undone.
    ///   - requestTime: When the request was sent (RFC 9111 section 4.2.3).
    ///   - responseTime: When the response came.
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

    /// The response with a body in place of its own, as a store completes a head.
    package func with(body: Data) -> CachedResponse {
        CachedResponse(Parts(parts, body: body))
    }

    /// About how many bytes the response takes in memory.
    public var byteCount: Int { parts.byteCount }
}

extension CachedResponse {
    /// Whether two are the same in all that they keep.
    public static func == (left: Self, right: Self) -> Bool {
        left.parts === right.parts
            || left.url == right.url && left.variant == right.variant && left.status == right.status
                && left.fields == right.fields && left.body == right.body && left.requestTime == right.requestTime
                && left.responseTime == right.responseTime
    }

    /// Hashes what tells most responses apart: what was asked for, and when.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(variant)
        hasher.combine(responseTime)
    }
}

extension CachedResponse {
    /// The response with the fields of a 304 that confirms it (RFC 9111 sections 3.2 and 4.3.4); nil where the 304
    /// is about another response.
    package func refreshed(by fields: HTTPFields, requestTime: Date, responseTime: Date) -> CachedResponse? {
        guard isMeant(by: fields) else { return nil }
        return updated(with: fields, requestTime: requestTime, responseTime: responseTime)
    }

    /// The response with the fields of a 200 to HEAD; nil where these say that the content is another by now (section
    /// 4.3.5).
    package func refreshed(byHead fields: HTTPFields, requestTime: Date, responseTime: Date) -> CachedResponse? {
        for name in [HTTPField.Name.etag, .lastModified, .contentLength] {
            guard let new = fields[name], new != self.fields[name] else { continue }
            // What was stored decoded has no length of its own to compare.
            if name == .contentLength, self.fields[name] == nil { continue }
            return nil
        }
        return updated(with: fields, requestTime: requestTime, responseTime: responseTime)
    }

    /// Whether a 304 is about this response: by its entity tag, else by its date. Without either it answers the only
    /// conditions that were sent, which were this response's.
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
        // The old age was counted from the old arrival.
        var merged = HTTPFields(fields.filter { !names.contains($0.name) && $0.name != .age })
        for field in new { merged.append(field) }
        // Without a new date the response counts as made when it was confirmed.
        if !names.contains(.date) { merged.remove(.date) }
        return CachedResponse(
            url: url, variant: variant, status: status, fields: merged, body: body, requestTime: requestTime,
            responseTime: responseTime)
    }

    /// What speaks of the stored content, which a 304 does not change (section 3.2). `Vary` belongs to the variant's
    /// key.
    private static let kept: Set<HTTPField.Name> = [
        .contentLength, .contentEncoding, .contentType, .contentRange, .vary,
    ]
}

extension CachedResponse {
    /// Whether the response may stand in for a server that failed: not longer after it became stale than
    /// `stale-if-error` of the response or the request says (RFC 5861 section 4), and never where staleness is
    /// forbidden (RFC 9111 section 4.2.4).
    package func standsIn(forRequest fields: HTTPFields, at now: Date) -> Bool {
        let wishes = CacheControl(fields)
        guard !control.mustRevalidate, !control.noCache, !wishes.noCache else { return false }
        guard let window = [control.staleIfError, wishes.staleIfError].compactMap(\.self).max() else { return false }
        return staleness(at: now) <= TimeInterval(window)
    }
}

extension HTTPStatus {
    /// Whether the status says that the server failed, in the sense of `stale-if-error` (RFC 5861 section 4).
    package var isServerFailure: Bool {
        [500, 502, 503, 504].contains(code)
    }
}
