/// Identifies what the task of a view loads: when it changes, the task starts again.
package struct LoadIdentity: Hashable {
    let model: ObjectIdentifier
    let key: AnyHashable?
    /// What was cleared, because the account changed, is loaded again.
    let resetCount: Int
}

extension Loader {
    package var loadIdentity: LoadIdentity {
        LoadIdentity(model: ObjectIdentifier(self), key: nil, resetCount: resetCount)
    }
}

extension KeyedLoader {
    package func loadIdentity(of key: Key) -> LoadIdentity {
        LoadIdentity(model: ObjectIdentifier(self), key: key, resetCount: resetCount)
    }
}

extension PageLoader {
    package var loadIdentity: LoadIdentity {
        LoadIdentity(model: ObjectIdentifier(self), key: nil, resetCount: resetCount)
    }
}
