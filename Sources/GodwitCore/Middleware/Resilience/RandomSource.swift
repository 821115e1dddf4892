import Synchronization

/// A random generator that many tasks draw from.
final class RandomSource: Sendable {
    /// One generator as every function with a generic parameter takes it.
    struct Generator: RandomNumberGenerator, Sendable {
        fileprivate var base: any RandomNumberGenerator & Sendable

        mutating func next() -> UInt64 { base.next() }
    }

    private let generator: Mutex<Generator>

    init(_ generator: any RandomNumberGenerator & Sendable) {
        self.generator = Mutex(Generator(base: generator))
    }

    func draw<Value: Sendable>(_ body: (inout Generator) -> Value) -> Value {
        generator.withLock { body(&$0) }
    }
}
