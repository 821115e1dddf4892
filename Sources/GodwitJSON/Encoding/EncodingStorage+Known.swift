/// What became of a value of a known type.
enum WriteResult {
    case written
    /// The encoder's options leave it to the type or to a closure.
    case encodesItself
    /// JSON or the format can't represent it.
    case refused
}

extension EncodingStorage {
    /// Writes a value whose text needs no encoder.
    @inline(__always)
    func write<T>(_ value: T, as known: EncodedType, into node: EncodedNode.Index) -> WriteResult {
        switch known {
        case .other, .dictionary: .encodesItself
        case .string:
            store(node) { $0.writeString(cast(value, to: String.self), escapingSlashes: options.escapesSlashes) }
        case .date: write(cast(value, to: Date.self), into: node)
        default: known.isArray ? writeArray(value, as: known, into: node) : writeScalar(value, as: known, into: node)
        }
    }

    @inline(never)
    private func writeScalar<T>(_ value: T, as known: EncodedType, into node: EncodedNode.Index) -> WriteResult {
        switch known {
        case .data: write(cast(value, to: Data.self), into: node)
        case .decimal: write(cast(value, to: Decimal.self), into: node)
        case .url: write(cast(value, to: URL.self).absoluteString, into: node)
        case .bool: store(node) { $0.writeBool(cast(value, to: Bool.self)) }
        case .double: write(cast(value, to: Double.self), into: node)
        case .float: write(cast(value, to: Float.self), into: node)
        case .int: store(node) { $0.writeInteger(cast(value, to: Int.self)) }
        case .int8: store(node) { $0.writeInteger(cast(value, to: Int8.self)) }
        case .int16: store(node) { $0.writeInteger(cast(value, to: Int16.self)) }
        case .int32: store(node) { $0.writeInteger(cast(value, to: Int32.self)) }
        case .int64: store(node) { $0.writeInteger(cast(value, to: Int64.self)) }
        case .uint: store(node) { $0.writeInteger(cast(value, to: UInt.self)) }
        case .uint8: store(node) { $0.writeInteger(cast(value, to: UInt8.self)) }
        case .uint16: store(node) { $0.writeInteger(cast(value, to: UInt16.self)) }
        case .uint32: store(node) { $0.writeInteger(cast(value, to: UInt32.self)) }
        case .uint64: store(node) { $0.writeInteger(cast(value, to: UInt64.self)) }
        default: .encodesItself
        }
    }

    @inline(never)
    private func writeArray<T>(_ value: T, as known: EncodedType, into node: EncodedNode.Index) -> WriteResult {
        // Indentation separates the elements.
        if options.isPretty { return .encodesItself }
        let escapesSlashes = options.escapesSlashes
        return switch known {
        case .strings:
            store(node, cast(value, to: [String].self)) { $0.writeString($1, escapingSlashes: escapesSlashes) }
        case .bools: store(node, cast(value, to: [Bool].self)) { $0.writeBool($1) }
        case .doubles: write(cast(value, to: [Double].self), into: node)
        case .floats: write(cast(value, to: [Float].self), into: node)
        case .ints: store(node, cast(value, to: [Int].self)) { $0.writeInteger($1) }
        case .int8s: store(node, cast(value, to: [Int8].self)) { $0.writeInteger($1) }
        case .int16s: store(node, cast(value, to: [Int16].self)) { $0.writeInteger($1) }
        case .int32s: store(node, cast(value, to: [Int32].self)) { $0.writeInteger($1) }
        case .int64s: store(node, cast(value, to: [Int64].self)) { $0.writeInteger($1) }
        case .uints: store(node, cast(value, to: [UInt].self)) { $0.writeInteger($1) }
        case .uint8s: store(node, cast(value, to: [UInt8].self)) { $0.writeInteger($1) }
        case .uint16s: store(node, cast(value, to: [UInt16].self)) { $0.writeInteger($1) }
        case .uint32s: store(node, cast(value, to: [UInt32].self)) { $0.writeInteger($1) }
        case .uint64s: store(node, cast(value, to: [UInt64].self)) { $0.writeInteger($1) }
        default: .encodesItself
        }
    }

    @inline(__always)
    private func store(_ node: EncodedNode.Index, _ write: (EncodedText) -> Void) -> WriteResult {
        storeScalar(node, write)
        return .written
    }

    @inline(__always)
    private func store<Element>(
        _ node: EncodedNode.Index, _ elements: [Element], _ write: (EncodedText, Element) -> Void
    ) -> WriteResult {
        storeScalar(node) { text in
            text.write(UInt8(ascii: "["))
            for element in elements {
                write(text, element)
                text.write(UInt8(ascii: ","))
            }
            // The last comma becomes the bracket.
            if !elements.isEmpty { text.count &-= 1 }
            text.write(UInt8(ascii: "]"))
        }
        return .written
    }
}

extension EncodingStorage {
    private func write(_ string: String, into node: EncodedNode.Index) -> WriteResult {
        store(node) { $0.writeString(string, escapingSlashes: options.escapesSlashes) }
    }

    private func write(_ number: Double, into node: EncodedNode.Index) -> WriteResult {
        if number.isFinite { return store(node) { $0.writeNumber(number) } }
        guard let text = options.nonFinite?.text(of: number) else { return .refused }
        return write(text, into: node)
    }

    private func write(_ number: Float, into node: EncodedNode.Index) -> WriteResult {
        if number.isFinite { return store(node) { $0.writeNumber(number) } }
        guard let text = options.nonFinite?.text(of: Double(number)) else { return .refused }
        return write(text, into: node)
    }

    private func write(_ numbers: [Double], into node: EncodedNode.Index) -> WriteResult {
        // With texts among them, they encode themselves one by one.
        guard numbers.allSatisfy(\.isFinite) else { return options.nonFinite == nil ? .refused : .encodesItself }
        return store(node, numbers) { $0.writeNumber($1) }
    }

    private func write(_ numbers: [Float], into node: EncodedNode.Index) -> WriteResult {
        guard numbers.allSatisfy(\.isFinite) else { return options.nonFinite == nil ? .refused : .encodesItself }
        return store(node, numbers) { $0.writeNumber($1) }
    }

    private func write(_ decimal: Decimal, into node: EncodedNode.Index) -> WriteResult {
        guard !decimal.isNaN else { return .refused }
        return store(node) { $0.writeASCII(decimal.description) }
    }

    private func write(_ date: Date, into node: EncodedNode.Index) -> WriteResult {
        switch options.dates {
        case .custom: return .encodesItself
        case .deferred: return write(date.timeIntervalSinceReferenceDate, into: node)
        case .seconds: return writeFinite(date.timeIntervalSince1970, into: node)
        case .milliseconds: return writeFinite(1000 * date.timeIntervalSince1970, into: node)
        case .iso8601:
            guard date.timeIntervalSince1970.isFinite else { return .refused }
            return store(node) { $0.writeISO8601(date) }
        case .scalar(let format): return write(format.format(date), into: node)
        }
    }

    /// Writes seconds or milliseconds, for which the strategy for infinity and NaN doesn't hold.
    private func writeFinite(_ number: Double, into node: EncodedNode.Index) -> WriteResult {
        number.isFinite ? write(number, into: node) : .refused
    }

    private func write(_ data: Data, into node: EncodedNode.Index) -> WriteResult {
        switch options.bytes {
        case .custom, .deferred: return .encodesItself
        case .base64: return store(node) { $0.writeBase64(data, escapingSlashes: options.escapesSlashes) }
        case .scalar(let format): return write(format.format(data), into: node)
        }
    }

    private func write(_ scalar: JSONScalar?, into node: EncodedNode.Index) -> WriteResult {
        switch scalar {
        case .text(let text): write(text, into: node)
        case .number(let number): write(number, into: node)
        case nil: .refused
        }
    }
}

extension EncodingOptions.NonFinite {
    func text(of number: Double) -> String {
        number.isNaN ? nan : number > 0 ? infinity : negativeInfinity
    }
}
