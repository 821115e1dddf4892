extension AccountSession {
    /// The stamp that a call has from this session; the current one for a call that came by another way.
    func stamp(of call: Call) -> AccountStamp {
        guard let own = call.account, gave(own) else { return stamp }
        return own
    }

    /// The error of a request that belongs to a former account; `nil` lets it out.
    ///
    /// This is the last check before the transport: whatever waited, and whatever attached a credential meanwhile, ends
    /// here if the account changed.
    func refusal(of call: Call) -> NetworkError? {
        guard let stamp = call.account, !isCurrent(stamp) else { return nil }
        let request = call.request
        let isAnonymous =
            request.options.authentication == .none && !request.fields.contains(.cookie)
            && !request.fields.contains(.authorization)
        return isAnonymous ? nil : changed(request)
    }

    /// The account that the task refreshes the token of, if it is one of this session.
    var ownerOfTask: AccountStamp? { Self.ownerOfTask.flatMap { gave($0) ? $0 : nil } }
}
