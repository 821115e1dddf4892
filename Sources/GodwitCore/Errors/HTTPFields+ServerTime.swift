extension HTTPFields {
    /// The server's own clock, from `Date`; ours where it does not tell.
    var serverTime: Date {
        let local = Date()
        return agreedValue(of: .date).flatMap { HTTPDate.parse($0, now: local) } ?? local
    }
}
