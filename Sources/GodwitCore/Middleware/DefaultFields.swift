/// Adds fields to every request that does not have them itself.
///
/// ```swift
/// DefaultFields([.acceptLanguage: "de", "X-Client": "demo"])
/// ```
///
/// Names are compared without case.
public struct DefaultFields: RequestMiddleware {
    private let fields: HTTPFields

    /// Makes the middleware. Several fields of one name are added together or not at all.
    ///
    /// - Parameter fields: The fields.
    public init(_ fields: HTTPFields) {
        self.fields = fields
    }

    /// Appends the fields behind the request's own, in their order.
    public func prepare(_ call: inout Call) {
        // A copy of the list, to look at what was in it, would make the first addition copy it all.
        let own = call.request.fields.count
        for field in fields where !call.request.fields.contains(field.name, amongFirst: own) {
            call.request.fields.append(field)
        }
    }
}
