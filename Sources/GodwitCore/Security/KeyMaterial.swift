/// Certificates or keys: a file, or what would be in it.
///
/// Read when a transport is made; a file that cannot be read makes its initialiser throw `.insecure(.configuration)`.
/// It describes itself without its content.
///
/// ```swift
/// $0.tls.authorities["dev.example.com"] = .adding(.file(URL(filePath: "/etc/dev-ca.pem")))
/// ```
public enum KeyMaterial: Sendable, Hashable {
    /// The content of a file.
    case file(URL)
    /// The content itself.
    case data(Data)

    /// PEM as text.
    ///
    /// - Parameter text: One or more blocks, each from `-----BEGIN` to `-----END`.
    public static func pem(_ text: String) -> KeyMaterial {
        .data(Data(text.utf8))
    }

    /// The content.
    package func read() throws(NetworkError) -> Data {
        switch self {
        case .data(let data): return data
        case .file(let url):
            do {
                return try Data(contentsOf: url)
            } catch {
                throw NetworkError(
                    .insecure(.configuration("cannot read \(url.path)")), phase: .building, underlying: error)
            }
        }
    }
}

extension KeyMaterial: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        switch self {
        case .file(let url): url.path
        case .data(let data): "\(data.count) bytes"
        }
    }

    public var debugDescription: String { description }

    /// Nothing: what prints values by reflection sees no key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
