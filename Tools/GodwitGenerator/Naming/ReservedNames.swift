/// Names that generated types must not have, as they would hide those of Swift, Foundation or Godwit.
enum ReservedNames {
    /// At the top level of a module.
    static let types: Set<String> = [
        // Swift
        "Any", "AnyObject", "Array", "Bool", "Character", "Codable", "CodingKey", "CodingKeys", "Decodable", "Decoder",
        "Dictionary", "Double", "Encodable", "Encoder", "Equatable", "Error", "Float", "Hashable", "Identifiable",
        "Int",
        "Int8", "Int16", "Int32", "Int64", "Never", "Optional", "Protocol", "Range", "Result", "Self", "Sendable",
        "Set",
        "String", "Substring", "Task", "Type", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Void", "Duration",
        "Clock",
        "Actor", "MainActor", "Sequence", "Collection", "Iterator", "Slice", "Mirror", "Unicode", "Regex", "Observable",
        // Foundation
        "Calendar", "Data", "Date", "DateComponents", "Decimal", "Locale", "TimeZone", "URL", "URLRequest", "UUID",
        "Measurement", "Operation", "Progress", "Notification", "Process", "Bundle", "Thread", "Timer", "Unit", "Host",
        "Formatter", "Stream", "Port", "Pipe", "Scanner",
        // Godwit
        "APIClient", "AccessToken", "Call", "Chain", "ClientAuthentication", "ClientConfiguration", "Cookie",
        "Credential",
        "Download", "EmptyResponse", "Endpoint", "EndpointPath", "ErrorBody", "EventSource", "HTTPBody", "HTTPField",
        "HTTPFields", "HTTPMethod", "HTTPRequest", "HTTPResponse", "HTTPStatus", "HTTPTransport", "HTTPURL",
        "JSONCoding",
        "JSONLines", "JSONValue", "LogLevel", "MediaType", "Middleware", "MockServer", "MockTransport", "MultipartForm",
        "NetworkError", "Next", "Open", "Origin", "Page", "PageLoader", "Loader", "Pages", "Paging", "Patch",
        "QueryItem",
        "QueryItems", "QueryValue", "RequestBody", "Response", "Retry", "ServerSentEvent", "Timeouts", "TokenStore",
        "Upload", "WebSocket",
        // Generated
        "Day", "Indirect", "MultipartFile",
    ]

    /// Static members of `Endpoint`, which operations must not have.
    static let endpoints: Set<String> = [
        "get", "post", "put", "delete", "patch", "head", "options", "custom", "init", "self", "Type", "Protocol",
        "Decode",
    ]

    /// Members of every model.
    static let properties: Set<String> = [
        "hashValue", "hash", "encode", "init", "self", "Type", "Protocol", "CodingKeys", "additionalProperties",
    ]
}
