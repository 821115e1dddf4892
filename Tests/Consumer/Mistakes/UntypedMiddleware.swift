// expect: type 'Tenant' does not conform to protocol 'Middleware'
import Godwit

struct Tenant: Middleware {
    func handle(_ call: Call, next: Next) async throws -> HTTPResponse {
        try await next(call)
    }
}
