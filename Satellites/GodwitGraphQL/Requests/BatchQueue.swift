import GodwitCore
import GodwitSupport
import Synchronization

/// Collects queries for a short time and sends them as one request: a JSON array of operations. Each answer goes to the
/// caller of its query.
final class BatchQueue: Sendable {
    typealias Outcome = Result<(RawResult, HTTPResponse), NetworkError>

    private struct Entry: Sendable {
        let operation: JSONMembers
        let waiter = Waiter<Outcome>()
    }

    /// The queries of one request. They belong to one account.
    private struct Batch: Sendable {
        let account: AccountStamp
        var entries: [Entry] = []
        /// The callers that wait for the response, also while the request is in progress.
        var waiting: Set<ObjectIdentifier> = []
        /// The task that waits for more queries, or sends them.
        var task: Task<Void, Never>?
    }

    /// Under one lock, so that a query never joins a batch that another decision has just sent or ended.
    private struct State: Sendable {
        var batches: [UInt64: Batch] = [:]
        var lastID: UInt64 = 0
        /// The batch that takes more queries.
        var open: UInt64?
    }

    private let batching: GraphQLBatching
    private let exchange: OperationExchange
    private let state = Mutex(State())

    init(_ batching: GraphQLBatching, _ exchange: OperationExchange) {
        self.batching = batching
        self.exchange = exchange
    }

    /// Sends a query with others. Canceling the task ends only this wait; the last one to leave ends the request.
    func send(_ operation: JSONMembers) async throws(NetworkError) -> (RawResult, HTTPResponse) {
        let entry = Entry(operation: operation)
        let id = join(entry)
        let outcome = await entry.waiter.value {
            leave(id, entry)
            entry.waiter.resume(returning: .failure(NetworkError(.cancelled, phase: .sending)))
        }
        return try outcome.get()
    }

    private func join(_ entry: Entry) -> UInt64 {
        let account = exchange.api.accountSession.stamp
        return state.withLock { state in
            let open = state.open.flatMap { state.batches[$0]?.account == account ? $0 : nil }
            if open == nil { state.lastID += 1 }
            let id = open ?? state.lastID
            var batch = state.batches[id] ?? Batch(account: account)
            batch.entries.append(entry)
            batch.waiting.insert(ObjectIdentifier(entry.waiter))
            let isFull = batch.entries.count >= batching.limit
            if isFull {
                // The former task only waits: it sends nothing once another has its place.
                batch.task?.cancel()
                batch.task = Task { [self, entries = batch.entries] in await run(id, account, entries) }
                batch.entries = []
            } else if open == nil {
                batch.task = Task { [self] in
                    try? await exchange.api.configuration.clock.sleep(for: batching.window.bounded)
                    if let entries = take(id) { await run(id, account, entries) }
                }
            }
            state.open = isFull ? nil : id
            state.batches[id] = batch
            return id
        }
    }

    /// Takes the queries of a batch whose time is over; `nil` if it was sent or ended before.
    private func take(_ id: UInt64) -> [Entry]? {
        state.withLock { state in
            guard state.open == id || state.batches[id]?.entries.isEmpty == false else { return nil }
            if state.open == id { state.open = nil }
            let entries = state.batches[id]?.entries ?? []
            state.batches[id]?.entries = []
            return entries.isEmpty ? nil : entries
        }
    }

    private func leave(_ id: UInt64, _ entry: Entry) {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard var batch = state.batches[id] else { return nil }
            batch.waiting.remove(ObjectIdentifier(entry.waiter))
            // A query that wasn't sent yet isn't sent at all.
            batch.entries.removeAll { $0.waiter === entry.waiter }
            guard batch.waiting.isEmpty else {
                state.batches[id] = batch
                return nil
            }
            state.batches[id] = nil
            if state.open == id { state.open = nil }
            return batch.task
        }
        task?.cancel()
    }

    private func run(_ id: UInt64, _ account: AccountStamp, _ entries: [Entry]) async {
        let outcomes = await outcomes(of: entries.map(\.operation), for: account)
        state.withLock { _ = $0.batches.removeValue(forKey: id) }
        for (entry, outcome) in zip(entries, outcomes) { entry.waiter.resume(returning: outcome) }
    }

    private func outcomes(of operations: [JSONMembers], for account: AccountStamp) async -> [Outcome] {
        do throws(NetworkError) {
            guard exchange.api.accountSession.isCurrent(account) else { throw .accountChanged(.sending) }
            return try await exchange.send(batch: operations, for: account)
        } catch {
            return operations.map { _ in .failure(error) }
        }
    }
}

extension OperationExchange {
    /// Sends queries in one request.
    ///
    /// - Returns: An outcome for each.
    fileprivate func send(
        batch operations: [JSONMembers], for account: AccountStamp
    ) async throws(NetworkError) -> [BatchQueue.Outcome] {
        let body = Array("[".utf8) + operations.map(\.text).joined(separator: Array(",".utf8)) + Array("]".utf8)
        let endpoint = Endpoint(raw: .post, path, body: .data(Data(body), type: .json), accept: Self.accept)
        let request = try api.request(
            for: endpoint.options { options in
                options.onlyReads = true
                options.modelInvalidation = .off
            })
        let response = try await api.send(request.bound(to: account))
        let data = try await self.body(of: response)
        guard isWellFormed(response.head) else { throw refusal(response, data) }
        return try answers(data, operations.count, response)
    }

    private func answers(
        _ data: Data, _ count: Int, _ response: HTTPResponse
    ) throws(NetworkError) -> [BatchQueue.Outcome] {
        guard let root = (try? JSONDocument(parsing: data))?.root else { throw mismatch("not JSON", response) }
        // A server without batches answers with one error for all.
        if root.kind == .object, let result = RawResult(root), !result.errors.isEmpty {
            throw result.failure(response)
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
