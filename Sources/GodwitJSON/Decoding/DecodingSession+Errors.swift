extension DecodingSession {
    /// Another kind of value than the type needs.
    @inline(never)
    func mismatch(_ type: any Any.Type, at index: UInt32) -> DecodingError {
        guard isNull(index) else { return typeMismatch(type, at: index) }
        return .valueNotFound(type, context("expected \(Self.words(for: type)), found null", at: index))
    }

    /// Another kind of value than the type needs, null included.
    @inline(never)
    func typeMismatch(_ type: any Any.Type, at index: UInt32) -> DecodingError {
        .typeMismatch(type, context("expected " + Self.words(for: type) + ", found " + found(at: index), at: index))
    }

    /// A value of the right kind that isn't valid.
    @inline(never)
    func corrupted(_ reason: String, at index: UInt32) -> DecodingError {
        .dataCorrupted(
            context(reason.hasPrefix("expected ") ? "\(reason), found \(found(at: index))" : reason, at: index))
    }

    /// A number that the type can't hold.
    @inline(never)
    func unrepresentable(_ type: any Any.Type, at index: UInt32) -> DecodingError {
        .dataCorrupted(context("the number \(found(at: index)) does not fit in \(type)", at: index))
    }

    /// A key that the object doesn't have.
    @inline(never)
    func missing(_ key: any CodingKey, in object: UInt32) -> DecodingError {
        var reason = "field `\(key.stringValue)` is missing"
        if let other = similarKey(key.stringValue, in: object) { reason += "; there is `\(other)`" }
        return .keyNotFound(key, context(reason, at: object))
    }

    /// The end of an array, if another element is asked for.
    func atEnd(_ type: any Any.Type, of array: UInt32, position: Int) -> DecodingError {
        .valueNotFound(
            type,
            .init(
                codingPath: path(to: array) + [PathKey(index: position)],
                debugDescription: "the array has only \(position) element\(position == 1 ? "" : "s")"))
    }

    private func context(_ reason: String, at index: UInt32) -> DecodingError.Context {
        .init(codingPath: path(to: index), debugDescription: reason)
    }

    /// What the document has at a place: the start of a scalar, or the kind of value.
    private func found(at index: UInt32) -> String {
        switch kind(index) {
        case .null: return "null"
        case .true: return "true"
        case .false: return "false"
        case .array: return "an array"
        case .object: return "an object"
        case .number: return Self.shortened(String(decoding: text(entry(index)).prefix(256), as: UTF8.self))
        case .string, .key:
            let text = StringText(bytes: text(entry(index)), notes: entry(index).notes).string
            return text.map { "\"" + Self.shortened($0) + "\"" } ?? "a string"
        }
    }

    private static func shortened(_ text: String) -> String {
        // Characters are counted only if there may be too many.
        text.utf8.count > 64 && text.dropFirst(64).isEmpty == false ? text.prefix(64) + "…" : text
    }

    private static func words(for type: any Any.Type) -> String {
        // Types that try one form after another make many errors: the conformance is asked for last.
        switch type {
        case is String.Type: return "a string"
        case is Bool.Type: return "true or false"
        case is Int.Type, is Int64.Type: return "an integer"
        case is Double.Type, is Float.Type, is Decimal.Type: return "a number"
        case is [Any].Type: return "an array"
        case is [String: Any].Type: return "an object"
        default: return type is any BinaryInteger.Type ? "an integer" : "\(type)"
        }
    }

    /// The key among the object's first ones that is most like a missing one.
    private func similarKey(_ key: String, in object: UInt32) -> String? {
        guard kind(object) == .object else { return nil }
        var (place, rest) = (object &+ 1, 64)
        var nearest: (key: String, distance: Int)?
        while place < entry(object).next, rest > 0 {
            rest &-= 1
            let sent = String(decoding: text(entry(place)).prefix(128), as: UTF8.self)
            if let distance = KeySimilarity.distance(sent, key), distance < nearest?.distance ?? .max {
                nearest = (sent, distance)
            }
            place = entry(place &+ 1).next
        }
        return nearest?.key
    }
}
