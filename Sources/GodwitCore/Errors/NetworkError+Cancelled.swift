extension NetworkError {
    /// A call that was cancelled while a middleware had it.
    static func cancelled(_ call: Call) -> NetworkError {
        NetworkError(.cancelled, phase: .middleware, request: call.request)
    }
}
