/// A model as a ``ModelStore`` keeps it.
public struct StoredModel: Sendable, Hashable {
    /// The model, encoded.
    public let data: Data

    /// When it came from the server, by the clock of this machine.
    public let date: Date

    /// Which change of its path it came after; 0 if no change is known. A store keeps it as it is.
    public let revision: UInt64

    /// Makes a stored model.
    ///
    /// - Parameters:
    ///   - data: The value, encoded.
    ///   - date: When it came from the server.
    ///   - revision: The number of the last change of its path. 0 by default.
    public init(data: Data, date: Date, revision: UInt64 = 0) {
        self.data = data
        self.date = date
        self.revision = revision
    }
}

extension StoredModel {
    /// Encodes a model; nil for one that cannot be encoded, such as an infinite number.
    ///
    /// By a coding of the library's own, which reads back exactly what it wrote: an API's may round dates, and spell
    /// keys in ways that cannot be undone.
    init?(_ model: some Encodable, date: Date, revision: UInt64) {
        guard let data = try? JSONEncoder().encode(model) else { return nil }
        self.init(data: data, date: date, revision: revision)
    }

    /// The model; nil where the data is not one of this type, as after a program's update.
    func decoded<Model: Decodable>() -> Model? {
        try? JSONDecoder().decode(Model.self, from: data)
    }
}
