/// What a client keeps cookies in.
///
/// ```swift
/// let jar = try CookieJar(file: CookieFile(file))
/// let api = APIClient(baseURL: "https://api.example.com/v1") { $0.cookies = .jar(jar) }
/// ```
public enum CookieSetting: Sendable, Nonisolated {
    /// No cookie is kept or sent, but those that a request brings along.
    case off

    /// A jar in memory that is the client's own, and lives as long.
    case memory

    /// A jar, which several clients may share.
    case jar(CookieJar)

    func makeJar(_ suffixes: any PublicSuffixes) -> CookieJar? {
        switch self {
        case .off: nil
        case .memory: CookieJar(suffixes: suffixes)
        case .jar(let jar): jar
        }
    }
}
