import GodwitCore

/// Where the content of one response goes.
enum ResponseSink: Sendable {
    /// The head is not in yet, or there is nothing to keep.
    case none
    /// Into memory, up to this many bytes.
    case buffer(limit: Int)
    case file(FileWriter, URL)
    case stream(BodyChannel)
}
