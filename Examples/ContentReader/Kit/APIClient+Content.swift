public import Godwit

extension ClientConfiguration {
    /// How a client of the content API is set up: it spells JSON in snake_case.
    public static var content: ClientConfiguration {
        var configuration = ClientConfiguration()
        configuration.json = JSONCoding(keys: .snakeCase)
        configuration.timeouts.total = .seconds(60)
        return configuration
    }
}
