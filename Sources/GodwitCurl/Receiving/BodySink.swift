import GodwitCore

/// Where the content of one response goes.
enum BodySink {
    /// The head is not in yet, or there is nothing to keep.
    case none
    case buffer(BufferSink)
    case file(FileWriter, URL)
    case stream(StreamSink)
}
