/// What makes two requests identical enough to share one transfer.
struct FlightKey: Sendable, Hashable {
    private enum Redirecting: Sendable, Hashable {
        case block
        case follow(limit: Int?)
    }

    private let method: HTTPMethod
    private let url: String
    private let fields: HTTPFields
    private let bufferLimit: Int
    private let redirects: Redirecting
    private let responseLimit: ResponseLimit
    private let timeouts: Timeouts
    private let cachePolicy: CachePolicy
    private let cookies: CookieHandling
    private let authentication: AuthenticationRequirement
    private let retry: RetryOverride?
    private let allowedNetworks: NetworkAllowance
    private let identity: String

    /// The key of a request, or nil where it cannot be shared.
    init?(_ request: HTTPRequest, identity: (HTTPRequest) -> String) {
        let options = request.options
        guard request.method.isSafe, request.body == nil, options.onEvent == nil,
            case .buffered(let limit) = request.delivery, let redirects = Self.redirecting(options.redirects)
        else { return nil }
        method = request.method
        url = request.url.absoluteString
        fields = Self.telling(request.fields)
        bufferLimit = limit
        self.redirects = redirects
        responseLimit = options.responseLimit
        timeouts = options.timeouts
        cachePolicy = options.cachePolicy
        cookies = options.cookies
        authentication = options.authentication
        retry = options.retry
        allowedNetworks = options.allowedNetworks
        self.identity = identity(request)
    }

    /// Nearly all that differ do so in this; to hash every field would cost more than comparing a few keys.
    func hash(into hasher: inout Hasher) {
        hasher.combine(url)
    }

    private static func telling(_ fields: HTTPFields) -> HTTPFields {
        fields.contains { naming.contains($0.name) } ? HTTPFields(fields.filter { !naming.contains($0.name) }) : fields
    }

    /// Fields that name a call and say nothing about what it asks for.
    private static let naming: [HTTPField.Name] = [.requestID, "traceparent", "tracestate"]

    private static func redirecting(_ policy: RedirectPolicy) -> Redirecting? {
        switch policy {
        case .follow: .follow(limit: nil)
        case .followUp(let limit): .follow(limit: limit)
        case .block: .block
        case .decide: nil
        }
    }
}
