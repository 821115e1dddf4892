public import GodwitCore
public import GodwitURLSession

/// Answers the requests of real URLSessions without a network: for code that uses URLSession itself.
///
/// What answers is a transport, as a rule a `MockTransport`, with its routes, scripted errors, delays by a clock of the
/// test's, and its record of requests with their contents:
///
/// ```swift
/// let mock = MockTransport(clock: clock) { $0.get("/articles/1").reply(.json(["id": 1]), after: .seconds(2)) }
/// let stub = URLSessionStub(answeredBy: mock)
/// let session = URLSession(configuration: stub.configuration)
/// let (data, response) = try await session.data(from: address)
/// #expect(mock.requests.map(\.path) == ["/articles/1"])
/// ```
///
/// Nothing is global: a stub answers the sessions whose configuration it was installed in, and no others, so tests with
/// stubs of their own run side by side. Keep it for as long as its sessions are used; afterwards they fail.
///
/// An answer is handed over as a whole, once the transport has it. Redirects are not followed: the answer of the stub is
/// the answer. Errors come as those `URLError`s that URLSession would have. On Linux, download tasks fail with
/// `.unsupportedURL`, and what is given to `upload(for:from:)` is not seen: put the content into the request.
public final class URLSessionStub: Sendable {
    private let type: StubURLProtocol.Type

    /// Makes a stub that is installed nowhere yet.
    ///
    /// - Parameter transport: Is sent every request, without those fields that URLSession writes itself.
    public init(answeredBy transport: any HTTPTransport) {
        type = StubRegistry.shared.add(transport)
    }

    deinit {
        StubRegistry.shared.remove(type)
    }

    /// An ephemeral configuration whose requests this answers; a new one each time.
    public var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        install(in: configuration)
        return configuration
    }

    /// Answers the requests of the sessions that are made with a configuration from now on.
    ///
    /// ```swift
    /// let transport = try URLSessionTransport { $0.adjust = { stub.install(in: $0) } }
    /// ```
    ///
    /// - Parameter configuration: Changed in place; sessions that were made with it before are not answered.
    public func install(in configuration: URLSessionConfiguration) {
        configuration.protocolClasses = [type] + (configuration.protocolClasses ?? [])
    }
}
