import GodwitCore
import GodwitSupport

/// The origins that a middleware signs requests for.
struct AllowedOrigins: Sendable {
    private let origins: Result<Set<Origin>, InvalidURL>

    init(_ urls: [any HTTPURLConvertible]) {
        do throws(InvalidURL) {
            var origins: Set<Origin> = []
            for url in urls { origins.insert(try url.httpURL().origin) }
            self.origins = .success(origins)
        } catch {
            origins = .failure(error)
        }
    }

    /// Whether to sign a call. A call with a signature that others can read isn't sent at all.
    func contain(_ call: Call) throws(NetworkError) -> Bool {
        let origin = call.request.url.origin
        switch origins {
        case .failure(let error):
            throw NetworkError(
                .invalidURL(reason: error.reason), phase: .building, request: call.request, underlying: error)
        case .success(let origins):
            guard origins.contains(origin) else { return false }
            guard call.isConfidential else {
                throw NetworkError(
                    .insecure(.plaintext(host: origin.host)), phase: .middleware, request: call.request)
            }
            return true
        }
    }
}

extension HTTPBody {
    /// The SHA-256 of a body that can be sent again. Reads it; files and streams are read once more when they are sent.
    ///
    /// - Throws: `.invalidRequest` for a body that can be read once.
    func digest() async throws(NetworkError) -> [UInt8] {
        guard isReplayable else {
            let reason = "a body that can be read once can't be signed; use .stream(length:_:) or don't cover it"
            throw NetworkError(.invalidRequest(reason: reason), phase: .building)
        }
        var digest = SHA256()
        for try await chunk in self { digest.update(chunk) }
        return digest.finish()
    }
}
