import Godwit

nonisolated extension Tour {
    static let failureSteps = [
        TourStep(name: "not valid") { api in
            let draft = ArticleDraft(title: " ", body: "…", authorId: 99)
            let error = try await failure { () throws(NetworkError) in try await api.send(.create(draft)) }
            guard case .validationFailed(let fields) = error.kind else {
                throw Deviation(description: "expected a validation error, got \(error)")
            }
            try expect(fields.map(\.field) == ["author_id", "title"], "other fields than expected: \(fields)")
            return "422: " + fields.map { "\($0.field) \($0.messages.joined(separator: ", "))" }.joined(separator: "; ")
        },
        TourStep(name: "not there") { api in
            let error = try await failure { () throws(NetworkError) in try await api.send(.article(id: 1_000_000)) }
            try expect(error.kind == .notFound, "expected .notFound, got \(error)")
            return "404: \(error.problem?.detail ?? "no detail")"
        },
        TourStep(name: "too late") { api in
            let endpoint = Endpoint<Void>.slow(seconds: 30).timeout(.milliseconds(100))
            let error = try await failure { () throws(NetworkError) in try await api.send(endpoint) }
            try expect(error.kind == .timedOut(.total), "expected a timeout, got \(error)")
            return "an answer that takes 30 s, given up after 100 ms: \(error.shortDescription)"
        },
        TourStep(name: "cancelled") { api in
            let load = Task { await api.result(of: .slow(seconds: 30)) }
            try await Task.sleep(for: .milliseconds(100))
            let start = ContinuousClock.now
            load.cancel()
            guard case .failure(let error) = await load.value, error.kind == .cancelled else {
                throw Deviation(description: "the load was not cancelled")
            }
            return "a load under way, cancelled after 100 ms; it ended \((ContinuousClock.now - start).short) later"
        },
    ]
}
