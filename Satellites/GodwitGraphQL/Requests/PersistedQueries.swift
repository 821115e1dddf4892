import GodwitCore

/// What a server says about a hash.
enum PersistedQueryAnswer {
    case notFound, notSupported
    /// Without data for another reason: the server may not know persisted queries at all, and miss the text.
    case refused

    /// Statuses that ask for something else than the text.
    private static let unrelated: Set<Int> = [401, 403, 407, 408, 429, 503]

    /// `nil` if the server ran the operation, or failed for another reason.
    ///
    /// - Parameters:
    ///   - result: The body; `nil` if it isn't a GraphQL response.
    ///   - onlyReads: Whether the operation is a query.
    init?(_ result: RawResult?, _ status: HTTPStatus, onlyReads: Bool) {
        let errors = result?.errors ?? []
        // A server that has data, or an error of a field, has run the operation.
        guard result?.data == nil, errors.allSatisfy(\.path.isEmpty) else { return nil }
        for error in errors {
            switch (error.code, error.message) {
            case ("PERSISTED_QUERY_NOT_FOUND", _), (_, "PersistedQueryNotFound"): self = .notFound
            case ("PERSISTED_QUERY_NOT_SUPPORTED", _), (_, "PersistedQueryNotSupported"): self = .notSupported
            default: continue
            }
            return
        }
        // A query can run twice; a mutation must not depend on that a server without data didn't run it.
        let isAnswer = result != nil || (400..<500).contains(status.code)
        guard onlyReads, isAnswer, !Self.unrelated.contains(status.code) else { return nil }
        self = .refused
    }
}

/// Whether a server knows persisted queries, as far as its responses have shown.
enum PersistedQuerySupport {
    case unknown, supported, unsupported

    /// Whether a hash is sent without the text.
    ///
    /// A server without persisted queries may refuse a hash in any words. A query can be sent again then; a mutation can't,
    /// so it waits for the first response to a query.
    func allowsHash(onlyReads: Bool) -> Bool {
        switch self {
        case .unknown: onlyReads
        case .supported: true
        case .unsupported: false
        }
    }

    /// Notes what a server said about a hash, and whether the text had data then.
    mutating func note(_ answer: PersistedQueryAnswer, succeeded: Bool) {
        switch answer {
        case .notFound: self = .supported
        case .notSupported: self = .unsupported
        // A server that misses the text may also refuse the variables: only data tells the two apart.
        case .refused: if succeeded { self = .unsupported }
        }
    }
}
