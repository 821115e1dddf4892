/// How a type of response is read: what to ask for, and how to make the value.
struct ResponseReading<Response: Sendable>: Sendable {
    let accept: String
    let decode: Endpoint<Response>.Decode
}

extension ResponseReading where Response: Decodable {
    /// The body itself for a ``RawResponse``; JSON for every other type.
    ///
    /// Decided on the type the endpoint has when it runs, so that generic code over `Decodable` treats `Data` alike.
    static var standard: Self {
        guard let raw = Response.self as? any RawResponse.Type else { return json }
        return Self(accept: raw.accept) { (data, head, _) throws(NetworkError) in
            guard let value = try raw.init(body: data, head: head) as? Response else { return try unreadable() }
            return value
        }
    }

    private static var json: Self {
        Self(accept: "application/json") { (data, head, coding) throws(NetworkError) in
            guard !data.isEmpty, head.status != .resetContent else {
                throw NetworkError(.decoding(.emptyBody), phase: .decoding)
            }
            return try coding.decode(Response.self, from: data)
        }
    }

    private static func unreadable() throws(NetworkError) -> Response {
        throw NetworkError(
            .decoding(.init(path: "", reason: "\(Response.self) cannot be made of a body")), phase: .decoding)
    }
}

extension ResponseReading where Response == Void {
    static var ignoring: Self {
        Self(accept: "*/*") { (_, _, _) throws(NetworkError) in }
    }
}

extension Endpoint {
    init(
        _ reading: ResponseReading<Response>, _ method: HTTPMethod, _ path: EndpointPath, _ query: QueryItems,
        _ body: RequestBody?
    ) {
        self.init(
            method: method, path: path, query: query, body: body, accept: reading.accept, reading: reading.decode)
    }
}
