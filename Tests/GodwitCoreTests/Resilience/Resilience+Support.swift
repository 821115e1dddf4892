import GodwitCore
import GodwitTesting

/// A generator that repeats itself from a seed (SplitMix64), so that a failed random test can be run again.
struct Repeatable: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Keeps the attempt number of every call that comes by.
struct AttemptLog: Middleware {
    let attempts = Collected<Int>()

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        attempts.append(call.attempt)
        return try await next(call)
    }
}

extension Chain {
    /// Sends, and tells the status or the kind of the error.
    func status(_ request: HTTPRequest) async -> Result<Int, Failure> {
        do throws(NetworkError) {
            return .success(try await send(request).head.status.code)
        } catch {
            return .failure(Failure(kind: error.kind))
        }
    }

    struct Failure: Error, Hashable {
        var kind: NetworkError.Kind
    }
}
