#if !canImport(Darwin)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What differs between the systems' C libraries, with Linux's answers.
enum LoopbackPlatform {
    /// `SOCK_STREAM`, which is an enum in Glibc and a macro in Musl.
    static let stream: Int32 = 1
    /// Flags for `send`: a peer that is gone is an error and not a signal.
    static let sendFlags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)

    /// Sets what `send` flags cannot say; nothing here.
    static func prepare(_ descriptor: Int32) {}
}
#endif
