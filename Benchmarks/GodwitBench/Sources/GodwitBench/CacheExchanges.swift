import BenchKit
import Godwit
import Synchronization

/// What is answered from a cache: one request fills it, all others are hits.
enum CacheExchanges {
    /// - Parameter folder: Where the disk store's file is; nil keeps responses in memory.
    static func hit(_ transport: any HTTPTransport, _ url: HTTPURL, in folder: URL?) throws -> Exchange {
        let caching =
            if let folder { Caching(try DiskCacheStore(directory: folder)) } else { Caching(MemoryCacheStore()) }
        let chain = Chain([caching, Lasting()], over: transport)
        let request = HTTPRequest(url: url)
        let isFilled = Atomic(false)
        return {
            let response = try await chain.send(request)
            try EngineExchanges.expect(.ok, response)
            // Only what comes from a cache has an age.
            let isHit = response.head.fields.contains(.age)
            guard isFilled.exchange(true, ordering: .relaxed) == isHit else { throw Missed() }
            return try await response.body.collect(upTo: 64 << 20).count
        }
    }
}

/// A request that was not answered from the cache, or the first one that was.
struct Missed: Error {}

/// Says of the server's responses that they last an hour.
private struct Lasting: Middleware {
    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        var response = try await next(call)
        response.head.fields[.cacheControl] = "max-age=3600"
        return response
    }
}
