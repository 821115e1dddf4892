public import GodwitCore
import Synchronization

/// The uploads of a mock that speaks tus 1.0.0 and resumable uploads for HTTP.
///
/// ```swift
/// let uploads = MockUploads()
/// let server = try await MockServer { $0.resumableUploads("/files", into: uploads) }
/// try await APIClient(baseURL: server.url).upload(file, to: .resumable(.post("files"))).value
/// #expect(uploads.completed.first?.data == Data("Tides".utf8))
/// ```
///
/// It keeps what arrives, also of requests that break off, so that an upload can continue there. Set ``fault`` to break
/// connections and to lose uploads.
public final class MockUploads: Sendable {
    /// A protocol of resumable uploads.
    public enum Grammar: Sendable, Hashable {
        /// tus 1.0.0.
        case tus
        /// draft-ietf-httpbis-resumable-upload, interop version 6.
        case ietf
    }

    /// An upload that was created.
    public struct Upload: Sendable, Hashable {
        /// The last segment of its path.
        public let id: String
        /// The received bytes; without them if the server only counts.
        public internal(set) var data = Data()
        /// The number of received bytes.
        public internal(set) var offset: Int64 = 0
        /// The announced size; `nil` as long as it is unknown.
        public internal(set) var length: Int64?
        /// Whether all of it was received.
        public internal(set) var isComplete = false
        /// The decoded `Upload-Metadata` of tus.
        public internal(set) var metadata: [String: String] = [:]
        /// Whether it is a part that is joined with others later (tus, Concatenation).
        public internal(set) var isPart = false
    }

    /// What goes wrong with a request.
    public enum Fault: Sendable {
        /// The connection is closed after so many bytes of the body, or without a response if the body is shorter.
        case cut(after: Int64)
        /// The connection is reset after so many bytes of the body, or without a response if the body is shorter.
        case reset(after: Int64)
        /// All uploads are forgotten before the request is answered.
        case loseUploads
        /// The request is answered with this response, and its body ignored.
        case respond(MockResponse)
    }

    /// What the server can do and what it keeps.
    public struct Options: Sendable {
        /// The protocols. Both by default.
        public var grammars: Set<Grammar> = [.tus, .ietf]
        /// The extensions of tus that `OPTIONS` names. All that the mock has by default.
        public var tusExtensions = [
            "creation", "creation-with-upload", "checksum", "expiration", "termination", "concatenation",
        ]
        /// The value of `Upload-Limit`. `max-size` of a terabyte by default; `nil` sends none.
        public var uploadLimit: String? = "max-size=1099511627776"
        /// The value of `Upload-Expires` of tus; `nil` (the default) sends none.
        public var expires: Date?
        /// The origin of `Location`, such as `http://127.0.0.1:9000`; `nil` (the default) means a path at this server.
        public var locationOrigin: String?
        /// Whether bytes of requests that break off are kept. True by default.
        public var keepsBrokenRequests = true
        /// Whether bytes are kept. If not, they are only counted, for files that are larger than the memory. True by
        /// default.
        public var keepsData = true
        /// The rate at which bodies are read; `nil` (the default) means no limit. See
        /// ``MockRoute/readBody(bytesPerSecond:)``.
        public var bytesPerSecond: Int?
        /// Whether 104 responses are sent. True by default.
        public var sendsInterim = true

        /// Creates the default options.
        public init() {}
    }

    struct State {
        var uploads: [String: Upload] = [:]
        var order: [String] = []
        var received: Int64 = 0
        var count = 0
        /// The number of the latest request to each upload. An earlier one that is still being read no longer counts.
        var owners: [String: Int] = [:]
        var requests = 0
        var fault: (@Sendable (MockRequest) -> Fault?)?
    }

    let options: Options
    let state = Mutex(State())

    /// Creates a server without uploads.
    ///
    /// - Parameter configure: Changes the options.
    public init(configure: (inout Options) -> Void = { _ in }) {
        var options = Options()
        configure(&options)
        self.options = options
    }

    /// Decides before each request's body is read whether something goes wrong with it. `nil` (the default) never.
    public var fault: (@Sendable (MockRequest) -> Fault?)? {
        get { state.withLock(\.fault) }
        set { state.withLock { $0.fault = newValue } }
    }

    /// All uploads that the server has, in the order of their creation.
    public var uploads: [Upload] { state.withLock { state in state.order.compactMap { state.uploads[$0] } } }

    /// The complete uploads, without parts.
    public var completed: [Upload] { uploads.filter { $0.isComplete && !$0.isPart } }

    /// The number of body bytes that arrived, those that were sent twice included.
    public var receivedBytes: Int64 { state.withLock(\.received) }

    /// Makes a request the only one that may change an upload. Returns its number.
    func own(_ id: String) -> Int {
        state.withLock { state in
            state.requests += 1
            state.owners[id] = state.requests
            return state.requests
        }
    }

    /// Forgets all uploads.
    public func removeAll() {
        state.withLock { state in
            state.uploads = [:]
            state.order = []
        }
    }
}

extension MockRoutes {
    /// Adds routes that accept resumable uploads, by tus 1.0.0 and by resumable uploads for HTTP.
    ///
    /// - Parameters:
    ///   - path: The path that creates uploads. They are below it.
    ///   - uploads: Keeps what arrives.
    ///   - fileID: The source file that failures name. Leave it out, as the next three.
    ///   - filePath: Its path.
    ///   - line: The line.
    ///   - column: The column.
    public func resumableUploads(
        _ path: String, into uploads: MockUploads, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        for pattern in [path, path + "/:upload"] {
            let route = any(pattern, fileID: fileID, filePath: filePath, line: line, column: column).optional()
            if let rate = uploads.options.bytesPerSecond { _ = route.readBody(bytesPerSecond: rate) }
            route.take { UploadIntake($0, path: path, uploads: uploads) }
        }
    }
}
