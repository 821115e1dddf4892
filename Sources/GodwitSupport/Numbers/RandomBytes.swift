/// Random bytes.
public enum RandomBytes {
    /// Bytes from the system's generator, fit for keys and nonces.
    public static func make(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return make(count, using: &generator)
    }

    /// - Parameter generator: Must be cryptographically secure where an attacker must not guess the bytes, except in tests.
    public static func make(_ count: Int, using generator: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<count).map { _ in .random(in: .min ... .max, using: &generator) }
    }
}
