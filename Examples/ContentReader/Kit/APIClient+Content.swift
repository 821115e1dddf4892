public import Godwit

extension ClientConfiguration {
    /// Configures a client of the content API, whose JSON is in snake_case.
    public static var content: ClientConfiguration {
        var configuration = ClientConfiguration()
        configuration.json = JSONCoding(keys: .snakeCase)
        configuration.timeouts.total = .seconds(60)
        return configuration
    }

    /// Configures the client of the reader: signed in, with a response cache.
    ///
    /// - Parameters:
    ///   - tokens: Where the token is kept, for example in the keychain.
    ///   - models: The user's values, removed at sign-out.
    ///   - cache: The responses, also removed at sign-out; pictures among them.
    public static func reader(
        tokens: some TokenStore, models: (any ModelStore)? = nil, cache: CacheSetting = .memory(limit: 20 << 20)
    ) -> ClientConfiguration {
        var configuration = content
        configuration.authentication = .refreshing(tokens) { api, old throws(NetworkError) in
            try await api.send(.refresh(old)).token
        }
        configuration.cache = cache
        configuration.retry.maximumAttempts = 2
        if let models { configuration.modelStores = [models] }
        return configuration
    }
}
