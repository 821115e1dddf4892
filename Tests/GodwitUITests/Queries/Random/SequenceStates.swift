/// Notices states of loading that no request explains, and lists that forget their end.
struct SequenceStates {
    private struct Look {
        let isLoading: Bool
        let hasMore: Bool
    }

    private var last: [String: Look] = [:]
    /// The number of requests when a loading began, in this step.
    private var begun: [String: Int] = [:]
    /// What ended to load in this step.
    private var ended: Set<String> = []
    /// How many requests the server had answered when each of the last steps began.
    private var answers: [Int] = []

    /// Whether requests are held: otherwise, one may be over before a look, and the next one begun.
    private var isWatched = false

    /// - Parameter answers: How many requests the server has answered.
    mutating func beginStep(isWatched: Bool, answers: Int) {
        (self.isWatched, begun, ended) = (isWatched, [:], [])
        self.answers = self.answers.suffix(4) + [answers]
    }

    /// Looks at the state of a loader or a list. Returns what is wrong.
    ///
    /// - Parameters:
    ///   - requests: How many requests the server got so far.
    ///   - answered: How many of them it has answered.
    mutating func look(
        at name: String, isLoading: Bool, hasMore: Bool = false, _ requests: Int, answered: Int
    ) -> String? {
        let former = last.updateValue(Look(isLoading: isLoading, hasMore: hasMore), forKey: name)
        guard isWatched else { return nil }
        if former?.hasMore == false, hasMore, isLoading { return "the \(name) has more again while it is refreshed" }
        guard former?.isLoading != isLoading else { return nil }
        if isLoading {
            begun[name] = requests
            // On a busy machine, two answers of the last steps may arrive in this one: that of the load, and that of a
            // mutation which makes the value stale.
            let isExplained = answered - (answers.first ?? 0) > 1
            if ended.contains(name), !isExplained { return "\(name) ends to load and begins again in one step" }
        } else {
            ended.insert(name)
            if begun[name] == requests { return "\(name) begins and ends to load without a request" }
        }
        return nil
    }

    /// What is loading.
    var loading: [String] { last.filter(\.value.isLoading).keys.sorted() }
}
