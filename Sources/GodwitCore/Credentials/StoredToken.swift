/// A token as stores keep it, as JSON.
enum StoredToken {
    static func encode(_ token: AccessToken) throws(TokenStoreError) -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        guard let data = try? encoder.encode(token) else {
            throw .other(reason: "the token cannot be written as JSON; is its expiry a finite date?")
        }
        return data
    }

    static func decode(_ data: Data) throws(TokenStoreError) -> AccessToken {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        guard let token = try? decoder.decode(AccessToken.self, from: data) else {
            throw .other(reason: "what is stored does not hold a token; remove it and sign in again")
        }
        return token
    }
}
