import GodwitCore

/// Finds the recording that matches a request, and tracks which were used.
struct CassetteTape: Sendable {
    let recordings: [Recording]
    private let matching: Cassette.Matching
    private var isUsed: [Bool]

    init(_ recordings: [Recording], _ matching: Cassette.Matching) {
        self.recordings = recordings
        self.matching = matching
        isUsed = recordings.map { _ in false }
    }

    var unused: [Recording] {
        zip(recordings, isUsed).compactMap { $1 ? nil : $0 }
    }

    /// A mismatch uses no recording.
    mutating func answer(to request: RecordedRequest) -> Result<RecordedResponse, CassetteMismatch> {
        let comparisons = recordings.map { RequestComparison($0.request, request, matching) }
        guard let index = match(among: comparisons) else { return .failure(mismatch(request, comparisons)) }
        isUsed[index] = true
        return .success(recordings[index].response)
    }

    private func match(among comparisons: [RequestComparison]) -> Int? {
        let fitting = comparisons.indices.filter { comparisons[$0].fits }
        switch matching.order {
        case .recorded: return isUsed.firstIndex(of: false).flatMap { fitting.contains($0) ? $0 : nil }
        case .any: return fitting.first { !isUsed[$0] } ?? fitting.last
        }
    }

    private func mismatch(_ request: RecordedRequest, _ comparisons: [RequestComparison]) -> CassetteMismatch {
        let expected = matching.order == .recorded ? isUsed.firstIndex(of: false) : nil
        let closest = expected ?? comparisons.indices.min { comparisons[$0].distance < comparisons[$1].distance }
        return CassetteMismatch(
            request: "\(request)", recording: closest.map { $0 + 1 },
            recordedRequest: closest.map { "\(recordings[$0].request)" },
            differences: closest.map { comparisons[$0].differences } ?? [],
            outOfTurn: comparisons.firstIndex { $0.fits }.map { $0 + 1 },
            isUsedUp: !recordings.isEmpty && !isUsed.contains(false))
    }
}
