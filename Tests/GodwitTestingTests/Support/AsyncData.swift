import GodwitCore

extension Array where Element == String {
    /// The texts as an asynchronous sequence of chunks.
    var asyncData: AsyncStream<Data> {
        AsyncStream { continuation in
            for text in self { continuation.yield(Data(text.utf8)) }
            continuation.finish()
        }
    }
}
