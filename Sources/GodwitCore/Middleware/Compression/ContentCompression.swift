/// Whether, and how, the content of a request is compressed before it is sent; see ``RequestCompression``.
///
/// ```swift
/// let api = APIClient(baseURL: "https://api.example.com/v1") { $0.compression = .gzip }
/// try await api.send(.report(id: 7).compression(.gzip(minimumSize: 0, level: 9)))
/// ```
public enum ContentCompression: Sendable, Hashable {
    /// It is sent as it is.
    case off

    /// As gzip (RFC 1952), where it has so many bytes or is of unknown length.
    ///
    /// The level is 1, fast, to 9, small; what lies outside counts as the nearest.
    case gzip(minimumSize: Int64 = 1024, level: Int = 6)

    /// As gzip, from 1 KiB on, at a middle level.
    public static let gzip = ContentCompression.gzip(minimumSize: 1024, level: 6)
}

extension ClientConfiguration {
    /// Whether the content of requests is compressed; off by default, as a server need not understand it.
    public var compression: ContentCompression {
        get { options.compression }
        set { options.compression = newValue }
    }
}

extension Endpoint {
    /// Says whether the content is compressed, whatever the client does.
    ///
    /// - Parameter compression: Whether, from which size on, and how hard it is tried.
    public func compression(_ compression: ContentCompression) -> Self {
        options { $0.compression = compression }
    }
}
