/// The directives of `Cache-Control` for a private cache (RFC 9111 section 5.2).
///
/// Unknown directives and those for shared caches (`s-maxage`, `proxy-revalidate`) are ignored. If a directive repeats,
/// the first counts (section 4.2.1). Times are in whole seconds, at most 2^31.
package struct CacheControl: Sendable, Hashable {
    /// The maximum age of a response. An invalid value counts as 0 (section 4.2.1).
    package private(set) var maxAge: Int?

    /// The accepted staleness; `Int.max` if the request has no limit (section 5.2.1.2).
    package private(set) var maxStale: Int?

    /// How long a response must remain fresh (section 5.2.1.3).
    package private(set) var minFresh: Int?

    /// How long a stale response may be used while it is revalidated (RFC 5861 section 3).
    package private(set) var staleWhileRevalidate: Int?

    /// How long a stale response may be used if the server fails (RFC 5861 section 4).
    package private(set) var staleIfError: Int?

    private var flags: Set<Flag> = []

    private enum Flag: String {
        case noStore = "no-store"
        case noCache = "no-cache"
        case mustRevalidate = "must-revalidate"
        case mustUnderstand = "must-understand"
        case onlyIfCached = "only-if-cached"
        case isPublic = "public"
        case isPrivate = "private"
    }

    /// Whether the exchange must not be stored.
    package var noStore: Bool { flags.contains(.noStore) }

    /// Whether a stored response must be validated before use. For `no-cache` with field names, see
    /// ``unconfirmedFields``.
    var noCache: Bool { flags.contains(.noCache) }

    /// The fields that a stored response must not show before validation, from `no-cache` with names (section 5.2.2.4).
    ///
    /// `private` with field names applies to shared caches only (section 5.2.2.7).
    package private(set) var unconfirmedFields: Set<HTTPField.Name> = []

    /// Whether a stale response must be validated before use, whatever the request says.
    var mustRevalidate: Bool { flags.contains(.mustRevalidate) }

    /// Whether only a cache that understands the status may store the response, even with `no-store`.
    var mustUnderstand: Bool { flags.contains(.mustUnderstand) }

    /// Whether the request must not use the network.
    package var onlyIfCached: Bool { flags.contains(.onlyIfCached) }

    /// Whether the response explicitly allows storing.
    var allowsStoring: Bool { flags.contains(.isPublic) || flags.contains(.isPrivate) }

    /// Parses all `Cache-Control` fields of a message.
    package init(_ fields: HTTPFields) {
        guard let value = fields[.cacheControl] else { return }
        var scanner = FieldScanner(value)
        var seen: Set<String> = []
        while !scanner.isAtEnd {
            scanner.read { !$0.isBlank && $0 != Self.comma }
            guard let name = scanner.token()?.asciiLowercased else {
                scanner.read { $0 == Self.comma }
                continue
            }
            let argument = Self.argument(from: &scanner)
            // A plain `no-cache` counts even after one with field names.
            if seen.insert(name).inserted || name == "no-cache" { apply(name, argument) }
        }
    }

    private static let comma = UInt8(ascii: ",")

    /// Reads the argument after `=`, quoted or not, and skips to the next comma.
    private static func argument(from scanner: inout FieldScanner) -> String? {
        scanner.skipBlanks()
        guard scanner.skip("=") else {
            scanner.read { $0 == comma }
            return nil
        }
        scanner.skipBlanks()
        if let quoted = scanner.quotedString() {
            scanner.read { $0 == comma }
            return quoted
        }
        return scanner.read { $0 == comma }
    }

    private mutating func apply(_ name: String, _ argument: String?) {
        switch name {
        case "max-age": maxAge = argument.flatMap(DeltaSeconds.parse) ?? 0
        case "max-stale": maxStale = argument.map { DeltaSeconds.parse($0) ?? 0 } ?? .max
        case "min-fresh": minFresh = argument.flatMap(DeltaSeconds.parse)
        case "stale-while-revalidate": staleWhileRevalidate = argument.flatMap(DeltaSeconds.parse)
        case "stale-if-error": staleIfError = argument.flatMap(DeltaSeconds.parse)
        case "no-cache":
            let names = argument.map(Self.fieldNames) ?? []
            if names.isEmpty { flags.insert(.noCache) } else { unconfirmedFields.formUnion(names) }
        default: if let flag = Flag(rawValue: name) { flags.insert(flag) }
        }
    }

    /// The names in `no-cache="Set-Cookie, X-Price"`; empty if one is invalid, so that the directive applies to all
    /// fields.
    private static func fieldNames(_ argument: String) -> Set<HTTPField.Name> {
        let names = argument.split(separator: ",").map { HTTPField.Name($0.trimmingBlanks) }
        return names.contains(nil) ? [] : Set(names.compactMap(\.self))
    }
}

/// The cache directives of a request (RFC 9111 section 5.2.1).
struct RequestDirectives {
    private let control: CacheControl
    private let mode: CacheMode
    private let needsValidation: Bool

    enum Standing {
        /// May be used.
        case good
        /// May be used while it is being validated.
        case usable
        /// May be used only after validation.
        case unconfirmed
    }

    init(_ request: HTTPFields, mode: CacheMode) {
        control = CacheControl(request)
        self.mode = mode
        // `Pragma: no-cache` counts only without `Cache-Control` (section 5.4).
        let pragma = request.contains(.cacheControl) ? nil : request[.pragma]
        needsValidation = mode == .confirmed || control.noCache || pragma?.asciiLowercased == "no-cache"
    }

    /// Whether the request must not use the network.
    var isOffline: Bool { mode == .anyAgeOnly || control.onlyIfCached }

    func standing(of response: CachedResponse, at now: Date) -> Standing {
        if mode == .anyAge || mode == .anyAgeOnly { return .good }
        guard !needsValidation, !response.control.noCache, isYoungEnough(response, at: now) else {
            return .unconfirmed
        }
        let staleness = response.staleness(at: now)
        if staleness < 0 { return -staleness >= TimeInterval(control.minFresh ?? 0) ? .good : .unconfirmed }
        return control.minFresh == nil ? staleStanding(of: response, staleness) : .unconfirmed
    }

    /// Whether a stale response may be used (section 4.2.4).
    private func staleStanding(of response: CachedResponse, _ staleness: TimeInterval) -> Standing {
        guard !response.control.mustRevalidate else { return .unconfirmed }
        if let maxStale = control.maxStale, staleness <= TimeInterval(maxStale) { return .good }
        // `max-age` in the request rules out stale responses unless `max-stale` allows them (section 5.2.1.1).
        guard control.maxAge == nil, let window = response.control.staleWhileRevalidate,
            staleness <= TimeInterval(window)
        else { return .unconfirmed }
        return .usable
    }

    private func isYoungEnough(_ response: CachedResponse, at now: Date) -> Bool {
        guard let maxAge = control.maxAge else { return true }
        return response.age(at: now) <= TimeInterval(maxAge)
    }
}

/// A number of seconds in a field (RFC 9111 section 1.2.2).
package enum DeltaSeconds {
    /// The maximum; larger numbers count as this.
    package static let largest = 1 << 31

    /// Parses a number of seconds; `nil` if the text isn't all digits.
    package static func parse(_ text: String) -> Int? {
        let digits = text.trimmingBlanks
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else { return nil }
        return min(Int(digits) ?? largest, largest)
    }

    /// The seconds of an `Age` field: the first list member; 0 if it is invalid (section 5.1).
    package static func age(_ fields: HTTPFields) -> Int {
        let first = fields[.age]?.split(separator: ",", omittingEmptySubsequences: false).first
        return first.flatMap { parse(String($0)) } ?? 0
    }
}
