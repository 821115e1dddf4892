import BenchKit
import Godwit
import Synchronization

/// Cache hits: one request fills the cache, all others hit it.
enum CacheExchanges {
    /// - Parameter folder: The folder of the disk store; `nil` keeps responses in memory.
    static func hit(_ transport: any HTTPTransport, _ url: HTTPURL, in folder: URL?) throws -> Exchange {
        let caching =
            if let folder { Caching(try DiskCacheStore(directory: folder)) } else { Caching(MemoryCacheStore()) }
        let chain = Chain([caching, Lasting()], over: transport)
        let request = HTTPRequest(url: url)
        let isFilled = Atomic(false)
        return {
            let response = try await chain.send(request)
            try EngineExchanges.expect(.ok, response)
            // Only a response from a cache has an age.
            let isHit = response.head.fields.contains(.age)
            guard isFilled.exchange(true, ordering: .relaxed) == isHit else { throw Missed() }
            return try await response.body.collect(upTo: 64 << 20).count
        }
    }
}

/// A request that missed the cache, or a first one that hit it.
struct Missed: Error {}

/// Makes the server's responses fresh for an hour.
private struct Lasting: Middleware {
    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        var response = try await next(call)
        response.head.fields[.cacheControl] = "max-age=3600"
        return response
    }
}
