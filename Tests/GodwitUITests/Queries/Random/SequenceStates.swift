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

    /// Whether requests are held: otherwise, one may be over before a look.
    private var isWatched = false

    mutating func beginStep(isWatched: Bool) { (self.isWatched, begun, ended) = (isWatched, [:], []) }

    /// Looks at the state of a loader or a list. Returns what is wrong.
    ///
    /// - Parameter requests: How many requests the server got so far.
    mutating func look(at name: String, isLoading: Bool, hasMore: Bool = false, requests: Int) -> String? {
        let former = last.updateValue(Look(isLoading: isLoading, hasMore: hasMore), forKey: name)
        if former?.hasMore == false, hasMore, isLoading { return "the \(name) has more again while it is refreshed" }
        guard isWatched, former?.isLoading != isLoading else { return nil }
        if isLoading {
            begun[name] = requests
            if ended.contains(name) { return "\(name) ends to load and begins again in one step" }
        } else {
            ended.insert(name)
            if begun[name] == requests { return "\(name) begins and ends to load without a request" }
        }
        return nil
    }

    /// What is loading.
    var loading: [String] { last.filter(\.value.isLoading).keys.sorted() }
}
