public import Godwit

extension ClientConfiguration {
    /// Configures a client of the content API, whose JSON is in snake_case.
    public static var content: ClientConfiguration {
        var configuration = ClientConfiguration()
        configuration.json = JSONCoding(keys: .snakeCase)
        configuration.timeouts.total = .seconds(60)
        return configuration
    }
}
