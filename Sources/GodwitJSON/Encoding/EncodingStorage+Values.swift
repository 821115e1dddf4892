extension EncodingStorage {
    /// The depth of `encode(to:)` that ends in an error instead of the end of the stack.
    private static let maximumDepth = 1024

    /// Encodes the value that the caller passed.
    func encodeRoot<T: Encodable>(_ value: T) throws {
        try encodeAgain(value, into: Self.root)
        if let failure { throw failure }
        guard nodes[Self.root].shape != .unset else {
            throw invalid(value, "\(T.self) did not encode any value", at: Self.root)
        }
    }

    /// Encodes a member of an object.
    func encodeMember<T: Encodable>(_ value: T, name: String, key: some CodingKey, of object: EncodedNode.Index) throws
    {
        let known = type(T.self)
        let member = addMember(name, to: object)
        let result = write(value, as: known, into: member)
        guard result != .written else { return }
        // Only for what may throw or has values inside; scalars don't need it.
        setKey(key, of: member)
        try complete(value, as: known, result, into: member)
    }

    /// Encodes an element of an array.
    func encodeElement<T: Encodable>(_ value: T, of array: EncodedNode.Index) throws {
        let known = type(T.self)
        let element = addElement(to: array)
        let result = write(value, as: known, into: element)
        guard result != .written else { return }
        try complete(value, as: known, result, into: element)
    }

    /// Encodes a value that stands for the one of the node, through a single-value container.
    func encodeAgain<T: Encodable>(_ value: T, into node: EncodedNode.Index) throws {
        guard nodes[node].shape != .text else { throw second(value, at: node) }
        let known = type(T.self)
        switch write(value, as: known, into: node) {
        case .written: return
        case .refused: throw refusal(value, as: known, at: node)
        case .encodesItself: break
        }
        let keptKeys = nodes[node].keepsKeys
        defer { nodes[node].keepsKeys = keptKeys }
        try encodeItself(value, as: known, into: node)
    }

    /// Notes the key of a member, for coding paths.
    func setKey(_ key: some CodingKey, of member: EncodedNode.Index) {
        nodes[member].place = EncodedNode.Index(truncatingIfNeeded: scratch.pointee.keys.count)
        scratch.pointee.keys.append(key)
    }

    @inline(__always)
    private func type<T>(_ type: T.Type) -> EncodedType {
        let known = TypeTable.known(type)
        return known == .other && options.convertsKeys && scratch.pointee.keepsKeys(type) ? .dictionary : known
    }

    private func complete<T: Encodable>(
        _ value: T, as known: EncodedType, _ result: WriteResult, into node: EncodedNode.Index
    ) throws {
        do {
            guard result != .refused else { throw refusal(value, as: known, at: node) }
            try encodeItself(value, as: known, into: node)
        } catch {
            discard(node)
            throw error
        }
    }

    private func encodeItself<T: Encodable>(_ value: T, as known: EncodedType, into node: EncodedNode.Index) throws {
        guard depth < Self.maximumDepth else {
            throw invalid(value, "the value is nested too deep, or encodes itself endlessly", at: node)
        }
        depth &+= 1
        defer { depth &-= 1 }
        let encoder = ValueEncoder(storage: self, node: node)
        if known == .date, case .custom(let encode) = options.dates {
            try encode(cast(value, to: Date.self), encoder)
        } else if known == .data, case .custom(let encode) = options.bytes {
            try encode(cast(value, to: Data.self), encoder)
        } else {
            if known == .dictionary { nodes[node].keepsKeys = true }
            return try value.encode(to: encoder)
        }
        // A closure that encodes nothing means an empty object, also at the top.
        if nodes[node].shape == .unset { _ = openObject(node) }
    }
}

extension EncodingStorage {
    /// The error for a value that ``write(_:as:into:)`` refused.
    private func refusal<T>(_ value: T, as known: EncodedType, at node: EncodedNode.Index) -> EncodingError {
        switch known {
        case .date: return refusal(cast(value, to: Date.self), at: node)
        case .data:
            guard case .scalar(let format) = options.bytes else { break }
            return invalid(value, "the bytes can't be written as \(format.name)", at: node)
        case .doubles: return refusal(in: cast(value, to: [Double].self), at: node)
        case .floats: return refusal(in: cast(value, to: [Float].self), at: node)
        default: break
        }
        return invalid(value, "\(value) is not a number in JSON", at: node)
    }

    private func refusal(_ date: Date, at node: EncodedNode.Index) -> EncodingError {
        let seconds = date.timeIntervalSince1970
        // The seconds, because Foundation traps when such a date is printed, as with the error.
        let value: Any = seconds.isFinite ? date : seconds
        guard case .scalar(let format) = options.dates else {
            return invalid(value, "the date is too far away for this strategy, or not finite", at: node)
        }
        return invalid(value, "the date can't be written as \(format.name)", at: node)
    }

    private func refusal<Number: BinaryFloatingPoint>(in numbers: [Number], at node: EncodedNode.Index) -> EncodingError
    {
        let place = numbers.firstIndex { !$0.isFinite } ?? numbers.startIndex
        let context = EncodingError.Context(
            codingPath: path(of: node) + [PathKey(index: place)],
            debugDescription: "\(numbers[place]) is not a number in JSON")
        return .invalidValue(numbers[place], context)
    }

    func second(_ value: Any, at node: EncodedNode.Index) -> EncodingError {
        invalid(value, "a second value is encoded into a single-value container", at: node)
    }
}

/// The value as the type that it was found to be.
@inline(__always)
func cast<T, Known>(_ value: T, to type: Known.Type) -> Known {
    // TypeTable compared the types by identity. Unspecialized code would call the runtime for `as?`.
    withUnsafePointer(to: value) { UnsafeRawPointer($0).assumingMemoryBound(to: type).pointee }
}
