extension NetworkError {
    /// What a closure of the program threw, as the one error that leaves the library: itself if it is a
    /// ``NetworkError``, `.cancelled` for `CancellationError`, and `.transport(.other)` with it below for everything else.
    ///
    /// The text names the type alone: what others write into their errors may hold secrets.
    init(thrown error: any Error, phase: Phase) {
        switch error {
        case let error as NetworkError: self = error
        case is CancellationError: self.init(.cancelled, phase: phase, underlying: error)
        default: self.init(.transport(.other("\(type(of: error)) was thrown")), phase: phase, underlying: error)
        }
    }

    /// What a closure threw that reads a body: `.decoding` for everything that is not a ``NetworkError``.
    init(thrown error: any Error, reading data: Data, as coding: JSONCoding) {
        if let error = error as? NetworkError {
            self = error
        } else {
            let failure = DecodingDiagnosis(of: error, in: data, keys: coding.keys).failure
            self.init(.decoding(failure), phase: .decoding, underlying: error)
        }
    }
}
