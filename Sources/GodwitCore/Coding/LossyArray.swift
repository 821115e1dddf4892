/// A list that drops elements it can't decode, and reports them.
///
/// ```swift
/// struct Feed: Decodable, Nonisolated { @LossyArray var articles: [Article] }
///
/// feed.articles                       // the decoded elements
/// feed.$articles                      // [DroppedElement]: index and reason of the others
/// ```
///
/// A missing list, or a value of another type, is still an error.
@propertyWrapper
public struct LossyArray<Element: Decodable & Sendable>: Decodable, Sendable {
    /// The decoded elements, in order.
    public var wrappedValue: [Element]

    /// The dropped elements; the first 10,000, as an element of two bytes may take hundreds here.
    public private(set) var projectedValue: [DroppedElement] = []

    private static var mostReported: Int { 10_000 }

    /// Creates a list without dropped elements.
    public init(wrappedValue: [Element]) {
        self.wrappedValue = wrappedValue
    }

    /// Decodes all elements; failures go to ``projectedValue``. Throws only without a list.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        wrappedValue = []
        while !container.isAtEnd {
            let index = container.currentIndex
            do {
                wrappedValue.append(try container.decode(Element.self))
            } catch {
                if projectedValue.count < Self.mostReported {
                    projectedValue.append(DroppedElement(index: index, failure: .init(error)))
                }
                // A failed `decode` doesn't advance the container; decoding an empty type does.
                if container.currentIndex == index { _ = try container.decode(Ignored.self) }
            }
        }
    }
}

/// An element dropped by ``LossyArray``.
///
/// ```swift
/// for dropped in feed.$articles { print("article \(dropped.index): \(dropped.failure.reason)") }
/// ```
public struct DroppedElement: Sendable, Hashable {
    /// The index of the element in the list as sent, from 0.
    public let index: Int

    /// Why the element couldn't be decoded.
    public let failure: NetworkError.DecodingFailure
}

extension LossyArray: Encodable where Element: Encodable {
    /// Encodes the remaining elements.
    public func encode(to encoder: any Encoder) throws {
        try wrappedValue.encode(to: encoder)
    }
}

extension LossyArray: Equatable where Element: Equatable {}
extension LossyArray: Hashable where Element: Hashable {}

extension NetworkError.DecodingFailure {
    /// The failure of a decoder, without the body.
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
        let path = JSONPlace(context.codingPath + (key.map { [$0] } ?? []))
        let reason = key == nil ? context.debugDescription : "expected a value, found nothing"
        self.init(path: path.description, reason: path.isSecret ? "the value is not valid" : reason)
    }
}

/// Decodes nothing.
private struct Ignored: Decodable {
    init(from decoder: any Decoder) {}
}
