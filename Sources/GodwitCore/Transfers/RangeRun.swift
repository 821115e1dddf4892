import GodwitSupport
import Synchronization

/// Fetches the missing ranges of a content over several connections at once, all with the same validator.
struct RangeRun: Sendable {
    private static let smallestPiece: Int64 = 1 << 20
    private static let largestPiece: Int64 = 16 << 20
    /// How often the ticket is saved while a range is fetched: a killed process loses what came after that.
    private static let saveInterval = Duration.seconds(1)

    private enum Failure: Error {
        case fault(DownloadState.RangeFault)
        case failed(NetworkError)
    }

    /// When the ticket was saved last.
    private final class SaveTimer: Sendable {
        private let last: Mutex<Duration>

        init(_ now: Duration) {
            last = Mutex(now)
        }

        /// Whether it is time to save; each interval is reported to one caller.
        func isDue(at now: Duration) -> Bool {
            last.withLock { last in
                guard now - last >= RangeRun.saveInterval else { return false }
                last = now
                return true
            }
        }
    }

    private let run: DownloadRun
    private let file: PartialFile
    private let validator: ResumeValidator
    private let total: Int64
    private let timer: SaveTimer

    private var record: DownloadRecord { run.record }

    init(run: DownloadRun, file: PartialFile, validator: ResumeValidator, total: Int64) {
        self.run = run
        self.file = file
        self.validator = validator
        self.total = total
        timer = SaveTimer(run.timeline.now)
    }

    /// Runs until everything is received, or ranges turn out not to work.
    func callAsFunction() async throws(NetworkError) {
        let connections = record.update { state in
            state.startRanges(total: total)
            return state.connections
        }
        // The file has gaps from the first write on, and the ticket must say so before.
        try await save()
        let pieceSize = min(max(total / Int64(connections * 4), Self.smallestPiece), Self.largestPiece)
        let failure = await withTaskGroup(of: Failure?.self) { group in
            for _ in 0..<connections { group.addTask { await work(pieceSize) } }
            var first: Failure?
            for await failure in group where failure != nil && first == nil {
                // The others are canceled and fail because of that.
                first = failure
                group.cancelAll()
            }
            return first
        }
        switch failure {
        case nil: record.update { $0.finishRanges() }
        case .failed(let error):
            record.update { $0.finishRanges() }
            throw error
        case .fault(let fault):
            record.update { $0.finishRanges(fault) }
            try file.truncate(to: record.ticket.offset)
        }
    }

    /// Fetches one piece after the other; returns what prevented it.
    private func work(_ pieceSize: Int64) async -> Failure? {
        do throws(Failure) {
            while let piece = record.update({ $0.takeRange(upTo: pieceSize) }) {
                var missing = piece
                while !missing.isEmpty { missing = try await fetch(missing) }
                try await attempt(save)
            }
            return nil
        } catch {
            return error
        }
    }

    private func attempt<Value>(
        _ body: () async throws(NetworkError) -> Value
    ) async throws(Failure) -> Value {
        do throws(NetworkError) {
            return try await body()
        } catch {
            throw .failed(error)
        }
    }

    /// Saves the ticket. It must not name bytes that a power failure would lose, as the file's size doesn't show gaps.
    private func save() async throws(NetworkError) {
        let file = run.options.synchronizesToDisk ? file : nil
        try await record.save { () throws(NetworkError) in try file?.synchronizeNow() }
    }

    /// Makes one attempt to fetch a piece; returns what is still missing.
    private func fetch(_ piece: Range<Int64>) async throws(Failure) -> Range<Int64> {
        var place = piece.lowerBound
        do throws(Failure) {
            let (body, end) = try await response(for: piece)
            try await write(body, upTo: end, at: &place)
        } catch {
            guard case .failed(let cause) = error else { throw error }
            try await attempt { () throws(NetworkError) in try await run.wait(after: cause) }
        }
        return place..<piece.upperBound
    }

    private func response(for piece: Range<Int64>) async throws(Failure) -> (HTTPBody, end: Int64) {
        let response: HTTPResponse
        do throws(NetworkError) {
            response = try await run.accepted(request(for: piece))
        } catch {
            // After `Retry-After`, the server sends parts again.
            throw error.response == nil || error.suggestedRetryDelay != nil ? .failed(error) : .fault(.refused)
        }
        let fields = response.head.fields
        // A server may send less than was requested, and nothing else.
        guard response.head.status == .partialContent, validator.isConfirmed(by: fields), response.head.isUncoded,
            let range = fields.agreedValue(of: .contentRange).flatMap(ContentRange.init), let bytes = range.bytes,
            range.total ?? total == total, bytes.lowerBound == piece.lowerBound, bytes.upperBound <= piece.upperBound
        else { throw .fault(.changed) }
        return (response.body, bytes.upperBound)
    }

    private func request(for piece: Range<Int64>) -> HTTPRequest {
        var request = run.request
        request.fields[.acceptEncoding] = "identity"
        request.fields[.range] = "bytes=\(piece.lowerBound)-\(piece.upperBound - 1)"
        request.fields[.ifRange] = validator.condition
        return request
    }

    private func write(_ body: HTTPBody, upTo end: Int64, at place: inout Int64) async throws(Failure) {
        do throws(NetworkError) {
            for try await chunk in body {
                let range = place..<(place + Int64(chunk.count))
                guard range.upperBound <= end else { throw DownloadRun.excess }
                try file.write(chunk, at: place)
                let received = record.update { state in
                    state.add(range)
                    return state.received
                }
                place = range.upperBound
                run.observer.advance(to: received, total: total)
                if timer.isDue(at: run.timeline.now) { try await save() }
            }
            guard place == end else { throw run.prematureEnd }
        } catch {
            throw .failed(error)
        }
    }
}
