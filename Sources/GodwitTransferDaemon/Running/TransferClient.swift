#if os(Linux)
import GodwitBackground

/// Sends what a job asks for.
struct TransferClient: Sendable {
    private let spec: TransferSpec
    private let api: APIClient

    init(_ spec: TransferSpec, _ settings: TransferServiceSettings) {
        self.spec = spec
        api = APIClient(baseURL: spec.url, transport: settings.transport, preset: .ephemeral) { configuration in
            configuration.requestIDs = .off
            configuration.timeouts = spec.timeouts
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
        // Nobody waits for it, and an event must not tell of a file that a power cut takes away.
        options.synchronizesToDisk = true
        return api.download(endpoint, to: destination, options, placing: placing)
    }

    func upload(_ file: URL) -> Upload<Data> {
        api.uploading(endpoint, body: .file(at: file))
    }

    private var endpoint: Endpoint<Data> {
        Endpoint(method: spec.method, path: "", fields: spec.fields, accept: "*/*") { data, _, _ in data }
    }
}
#endif
