public import GodwitCore
public import GodwitURLSession

/// Answers URLSession requests without a network, to test code that uses URLSession directly.
///
/// A transport answers, usually a `MockTransport` with its routes, scripted errors, delays by a test clock, and
/// recorded requests:
///
/// ```swift
/// let mock = MockTransport(clock: clock) { $0.get("/articles/1").reply(.json(["id": 1]), after: .seconds(2)) }
/// let stub = URLSessionStub(answeredBy: mock)
/// let session = URLSession(configuration: stub.configuration)
/// let (data, response) = try await session.data(from: address)
/// #expect(mock.requests.map(\.path) == ["/articles/1"])
/// ```
///
/// Nothing is global: a stub answers only sessions whose configuration it was installed in, so tests with their
/// own stubs can run in parallel. Keep the stub while its sessions are used; afterwards, requests fail.
///
/// An answer is delivered as a whole. Redirects aren't followed. Errors are the `URLError`s that URLSession would
/// throw. On Linux, download tasks fail with `.unsupportedURL`, and the data of `upload(for:from:)` is ignored: put the
/// body in the request.
public final class URLSessionStub: Sendable {
    private let type: StubURLProtocol.Type

    /// Creates a stub that isn't installed yet.
    ///
    /// - Parameter transport: Receives every request, without the fields that URLSession writes.
    public init(answeredBy transport: any HTTPTransport) {
        type = StubRegistry.shared.add(transport)
    }

    deinit {
        StubRegistry.shared.remove(type)
    }

    /// A new ephemeral configuration whose requests this stub answers.
    public var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        install(in: configuration)
        return configuration
    }

    /// Installs the stub in a configuration, for sessions created with it afterwards.
    ///
    /// ```swift
    /// let transport = try URLSessionTransport { $0.adjust = { stub.install(in: $0) } }
    /// ```
    ///
    /// - Parameter configuration: The configuration, changed in place. Existing sessions don't change.
    public func install(in configuration: URLSessionConfiguration) {
        configuration.protocolClasses = [type] + (configuration.protocolClasses ?? [])
    }
}
