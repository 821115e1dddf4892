import GodwitSupport

/// Adds an `Idempotency-Key` to each call with an unsafe method, so that ``Retry`` can repeat it.
///
/// The server must support the field: it answers a repetition with its first response instead of doing the work twice.
/// Place it before ``Retry``, so that all attempts of a call have one key. A key in the request's fields or in
/// ``RequestOptions/idempotencyKey`` is kept.
///
/// ```swift
/// let chain = Chain([IdempotencyKeys(for: [.post]), Retry()], over: transport)
/// ```
public struct IdempotencyKeys: RequestMiddleware {
    private let methods: Set<HTTPMethod>
    private let random: RandomSource

    /// Creates a middleware that adds a random key to each call with one of the methods.
    ///
    /// - Parameters:
    ///   - methods: The methods whose calls get a key.
    ///   - generator: The random number generator for keys.
    public init(
        for methods: Set<HTTPMethod> = [.post, .patch],
        using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.methods = methods
        random = RandomSource(generator)
    }

    /// Whether the call's method needs a key.
    public func handles(_ call: Call) -> Bool { methods.contains(call.request.method) }

    /// Adds a key if the request has none.
    public func prepare(_ call: inout Call) {
        call.request.writeIdempotencyKey(orElse: random.draw { Self.key(using: &$0) })
    }

    /// Returns a new random key in the form of a version 4 UUID (RFC 9562 section 5.4).
    public static func key(using generator: inout some RandomNumberGenerator) -> String {
        let high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = Array(Hexadecimal.encode(high) + Hexadecimal.encode(low))
        let ends = [0, 8, 12, 16, 20, 32]
        return zip(ends, ends.dropFirst()).map { String(digits[$0..<$1]) }.joined(separator: "-")
    }
}

extension HTTPRequest {
    /// Writes the `Idempotency-Key` field, unless the request has one: the key of its options, or else this one.
    package mutating func writeIdempotencyKey(orElse key: @autoclosure () -> String? = nil) {
        guard !fields.contains(.idempotencyKey), let key = options.idempotencyKey ?? key() else { return }
        fields.append(key, for: .idempotencyKey)
    }
}

enum IdempotencyKeyOption: RequestOption {
    static var defaultValue: String? { nil }
}

extension RequestOptions {
    /// The value of the `Idempotency-Key` field, which makes it safe to repeat an unsafe request.
    public var idempotencyKey: String? {
        @inline(__always) get { self[IdempotencyKeyOption.self] }
        set { self[IdempotencyKeyOption.self] = newValue }
    }
}
