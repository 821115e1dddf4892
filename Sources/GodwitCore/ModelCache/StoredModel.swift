/// A model as a ``ModelStore`` keeps it.
public struct StoredModel: Sendable, Hashable {
    /// The model, encoded.
    public let data: Data

    /// When it came from the server, by the clock of this machine.
    public let date: Date

    /// Makes a stored model.
    ///
    /// - Parameters:
    ///   - data: The value, encoded.
    ///   - date: When it came from the server.
    public init(data: Data, date: Date) {
        self.data = data
        self.date = date
    }
}

extension StoredModel {
    /// Encodes a model; nil for one that cannot be encoded, such as an infinite number.
    ///
    /// By a coding of the library's own, which reads back exactly what it wrote: an API's may round dates, and spell
    /// keys in ways that cannot be undone.
    init?(_ model: some Encodable, date: Date) {
        guard let data = try? JSONEncoder().encode(model) else { return nil }
        self.init(data: data, date: date)
    }

    /// The model; nil where the data is not one of this type, as after a program's update.
    func decoded<Model: Decodable>() -> Model? {
        try? JSONDecoder().decode(Model.self, from: data)
    }
}
