import Godwit
import GodwitGenerator

/// The error that ends a command.
enum CommandFailure: Error {
    case usage(UsageError)
    case network(NetworkError)
    /// A document that another one refers to can't be fetched.
    case reference(NetworkError, from: SourcePlace)
    case output(OutputError)
    /// A file error, with the name and the reason.
    case file(String)
    /// What keeps a client from being generated, with the place in the document.
    case generation(GenerationError)

    var exitCode: ExitCode {
        switch self {
        case .usage: .usage
        case .network(let error), .reference(let error, _): ExitCode(error.kind)
        case .output(.closed): .outputClosed
        case .output(.cancelled): .interrupted
        case .output(.failed), .file: .file
        case .generation(let error):
            switch error.kind {
            case .file: .file
            case .invalid, .unsupported: .document
            case .contradiction: .contradiction
            }
        }
    }

    /// The line for standard error; `nil` if the user caused the end.
    ///
    /// - Parameter line: The command line, whose options the advice may name; those of a request by default.
    func message(of line: [String] = []) -> String? {
        switch self {
        case .usage(let error): return error.description
        case .network(let error):
            if case .cancelled = error.kind { return nil }
            return [error.description, Self.server(error), Self.hint(for: error, line)].compactMap(\.self)
                .joined(separator: "; ")
        case .reference(let error, let place):
            return CommandFailure.network(error).message(of: line).map { "\(place): $ref: \($0)" }
        case .output(.closed), .output(.cancelled): return nil
        case .output(.failed(let reason)), .file(let reason): return reason
        case .generation(let error): return error.description
        }
    }

    /// With the place of the reference to what can't be fetched.
    func referred(from place: SourcePlace?) -> CommandFailure {
        guard case .network(let error) = self, let place else { return self }
        return .reference(error, from: place)
    }

    /// Uses a store of tokens, whose error ends the command.
    static func tokens<Value>(_ work: () throws(TokenStoreError) -> Value) throws(CommandFailure) -> Value {
        do throws(TokenStoreError) {
            return try work()
        } catch {
            throw .file(error.description)
        }
    }

    /// Makes a call whose error ends the command.
    static func network<Value>(_ make: () throws(NetworkError) -> Value) throws(CommandFailure) -> Value {
        do throws(NetworkError) {
            return try make()
        } catch {
            throw .network(error)
        }
    }

    /// Makes a call whose error ends the command.
    static func network<Value>(
        _ make: () async throws(NetworkError) -> Value
    ) async throws(CommandFailure) -> Value {
        do throws(NetworkError) {
            return try await make()
        } catch {
            throw .network(error)
        }
    }

    /// Makes a call whose error ends the command.
    static func generation<Value>(_ make: () throws(GenerationError) -> Value) throws(CommandFailure) -> Value {
        do throws(GenerationError) {
            return try make()
        } catch {
            throw .generation(error)
        }
    }

    /// Runs a body, then the cleanup, whatever the outcome of the body.
    static func run<Value>(
        _ body: () async throws(CommandFailure) -> Value, finally cleanUp: () async -> Void
    ) async throws(CommandFailure) -> Value {
        do throws(CommandFailure) {
            let value = try await body()
            await cleanUp()
            return value
        } catch {
            await cleanUp()
            throw error
        }
    }

    /// The explanation of an authorization server, if the error's description does not show it.
    private static func server(_ error: NetworkError) -> String? {
        guard let reason = error.underlying as? OAuthError else { return nil }
        let isShown = error.response != nil && error.problem?.detail != nil
        return "the authorization server says \(isShown ? reason.code : reason.description)"
    }

    /// The next step. What needs an option that the command doesn't have is left out.
    private static func hint(for error: NetworkError, _ line: [String]) -> String? {
        let steps = steps(after: error)
        guard !steps.isEmpty else { return nil }
        let options = CommandPage.optionNames(of: line)
        let possible = steps.filter { Advice.applies($0, to: options) }
        return possible.isEmpty ? nil : possible.joined(separator: ", or ")
    }

    private static func steps(after error: NetworkError) -> [String] {
        switch error.kind {
        // What OpenSSL says of an answer that is not TLS.
        case .insecure where error.description.contains("wrong version number"):
            ["the server may speak http on this port: write http://"]
        case .insecure(.untrustedCertificate): ["trust its authority with --cacert FILE"]
        case .insecure(.plaintext(let host)): ["with --allow-http \(host)"]
        case .timedOut(.connect): ["allow more time with --connect-timeout SECONDS"]
        case .timedOut(.total): ["allow more time with --timeout SECONDS"]
        case .transport(.tooManyOpenFiles): ["allow more with ulimit -n"]
        case .transport(.cannotResolveProxy), .transport(.proxy): ["see --proxy, and https_proxy in the environment"]
        case .file(let reason) where reason.hasSuffix(" exists already"): ["replace it with --force"]
        case .redirect(.tooMany): ["allow more with --max-redirects N", "show the redirect with --no-follow"]
        case .redirect(.bodyNotReplayable): ["send the body from a file instead of standard input"]
        default: []
        }
    }
}
