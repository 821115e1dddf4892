/// A value that is passed on far more often than it is changed: copies share it, and cost one reference count.
///
/// Requests and responses travel through every middleware and every `await`; what is large in them travels in this.
package final class Shared<Value: Sendable>: Sendable {
    /// What all copies share. It cannot change: to change it, make a new one.
    package let value: Value

    /// Puts a value into storage that copies share.
    package init(_ value: Value) {
        self.value = value
    }
}
