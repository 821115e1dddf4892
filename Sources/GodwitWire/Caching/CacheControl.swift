/// The directives of `Cache-Control` that mean something to a private cache (RFC 9111 section 5.2).
///
/// Unknown directives, and those for shared caches alone (`s-maxage`, `proxy-revalidate`), are passed over. Of a
/// directive that is repeated the first counts (section 4.2.1). Times are in whole seconds, at most 2^31.
package struct CacheControl: Sendable, Hashable {
    /// How old a response may be. A value that cannot be read counts as 0 (section 4.2.1).
    package private(set) var maxAge: Int?

    /// By how much a response may be stale; `Int.max` where the request names no limit (section 5.2.1.2).
    package private(set) var maxStale: Int?

    /// For how long a response has to stay fresh (section 5.2.1.3).
    package private(set) var minFresh: Int?

    /// For how long a stale response may be used while it is validated (RFC 5861 section 3).
    package private(set) var staleWhileRevalidate: Int?

    /// For how long a stale response may be used where the server fails (RFC 5861 section 4).
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

    /// Whether nothing of the exchange may be stored.
    package var noStore: Bool { flags.contains(.noStore) }

    /// Whether a stored response has to be validated before use. `no-cache` that names fields is not meant here; see
    /// ``unconfirmedFields``.
    package var noCache: Bool { flags.contains(.noCache) }

    /// The fields that a stored response must not show before it was validated: those that `no-cache` names (section
    /// 5.2.2.4).
    ///
    /// `private` that names fields is for shared caches: a private cache stores and shows them (section 5.2.2.7).
    package private(set) var unconfirmedFields: Set<HTTPField.Name> = []

    /// Whether a stale response has to be validated before use, whatever the request says.
    package var mustRevalidate: Bool { flags.contains(.mustRevalidate) }

    /// Whether only a cache that knows the status may store the response, and then despite `no-store`.
    package var mustUnderstand: Bool { flags.contains(.mustUnderstand) }

    /// Whether the request may not go to the network.
    package var onlyIfCached: Bool { flags.contains(.onlyIfCached) }

    /// Whether the response says that it may be stored.
    package var allowsStoring: Bool { flags.contains(.isPublic) || flags.contains(.isPrivate) }

    /// Reads all `Cache-Control` fields of a message.
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
            // A `no-cache` for all must not be hidden by one that names fields.
            if seen.insert(name).inserted || name == "no-cache" { apply(name, argument) }
        }
    }

    private static let comma = UInt8(ascii: ",")

    /// What stands behind the `=`, quoted or not, and everything up to the next comma.
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

    /// The names in `no-cache="Set-Cookie, X-Price"`; empty if one is not a name, so that the directive counts for all.
    private static func fieldNames(_ argument: String) -> Set<HTTPField.Name> {
        let names = argument.split(separator: ",").map { HTTPField.Name(String($0).trimmingBlanks) }
        return names.contains(nil) ? [] : Set(names.compactMap(\.self))
    }
}

/// What a request asks of a stored response (RFC 9111 section 5.2.1).
struct CacheWishes {
    private let control: CacheControl
    private let mode: CacheMode
    private let wantsConfirmation: Bool

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
        // `Pragma: no-cache` stands for the directive only where there are none (section 5.4).
        let pragma = request.contains(.cacheControl) ? nil : request[.pragma]
        wantsConfirmation = mode == .confirmed || control.noCache || pragma?.asciiLowercased == "no-cache"
    }

    /// Whether the request may not go to the network.
    var isOffline: Bool { mode == .anyAgeOnly || control.onlyIfCached }

    func standing(of response: CachedResponse, at now: Date) -> Standing {
        if mode == .anyAge || mode == .anyAgeOnly { return .good }
        guard !wantsConfirmation, !response.control.noCache, isYoungEnough(response, at: now) else {
            return .unconfirmed
        }
        let staleness = response.staleness(at: now)
        if staleness < 0 { return -staleness >= TimeInterval(control.minFresh ?? 0) ? .good : .unconfirmed }
        return control.minFresh == nil ? staleStanding(of: response, staleness) : .unconfirmed
    }

    /// What becomes of a stale response (section 4.2.4).
    private func staleStanding(of response: CachedResponse, _ staleness: TimeInterval) -> Standing {
        guard !response.control.mustRevalidate else { return .unconfirmed }
        if let maxStale = control.maxStale, staleness <= TimeInterval(maxStale) { return .good }
        // A request that names an age wants nothing stale, unless it says by how much (section 5.2.1.1).
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
    /// What a larger number counts as.
    package static let largest = 1 << 31

    /// The number of seconds that the text is; nil where it is anything but digits.
    package static func parse(_ text: String) -> Int? {
        let digits = text.trimmingBlanks
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return min(Int(digits) ?? largest, largest)
    }

    /// The seconds of an `Age` field: of a list the first member, and 0 where that cannot be read (section 5.1).
    package static func age(_ fields: HTTPFields) -> Int {
        let first = fields[.age]?.split(separator: ",", omittingEmptySubsequences: false).first
        return first.flatMap { parse(String($0)) } ?? 0
    }
}
