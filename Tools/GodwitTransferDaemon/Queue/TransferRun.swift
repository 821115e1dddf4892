#if os(Linux)

import GodwitBackground
import GodwitSupport

/// One run of a job: transfers, reports progress, and returns the result to the queue.
struct TransferRun: Sendable {
    enum Ending: Sendable {
        case ended(BackgroundEvent.Outcome)
        case failed(NetworkError)
        /// The queue has no space to note the next step.
        case blocked
        /// The control stopped it.
        case stopped
    }

    /// The maximum of a response to an upload that is kept, in bytes.
    private static let answerLimit = 64 << 10

    let queue: TransferQueue
    let job: StoredJob
    let control: RunControl

    func callAsFunction() async {
        let timer = Task { [queue, job, control] in
            let left = Double(job.deadline) - queue.time
            try? await queue.settings.clock.sleep(for: .bounded(seconds: left))
            if !Task.isCancelled { control.stop(.deadline) }
        }
        let ending = await ending()
        timer.cancel()
        await queue.settle(job, control, ending)
    }

    private func ending() async -> Ending {
        guard let (spec, placement) = queue.spec(of: job) else { return .ended(.failed(.unreadable)) }
        let client: TransferClient
        do throws(NetworkError) {
            client = try TransferClient(spec, queue.settings)
        } catch {
            return .failed(error)
        }
        let ending =
            switch spec.direction {
            case .download: await download(spec, placement, by: client)
            case .upload: await upload(spec, by: client)
            }
        await client.end()
        return ending
    }

    private func download(
        _ spec: TransferSpec, _ placement: DownloadPlacement?, by client: TransferClient
    ) async -> Ending {
        let destination = URL(filePath: spec.path)
        if let placement, placement.isDone {
            // An earlier process was killed between moving the file and saving that.
            placement.removeTraces(of: spec.url, to: destination)
            return .ended(.downloaded(URL(filePath: placement.target)))
        }
        let download = client.download(to: destination) { [queue, job] placement throws(NetworkError) in
            try queue.note(placement, of: job)
        }
        control.begin { reason in
            if reason == .cancel { download.cancel() } else { download.stop() }
        }
        for await progress in download.progress { queue.note(progress, of: job) }
        do throws(NetworkError) {
            return .ended(.downloaded(try await download.file))
        } catch {
            return ending(after: error)
        }
    }

    private func upload(_ spec: TransferSpec, by client: TransferClient) async -> Ending {
        if !spec.isRepeatable, !queue.noteSending(job) {
            return ending(after: NetworkError(.file(reason: "the queue can't be written"), phase: .building))
        }
        let upload = client.upload(URL(filePath: spec.path))
        control.begin { reason in
            // An upload that can't be repeated is only stopped if necessary.
            if spec.isRepeatable || ![.pause, .yield].contains(reason) { upload.cancel() }
        }
        for await progress in upload.progress { queue.note(progress, of: job) }
        do throws(NetworkError) {
            let response = try await upload.response
            let answer = Data(response.value.prefix(Self.answerLimit))
            return .ended(.uploaded(status: response.head.status.code, answer: answer))
        } catch {
            let mayHaveArrived = error.response == nil && [.sending, .receiving].contains(error.phase)
            if !spec.isRepeatable, mayHaveArrived, control.reason != .cancel { return .ended(.failed(.interrupted)) }
            return ending(after: error)
        }
    }

    private func ending(after error: NetworkError) -> Ending {
        if case .cancelled = error.kind, control.reason != nil { return .stopped }
        if case .file = error.kind, queue.isFull { return .blocked }
        return .failed(error)
    }
}

/// Sends the requests of a job.
struct TransferClient: Sendable {
    private let spec: TransferSpec
    private let api: APIClient
    /// The job's own transport if it has TLS rules.
    private let own: (any HTTPTransport)?

    /// Throws if a file that the job names can't be read.
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
        // An event must not report a file that a power failure would lose.
        options.synchronizesToDisk = true
        return api.download(endpoint, to: destination, options, placing: placing)
    }

    func upload(_ file: URL) -> Upload<Data> {
        api.uploading(endpoint, body: .file(at: file))
    }

    /// Shuts down the job's own transport.
    func end() async {
        await own?.shutdown(.cancelling)
    }

    /// The token in the file at this attempt. Only the program that signed in refreshes it.
    private static func credential(at path: String) -> Credential {
        .tokens(
            TokenRefresher(store: FileTokenStore(at: URL(filePath: path))) { _ in
                throw NotRefreshedHere()
            })
    }

    /// The error for a rejected token. It isn't a rejected refresh, which would clear the file: the program that signed in can
    /// still refresh the token.
    private struct NotRefreshedHere: Error {}

    private var endpoint: Endpoint<Data> {
        Endpoint(method: spec.method, path: "", fields: spec.fields, accept: "*/*") { data, _, _ in data }
    }
}
#endif
