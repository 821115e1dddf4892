/// An operation that exchanges a refresh token for new tokens.
struct SessionPlan: Sendable, Hashable {
    /// The operation, whose body has only the refresh token as a required property.
    var operation: OperationPlan
    /// The type of the body.
    var body: SwiftType
    /// The property of the body.
    var token: String
    /// The tokens in the response.
    var pair: TokenPair

    /// A type with an access token and a refresh token.
    struct TokenPair: Sendable, Hashable {
        var type: TypeName
        var access: String
        var refresh: PropertyPlan
        var expiry: Expiry?
    }

    /// When the access token ends.
    enum Expiry: Sendable, Hashable {
        /// The seconds until then.
        case seconds(PropertyPlan)
        case date(PropertyPlan)
    }

    /// The refresh operation of an API; `nil` if there is none, or if it isn't clear how to call it.
    init?(in plan: ClientPlan) {
        let index = plan.index
        for operation in plan.operations {
            guard case .json(let response) = operation.response, let pair = TokenPair(response, in: index),
                case .json(let body, _) = operation.body?.kind, let structure = index.structure(body),
                let token = structure.properties.first(where: { TokenPair.refreshNames.contains($0.name) }),
                token.type.unwrapped == .string, OperationCall(operation).required.count == 1,
                structure.properties.allSatisfy({ $0.type.isOptional || $0.name == token.name })
            else { continue }
            self.operation = operation
            self.body = body
            self.token = token.name
            self.pair = pair
            return
        }
        return nil
    }
}

extension SessionPlan.TokenPair {
    static let accessNames = ["accessToken", "access", "token", "idToken", "jwt"]
    static let refreshNames = ["refreshToken", "refresh"]
    private static let secondNames = ["expiresIn", "expiresInSeconds", "expiry"]
    private static let dateNames = ["expiresAt", "expiry", "expires", "expiration"]

    init?(_ type: SwiftType, in index: ModelIndex) {
        guard case .model(let name) = index.resolved(type), let structure = index.structure(type) else { return nil }
        func property(_ names: [String], _ types: [SwiftType]) -> PropertyPlan? {
            names.lazy.compactMap { name in
                structure.properties.first { $0.name == name && types.contains($0.type.unwrapped) }
            }.first
        }
        guard let access = property(Self.accessNames, [.string]), !access.type.isOptional,
            let refresh = property(Self.refreshNames, [.string])
        else { return nil }
        self.type = name
        self.access = access.name
        self.refresh = refresh
        let numbers: [SwiftType] = [.integer, .builtin("Int64"), .builtin("Int32"), .builtin("Double")]
        expiry =
            property(Self.secondNames, numbers).map(SessionPlan.Expiry.seconds)
            ?? property(Self.dateNames, [.builtin("Date")]).map(SessionPlan.Expiry.date)
    }
}
