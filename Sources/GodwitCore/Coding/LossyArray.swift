/// A list that leaves out the elements it cannot read, and says which.
///
/// ```swift
/// struct Feed: Decodable, Nonisolated { @LossyArray var articles: [Article] }
///
/// feed.articles                       // those that could be read
/// feed.$articles                      // [DroppedElement]: index and reason of the others
/// ```
///
/// A missing list, or something else in its place, is still an error.
@propertyWrapper
public struct LossyArray<Element: Decodable & Sendable>: Decodable, Sendable {
    /// The elements that could be read, in order.
    public var wrappedValue: [Element]

    /// What was left out.
    public private(set) var projectedValue: [DroppedElement] = []

    /// Makes the property.
    ///
    /// - Parameter wrappedValue: The elements. Nothing was dropped.
    public init(wrappedValue: [Element]) {
        self.wrappedValue = wrappedValue
    }

    /// Reads all elements; those that fail go to ``projectedValue``. Throws only where there is no list.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        wrappedValue = []
        while !container.isAtEnd {
            let index = container.currentIndex
            do {
                wrappedValue.append(try container.decode(Element.self))
            } catch {
                projectedValue.append(DroppedElement(index: index, failure: .init(error)))
                // A failed reading does not move on; one of nothing does.
                if container.currentIndex == index { _ = try container.decode(Ignored.self) }
            }
        }
    }
}

/// An element that ``LossyArray`` left out.
///
/// ```swift
/// for dropped in feed.$articles { print("article \(dropped.index): \(dropped.failure.reason)") }
/// ```
public struct DroppedElement: Sendable, Hashable {
    /// Its place in the list as it was sent, from 0.
    public let index: Int

    /// Why it could not be read.
    public let failure: NetworkError.DecodingFailure
}

extension LossyArray: Encodable where Element: Encodable {
    /// Writes the elements there are.
    public func encode(to encoder: any Encoder) throws {
        try wrappedValue.encode(to: encoder)
    }
}

extension LossyArray: Equatable where Element: Equatable {}
extension LossyArray: Hashable where Element: Hashable {}

extension NetworkError.DecodingFailure {
    /// What a decoder says, without the body it is about.
    fileprivate init(_ error: any Error) {
        guard let error = error as? DecodingError else {
            self.init(path: "", reason: "\(error)")
            return
        }
        let (context, key): (DecodingError.Context, (any CodingKey)?) =
            switch error {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                (context, nil)
            case .keyNotFound(let key, let context): (context, key)
            @unknown default: (.init(codingPath: [], debugDescription: "\(error)"), nil)
            }
        let path = JSONPath(context.codingPath + (key.map { [$0] } ?? []))
        let reason = key == nil ? context.debugDescription : "expected a value, found nothing"
        self.init(path: path.description, reason: path.isSecret ? "the value is not valid" : reason)
    }
}

/// Reads nothing of an element.
private struct Ignored: Decodable {
    init(from decoder: any Decoder) {}
}
