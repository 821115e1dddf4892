#if os(Linux)
import GodwitBackground

/// Sends what a job asks for.
struct TransferClient: Sendable {
    private let spec: TransferSpec
    private let api: APIClient
    /// The job's own transport, where it has rules for TLS.
    private let own: (any HTTPTransport)?

    /// Throws where a file that the job names cannot be read.
    init(_ spec: TransferSpec, _ settings: TransferServiceSettings) throws(NetworkError) {
        self.spec = spec
        let own = spec.tls.isEmpty ? nil : try settings.makeTransport(spec.tls.rules(for: spec.url.host))
        self.own = own
        let transport: any HTTPTransport = own ?? settings.transport
        let credential = spec.tokenFile.map { Self.credential(at: $0) }
        api = APIClient(baseURL: spec.url, transport: transport, preset: .ephemeral) { configuration in
            configuration.requestIDs = .off
            configuration.timeouts = spec.timeouts
            configuration.redirects = spec.redirects?.policy ?? .follow
            configuration.authentication = credential.map { .credential($0) }
            configuration.options.allowedNetworks = spec.networks
            configuration.plaintextHosts = spec.plaintextHosts
            configuration.pathMonitor = { settings.pathMonitor }
            configuration.clock = settings.clock
        }
    }

    func download(to destination: URL, placing: @escaping DownloadPlacement.Note) -> Download {
        var options = DownloadOptions()
        options.existingFile = spec.existingFile
        options.digest = spec.digest
        options.parallelRanges = spec.parallelRanges
        // Nobody waits for it, and an event must not tell of a file that a power cut takes away.
        options.synchronizesToDisk = true
        return api.download(endpoint, to: destination, options, placing: placing)
    }

    func upload(_ file: URL) -> Upload<Data> {
        api.uploading(endpoint, body: .file(at: file))
    }

    /// Lets go of what is the job's alone.
    func end() async {
        await own?.shutdown(.cancelling)
    }

    /// The token as it stands in the file at this attempt. To refresh it is the business of whoever signed in.
    private static func credential(at path: String) -> Credential {
        .tokens(
            TokenRefresher(store: FileTokenStore(at: URL(filePath: path))) { _ in
                throw NotRefreshedHere()
            })
    }

    /// What a job with a refused token ends with. It is no refusal of the refresh, which would clear the file: whoever
    /// signed in can still refresh what is in it.
    private struct NotRefreshedHere: Error {}

    private var endpoint: Endpoint<Data> {
        Endpoint(method: spec.method, path: "", fields: spec.fields, accept: "*/*") { data, _, _ in data }
    }
}
#endif
