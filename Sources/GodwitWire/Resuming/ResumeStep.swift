/// What an answer means to a download that has the first bytes already, and asked for the others.
///
/// A pure rule: it is given what was asked for and what came back, and says what to do with the content.
package enum ResumeStep: Sendable, Hashable {
    /// The content goes behind what is there; it covers these bytes of a whole of this size.
    case append(Range<Int64>, total: Int64?)
    /// The content is the whole: what is there is thrown away.
    case replace
    /// There is nothing more to come.
    case complete
    /// The answer is of no use together with what is there: ask again for the whole.
    case startOver
    /// The answer makes no sense.
    case refuse(String)

    /// - Parameters:
    ///   - offset: How many bytes are there; 0 where the whole was asked for.
    ///   - total: How many there shall be, where an earlier answer said so.
    ///   - validator: What the bytes that are there belong to.
    package init(offset: Int64, total: Int64?, validator: ResumeValidator?, status: HTTPStatus, fields: HTTPFields) {
        guard offset > 0, let validator else {
            self = status == .partialContent ? .refuse("a part was sent where the whole was asked for") : .replace
            return
        }
        switch status {
        case .partialContent:
            self = Self.part(offset, total, validator, fields)
        case .rangeNotSatisfiable:
            let size = fields.agreedValue(of: .contentRange).flatMap(ContentRange.init)?.total
            let isWhole = size == offset && total ?? offset == offset && !validator.isContradicted(by: fields)
            self = isWhole ? .complete : .startOver
        case .preconditionFailed:
            self = .startOver
        default:
            self = .replace
        }
    }

    private static func part(
        _ offset: Int64, _ total: Int64?, _ validator: ResumeValidator, _ fields: HTTPFields
    ) -> ResumeStep {
        guard let range = fields.agreedValue(of: .contentRange).flatMap(ContentRange.init), let bytes = range.bytes,
            bytes.lowerBound == offset, !validator.isContradicted(by: fields)
        else { return .startOver }
        if let total, let size = range.total, total != size { return .startOver }
        return .append(bytes, total: range.total ?? total)
    }
}
