/// What a client keeps cookies in.
///
/// ```swift
/// $0.cookies = .jar(try CookieJar(file: CookieFile(url)))
/// ```
public enum CookieSetting: Sendable {
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
