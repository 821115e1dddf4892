extension HTTPBody {
    /// The first bytes, as far as they can be had: an error on the way ends them early.
    func beginning(upTo limit: Int) async -> Data {
        if case .bytes(let data) = storage { return data.count > limit ? Data(data.prefix(limit)) : data }
        var beginning = Data()
        var chunks = makeAsyncIterator()
        while beginning.count < limit, let chunk = try? await chunks.next(isolation: nil) {
            beginning.append(chunk.prefix(limit - beginning.count))
        }
        return beginning
    }
}
