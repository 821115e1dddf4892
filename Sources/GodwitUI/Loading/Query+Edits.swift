import GodwitCore

// Mutations are applied again whenever the base changes: to a draft, which is then published at once.
extension Query {
    /// The value with the mutations applied so far.
    var draftValue: Value? {
        get {
            switch draft {
            case .none: value
            case .value(let value): value
            case .removed: nil
            }
        }
        set { draft = newValue.map { .value($0) } ?? .removed }
    }

    func beginDraft(from start: Int) { draft = .none }

    func publishDraft() {
        if case .none = draft, case .none = edit { return }
        edit = draft
    }

    /// Replaces the confirmed value.
    ///
    /// - Parameters:
    ///   - value: The value; `nil` if it doesn't exist any more.
    ///   - origin: Who made the value.
    ///
    /// The `ETag` stays, although the value may have another one now: a change that depends on a former version is
    /// refused, whereas one that depends on none would overwrite what somebody else has changed.
    func confirm(_ value: Value?, by origin: ConfirmedOrigin) {
        guard let value else {
            isRemoved = isRemoved || self.value != nil
            self.value = nil
            date = nil
            reading = nil
            etag = nil
            return loads.send(.removed)
        }
        self.value = value
        if origin == .server { date = loads.now() }
        reading = reading.map { _ in
            Reading(value: value, date: loads.now(), isStale: origin == .client, source: .network)
        }
        loads.send(.set(origin))
    }
}

extension Query {
    /// The condition of a change of this version (`If-Match`). A weak tag never matches (RFC 9110, section 13.1.1).
    var versionCondition: String {
        guard let etag, !etag.hasPrefix("W/") else { return "*" }
        return etag
    }
}

/// Who made a value that the server confirmed.
package enum ConfirmedOrigin {
    /// The client, by applying an accepted mutation itself. The server may have changed more than that.
    case client
    /// The server.
    case server
}
