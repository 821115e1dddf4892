import Godwit

/// What ends a command before its time.
enum CommandFailure: Error {
    /// The command line says something that cannot be done.
    case usage(UsageError)
    case network(NetworkError)
    case output(OutputError)
    /// A file, named with the reason.
    case file(String)

    var exitCode: ExitCode {
        switch self {
        case .usage: .usage
        case .network(let error): ExitCode(error.kind)
        case .output(.closed): .outputClosed
        case .output(.cancelled): .interrupted
        case .output(.failed), .file: .file
        }
    }

    /// The line for standard error; nil where there is nothing to say.
    var message: String? {
        switch self {
        case .usage(let error): return error.description
        case .network(let error):
            if case .cancelled = error.kind { return nil }
            return [error.description, Self.server(error), Self.hint(for: error.kind)].compactMap(\.self)
                .joined(separator: "; ")
        case .output(.closed), .output(.cancelled): return nil
        case .output(.failed(let reason)), .file(let reason): return reason
        }
    }

    /// Makes a network call whose error ends the command.
    static func network<Value>(_ make: () throws(NetworkError) -> Value) throws(CommandFailure) -> Value {
        do throws(NetworkError) {
            return try make()
        } catch {
            throw .network(error)
        }
    }

    /// Makes a network call whose error ends the command.
    static func network<Value>(
        _ make: () async throws(NetworkError) -> Value
    ) async throws(CommandFailure) -> Value {
        do throws(NetworkError) {
            return try await make()
        } catch {
            throw .network(error)
        }
    }

    /// What an authorization server says, as far as the description doesn't.
    private static func server(_ error: NetworkError) -> String? {
        guard let reason = error.underlying as? OAuthError else { return nil }
        let isShown = error.response != nil && error.problem?.detail != nil
        return "the authorization server says \(isShown ? reason.code : reason.description)"
    }

    private static func hint(for kind: NetworkError.Kind) -> String? {
        switch kind {
        case .insecure(.untrustedCertificate): "trust its authority with --cacert FILE"
        case .timedOut(.connect): "allow more with --connect-timeout SECONDS"
        case .timedOut(.total): "allow more with --timeout SECONDS"
        case .transport(.tooManyOpenFiles): "allow more with ulimit -n"
        case .transport(.cannotResolveProxy), .transport(.proxy): "see --proxy, and https_proxy in the environment"
        case .redirect(.tooMany): "allow more with --max-redirects N, or see the redirect with --no-follow"
        case .redirect(.bodyNotReplayable): "give the content as a file instead of standard input"
        default: nil
        }
    }
}
