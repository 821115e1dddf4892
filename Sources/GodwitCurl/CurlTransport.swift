public import GodwitCore
import Synchronization

/// Carries exchanges with libcurl: the transport of Linux.
///
/// One thread per event loop serves any number of exchanges; connections are kept and shared, HTTP/2 ones by many
/// requests at once. Make one transport and use it everywhere: its connections are worth keeping.
///
/// ```swift
/// let transport = try CurlTransport { $0.maximumConnectionsPerHost = 8 }
/// let response = try await transport.send(HTTPRequest(url: url))
/// await transport.shutdown(.finishing)
/// ```
///
/// A transport that is let go of finishes what is under way and then ends its threads.
///
/// Any number of tasks may send at once. CONNECT as a request throws `.unsupported`, and HEAD with content
/// `.invalidRequest`; nothing is sent then.
public final class CurlTransport: HTTPTransport {
    private let loops: [EventLoop]
    private let nextLoop = Atomic(0)

    /// Starts the event loops.
    ///
    /// Throws `.transport` where the system has no thread or descriptor left, `.invalidRequest` for a configuration that
    /// cannot be, and `.insecure(.configuration)` where a file of ``CurlConfiguration/tls`` cannot be read. Throws
    /// `.unsupported` if libcurl is older than 7.76, or lacks what a setting needs: nothing is left out silently.
    ///
    /// - Parameter configure: Changes the defaults of ``CurlConfiguration``; called once, before this returns.
    public init(_ configure: (inout CurlConfiguration) -> Void = { _ in }) throws(NetworkError) {
        var configuration = CurlConfiguration()
        configure(&configuration)
        if let fault = configuration.fault {
            throw NetworkError(.invalidRequest(reason: fault), phase: .building)
        }
        if let fault = configuration.libcurlFault { throw NetworkError(fault, phase: .building) }
        let rules = try LoadedRules.load(configuration)
        var loops: [EventLoop] = []
        do throws(NetworkError) {
            for _ in 0..<configuration.eventLoops { loops.append(try EventLoop(configuration, rules)) }
        } catch {
            // A loop's thread keeps it alive until it is told to end.
            for loop in loops { loop.post(.shutDown(.finishing, done: nil)) }
            throw error
        }
        self.loops = loops
    }

    deinit {
        for loop in loops { loop.post(.shutDown(.finishing, done: nil)) }
    }

    /// Runs tasks on the first event loop's thread, so that sending and answering cost no switch of threads:
    ///
    /// ```swift
    /// try await withTaskExecutorPreference(transport.taskExecutor) { try await transport.send(request) }
    /// ```
    ///
    /// Work that computes or blocks for long does not belong there: it holds up every exchange.
    ///
    /// Where the transport has several event loops, only exchanges of the first one gain by it.
    public var taskExecutor: any TaskExecutor { loops[0] }

    /// Sends a request over a connection that is kept or made for it, as the contract of `HTTPTransport` says.
    ///
    /// With several event loops, exchanges are given to them in turn.
    public func send(_ request: HTTPRequest) async throws(NetworkError) -> HTTPResponse {
        if let fault = Self.fault(in: request) {
            throw NetworkError(fault, phase: .building, request: request)
        }
        let loop = loops.count == 1 ? loops[0] : loops[nextLoop.add(1, ordering: .relaxed).oldValue % loops.count]
        let exchange = Exchange(request.askingForUpgrade)
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                exchange.willAnswer(continuation)
                if !loop.post(.start(exchange)) { exchange.fail(.shutdown, phase: .building) }
            }
        } onCancel: {
            loop.post(.cancel(exchange))
        }
        return try exchange.response()
    }

    /// Returns once every event loop has ended its exchanges as the mode says; later sends throw `.shutdown`.
    ///
    /// - Parameter mode: Whether exchanges under way are finished or cancelled.
    public func shutdown(_ mode: ShutdownMode) async {
        for loop in loops { await loop.shutDown(mode) }
    }

    private static func fault(in request: HTTPRequest) -> NetworkError.Kind? {
        if let fault = request.fieldFault ?? UpgradeRequest.fault(in: request) { return fault }
        return switch request.method {
        case .connect: .unsupported(feature: "CONNECT as a request", on: "libcurl")
        case .head where request.body != nil: .invalidRequest(reason: "a HEAD request carries no content")
        default: nil
        }
    }
}
