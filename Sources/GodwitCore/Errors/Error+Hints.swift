// What the compiler says where a `catch` has lost the type of the error: after `async let`, in a closure without
// `throws(NetworkError)`, or beside a call that throws something else. NetworkError's own members win.
extension Error {
    /// Not available: only a ``NetworkError`` has a kind.
    @available(
        *, unavailable,
        message: "this error may be any error: write 'do throws(NetworkError)', or 'catch let error as NetworkError'"
    )
    public var kind: NetworkError.Kind { .cancelled }

    /// Not available: only a ``NetworkError`` has a text for people.
    @available(
        *, unavailable,
        message: "this error may be any error: write 'do throws(NetworkError)', or 'catch let error as NetworkError'"
    )
    public var userMessage: String? { nil }

    /// Not available: only a ``NetworkError`` says whether another attempt may help.
    @available(
        *, unavailable,
        message: "this error may be any error: write 'do throws(NetworkError)', or 'catch let error as NetworkError'"
    )
    public var isRetryable: Bool { false }
}
