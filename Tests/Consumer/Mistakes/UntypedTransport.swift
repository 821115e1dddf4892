// expect: type 'Offline' does not conform to protocol 'HTTPTransport'
import Godwit

struct Offline: HTTPTransport {
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        throw NetworkError(.offline(.noPath), phase: .connecting, request: request)
    }
}
