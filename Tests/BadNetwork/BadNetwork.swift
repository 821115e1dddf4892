import Testing

/// Root of the bad-network suite: what happens if a peer or the network misbehaves.
///
/// Each suite inside extends this type, so that the whole runs with `--filter BadNetwork`.
@Suite("Bad networks", .serialized, .timeLimit(.minutes(5)))
enum BadNetwork {}
