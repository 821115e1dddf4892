import GodwitCore
import Synchronization

/// Collects queries for a short time and sends them as one request: a JSON array of operations. Each answer goes to the
/// caller of its query.
final class BatchQueue: Sendable {
    typealias Outcome = Result<(RawResult, HTTPResponse), NetworkError>

    private struct Entry: Sendable {
        let operation: JSONMembers
        let waiter: Waiter<Outcome>
    }

    /// The queries of one request. They belong to one account.
    private final class Batch: Sendable {
        struct State: Sendable {
            var entries: [Entry] = []
            var waiting = 0
            var isSealed = false
            var task: Task<Void, Never>?
        }

        let account: AccountStamp
        let state = Mutex(State())

        init(_ account: AccountStamp) {
            self.account = account
        }
    }

    private let batching: GraphQLBatching
    private let exchange: OperationExchange
    private let open = Mutex<Batch?>(nil)

    init(_ batching: GraphQLBatching, _ exchange: OperationExchange) {
        (self.batching, self.exchange) = (batching, exchange)
    }

    /// Sends a query with others. Canceling the task ends only this wait; the last one to leave ends the request.
    func send(_ operation: JSONMembers) async throws(NetworkError) -> (RawResult, HTTPResponse) {
        let entry = Entry(operation: operation, waiter: Waiter())
        let batch = join(entry)
        let outcome = await entry.waiter.value {
            leave(batch)
            entry.waiter.resume(returning: .failure(NetworkError(.cancelled, phase: .sending)))
        }
        return try outcome.get()
    }

    private func join(_ entry: Entry) -> Batch {
        let account = exchange.api.accountSession.stamp
        let (batch, isNew) = open.withLock { open -> (Batch, Bool) in
            let isOld = open.map { $0.account != account } ?? true
            let batch = isOld ? Batch(account) : open ?? Batch(account)
            let isFull = batch.state.withLock { state in
                state.entries.append(entry)
                state.waiting += 1
                return state.entries.count >= batching.limit
            }
            open = isFull ? nil : batch
            if isFull { batch.state.withLock { $0.isSealed = true } }
            return (batch, isOld)
        }
        if isNew { start(batch) } else if batch.state.withLock(\.isSealed) { restart(batch) }
        return batch
    }

    /// Starts the wait of a batch. A full one is sent immediately.
    private func start(_ batch: Batch) {
        let isFull = batch.state.withLock(\.isSealed)
        let task = Task { [self] in
            if !isFull { try? await exchange.api.configuration.clock.sleep(for: batching.window) }
            await run(batch)
        }
        batch.state.withLock { $0.task = task }
    }

    /// Sends a batch that became full. The task that waits finds it sent.
    private func restart(_ batch: Batch) {
        let task = Task { [self] in await run(batch) }
        batch.state.withLock { state in
            state.task?.cancel()
            state.task = task
        }
    }

    private func leave(_ batch: Batch) {
        let task = batch.state.withLock { state -> Task<Void, Never>? in
            state.waiting -= 1
            return state.waiting == 0 ? state.task : nil
        }
        guard let task else { return }
        open.withLock { if $0 === batch { $0 = nil } }
        task.cancel()
    }

    private func run(_ batch: Batch) async {
        guard !Task.isCancelled else { return }
        open.withLock { if $0 === batch { $0 = nil } }
        let entries = batch.state.withLock { state in
            defer { state.entries = [] }
            return state.entries
        }
        guard !entries.isEmpty else { return }
        let outcomes = await outcomes(of: entries.map(\.operation), for: batch.account)
        for (entry, outcome) in zip(entries, outcomes) { entry.waiter.resume(returning: outcome) }
    }

    private func outcomes(of operations: [JSONMembers], for account: AccountStamp) async -> [Outcome] {
        do throws(NetworkError) {
            guard exchange.api.accountSession.isCurrent(account) else {
                throw NetworkError(.cancelled, phase: .sending, underlying: AccountChanged())
            }
            return try await exchange.send(batch: operations)
        } catch {
            return operations.map { _ in .failure(error) }
        }
    }
}

extension OperationExchange {
    /// Sends queries in one request.
    ///
    /// - Returns: An outcome for each.
    fileprivate func send(batch operations: [JSONMembers]) async throws(NetworkError) -> [BatchQueue.Outcome] {
        let body = Array("[".utf8) + operations.map(\.text).joined(separator: Array(",".utf8)) + Array("]".utf8)
        let endpoint = Endpoint<Data>(
            method: .post, path: path, body: .data(Data(body), type: .json), accept: Self.accept
        ) { data, _, _ in data }
        let request = try api.request(
            for: endpoint.options { options in
                options.onlyReads = true
                options.modelInvalidation = .off
            })
        let response = try await api.send(request)
        let data = try await response.body.collect(upTo: api.configuration.bufferLimit)
        guard isWellFormed(response.head) else { throw refusal(response, data) }
        return try answers(data, operations.count, response)
    }

    private func answers(
        _ data: Data, _ count: Int, _ response: HTTPResponse
    ) throws(NetworkError) -> [BatchQueue.Outcome] {
        guard let root = (try? JSONDocument(parsing: data))?.root else { throw mismatch("not JSON", response) }
        // A server without batches answers with one error for all.
        if root.kind == .object, let result = RawResult(root), !result.errors.isEmpty {
            throw result.failure(response.head).adding(response)
        }
        let elements = Array(root.elements)
        guard elements.count == count else {
            throw mismatch("\(elements.count) results for a batch of \(count)", response)
        }
        return elements.map { element in
            RawResult(element).map { .success(($0, response)) }
                ?? .failure(mismatch("an element that is not a GraphQL response", response))
        }
    }

    private func mismatch(_ reason: String, _ response: HTTPResponse) -> NetworkError {
        NetworkError(.decoding(.init(path: "", reason: "the body has \(reason)")), phase: .decoding).adding(response)
    }
}
