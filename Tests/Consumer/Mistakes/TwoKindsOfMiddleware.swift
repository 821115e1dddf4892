// expect: type 'Tenant' does not conform to protocol 'ChainElement'
import Godwit

struct Tenant: RequestMiddleware, Middleware {
    func prepare(_ call: inout Call) {}

    func handle(_ call: Call, next: Next) async throws(NetworkError) -> HTTPResponse {
        try await next(call)
    }
}
