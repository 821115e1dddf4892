#if os(Linux)
import GodwitBackground

/// One run of a job: transfers, tells how far it is, and ends with what the queue has to know.
struct TransferRun: Sendable {
    enum Ending: Sendable {
        case ended(BackgroundEvent.Outcome)
        case failed(NetworkError)
        /// Somebody asked for it.
        case stopped
    }

    /// The most that is kept of what a server says to an upload.
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
            // A process before this one died between moving the file and writing that down.
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
            return .failed(NetworkError(.file(reason: "the queue's file cannot be written to"), phase: .building))
        }
        let upload = client.upload(URL(filePath: spec.path))
        control.begin { reason in
            // What cannot be taken up again is not stopped half-way without need.
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
        return .failed(error)
    }
}
#endif
