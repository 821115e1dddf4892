extension NetworkError {
    /// A decoding error that names the value of the stream it happened in, counted from 1.
    func inValue(_ number: Int) -> NetworkError {
        guard case .decoding(let failure) = kind else { return self }
        var error = self
        error.kind = .decoding(
            .init(path: failure.path, reason: "\(failure.reason) (value \(number))", snippet: failure.snippet))
        return error
    }
}
