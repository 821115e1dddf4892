import Observation

/// Returns once the condition holds, as its observation tells; nothing is polled.
@MainActor
func until(_ condition: @MainActor () -> Bool) async {
    while true {
        let holds = await withUnsafeContinuation { continuation in
            let once = Once(continuation)
            let holds = withObservationTracking(condition) { Task { @MainActor in once.resume(returning: false) } }
            if holds { once.resume(returning: true) }
        }
        if holds { return }
    }
}

/// Resumes once, however often it is told to.
@MainActor
private final class Once {
    private var continuation: UnsafeContinuation<Bool, Never>?

    init(_ continuation: UnsafeContinuation<Bool, Never>) {
        self.continuation = continuation
    }

    func resume(returning value: Bool) {
        continuation?.resume(returning: value)
        continuation = nil
    }
}

/// Writes down a value whenever what it is made of changes.
@MainActor
final class History<Value: Equatable & SendableMetatype> {
    private(set) var values: [Value] = []
    private let read: @MainActor () -> Value

    init(_ read: @escaping @MainActor () -> Value) {
        self.read = read
        note()
    }

    /// Reads once more what has changed since.
    func catchUp() {
        let value = read()
        if values.last != value { values.append(value) }
    }

    private func note() {
        let value = withObservationTracking(read) { Task { @MainActor [weak self] in self?.note() } }
        if values.last != value { values.append(value) }
    }
}
