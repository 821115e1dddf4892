extension DecodingSession {
    func date(at index: UInt32) throws -> Date {
        guard !isNull(index) else { throw mismatch(Date.self, at: index) }
        if let format = options.dateFormat { return try value(in: format, at: index) }
        let strategy = options.dateDecodingStrategy
        // Not a switch: Apple's Foundation has a case that others lack.
        if case .secondsSince1970 = strategy { return Date(timeIntervalSince1970: try double(at: index)) }
        if case .millisecondsSince1970 = strategy { return Date(timeIntervalSince1970: try double(at: index) / 1000) }
        if case .iso8601 = strategy { return try internetDate(at: index) }
        if case .custom(let read) = strategy { return try read(ElementDecoder(session: self, index: index)) }
        return try formattedDate(at: index) ?? Date(from: ElementDecoder(session: self, index: index))
    }

    private func internetDate(at index: UInt32) throws -> Date {
        if kind(index) == .string, let date = InternetDate.date(text(entry(index))) { return date }
        guard let date = try? Date(try string(at: index), strategy: .iso8601) else {
            throw kind(index) == .string
                ? corrupted("expected an ISO 8601 date", at: index) : mismatch(String.self, at: index)
        }
        return date
    }

    func data(at index: UInt32) throws -> Data {
        guard !isNull(index) else { throw mismatch(Data.self, at: index) }
        if let format = options.dataFormat { return try value(in: format, at: index) }
        switch options.dataDecodingStrategy {
        case .deferredToData: return try Data(from: ElementDecoder(session: self, index: index))
        case .base64:
            guard let data = Data(base64Encoded: try string(at: index)) else {
                throw corrupted("expected Base64", at: index)
            }
            return data
        case .custom(let read): return try read(ElementDecoder(session: self, index: index))
        @unknown default: return try Data(from: ElementDecoder(session: self, index: index))
        }
    }

    func url(at index: UInt32) throws -> URL {
        guard !isNull(index) else { throw mismatch(URL.self, at: index) }
        let repeats = document.tape.count > 512
        if repeats, kind(index) == .string, let url = urls[entry(index), bytes] { return url }
        guard let url = URL(string: try string(at: index)) else { throw corrupted("expected a URL", at: index) }
        if repeats { urls.add(url, entry(index), bytes) }
        return url
    }

    func decimal(at index: UInt32) throws -> Decimal {
        guard kind(index) == .number else { throw mismatch(Decimal.self, at: index) }
        let text = String(decoding: text(entry(index)), as: UTF8.self)
        guard let value = Decimal(string: text) else { throw unrepresentable(Decimal.self, at: index) }
        return value
    }

    private func value<Value>(in format: JSONScalarReading<Value>, at index: UInt32) throws -> Value {
        if kind(index) == .string, entry(index).notes.isEmpty, let value = format.readBytes(text(entry(index))) {
            return value
        }
        let scalar: JSONScalar? =
            switch kind(index) {
            case .string: .text(try string(at: index))
            case .number: .number(try double(at: index))
            default: nil
            }
        guard let scalar, let value = format.read(scalar) else { throw corrupted("expected \(format.name)", at: index) }
        return value
    }
}
