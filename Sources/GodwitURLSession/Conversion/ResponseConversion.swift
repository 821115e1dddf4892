import GodwitCore

/// Converts responses of URLSession.
enum ResponseConversion {
    /// The head; `nil` if it isn't an HTTP response.
    ///
    /// URLSession returns fields as a dictionary: the order is lost, so they are sorted by name, and repeated fields
    /// are joined. `Set-Cookie`, the only field that can't be joined (RFC 6265 section 3), is split again.
    static func head(of response: URLResponse) -> HTTPResponseHead? {
        guard let response = response as? HTTPURLResponse, let status = HTTPStatus(response.statusCode) else {
            return nil
        }
        return HTTPResponseHead(status: status, fields: fields(response.allHeaderFields))
    }

    private static func fields(_ dictionary: [AnyHashable: Any]) -> HTTPFields {
        let lines = dictionary.compactMap { key, value in
            (key as? String).map { (name: $0, value: "\(value)") }
        }
        var fields = HTTPFields()
        for line in lines.sorted(by: { $0.name < $1.name }) {
            guard let name = HTTPField.Name(line.name) else { continue }
            let values = name == .setCookie ? SetCookieLines.split(line.value) : [line.value]
            for value in values { fields.append(value, for: name) }
        }
        return fields
    }
}

/// Splits `Set-Cookie` lines that were joined with commas.
package enum SetCookieLines {
    /// The cookies of a joined value.
    ///
    /// A comma separates cookies if a name and `=` follow; in `Expires=Wed, 09 Jun` they don't.
    package static func split(_ joined: String) -> [String] {
        var cookies: [Substring] = []
        var start = joined.startIndex
        var rest = joined[...]
        while let comma = rest.firstIndex(of: ",") {
            rest = joined[joined.index(after: comma)...]
            guard startsCookie(rest) else { continue }
            cookies.append(joined[start..<comma])
            start = rest.startIndex
        }
        cookies.append(joined[start...])
        return cookies.map(\.trimmingBlanks).filter { !$0.isEmpty }
    }

    private static func startsCookie(_ text: Substring) -> Bool {
        let name = text.drop { $0 == " " || $0 == "\t" }.prefix { $0 != "=" && $0 != ";" && $0 != "," }
        return name.endIndex < text.endIndex && text[name.endIndex] == "=" && Token.isValid(String(name))
    }
}
