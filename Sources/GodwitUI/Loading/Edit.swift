import GodwitCore

/// What mutations that aren't confirmed make of a value.
enum Edit<Value> {
    /// Nothing.
    case none
    /// Another value.
    case value(Value)
    /// No value, as after a deletion.
    case removed
}

extension Edit: Sendable where Value: Sendable {}

extension LoadingState {
    /// The same state with the value that an edit makes of it.
    func showing(_ edit: Edit<Value>) -> LoadingState {
        switch (edit, self) {
        case (.none, _): self
        case (.value(let value), .idle), (.value(let value), .loaded): .loaded(value)
        case (.value(let value), .loading): .loading(last: value)
        case (.value(let value), .failed(let error, _)): .failed(error, last: value)
        case (.removed, .loading): .loading(last: nil)
        case (.removed, .failed(let error, _)): .failed(error, last: nil)
        case (.removed, .idle), (.removed, .loaded): .idle
        }
    }
}

/// A value from the server.
struct LoadedValue<Value: Sendable>: Sendable {
    let value: Value
    /// The tag of the response; `nil` if it has none or isn't known.
    var etag: String?
}
