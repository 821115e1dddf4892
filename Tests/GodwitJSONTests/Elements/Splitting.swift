import GodwitJSON

/// What a splitter makes of a document.
struct Splitting: Equatable {
    var elements: [String] = []
    var error: JSONElementError?

    /// - Parameter chunks: The document in pieces.
    init(_ chunks: [Data], at path: String, elementLimit: Int = 16 << 20, maximumDepth: Int = 512) {
        do throws(JSONElementError) {
            var splitter = try JSONElementSplitter(at: path, elementLimit: elementLimit, maximumDepth: maximumDepth)
            for chunk in chunks {
                splitter.append(chunk)
                while let element = try splitter.next() { elements.append(String(decoding: element, as: UTF8.self)) }
            }
            try splitter.finish()
        } catch {
            self.error = error
        }
    }

    init(_ text: String, at path: String, elementLimit: Int = 16 << 20, maximumDepth: Int = 512) {
        self.init([Data(text.utf8)], at: path, elementLimit: elementLimit, maximumDepth: maximumDepth)
    }

    /// The results for a document in two pieces, split at every byte, and in pieces of one byte.
    static func everywhere(_ text: String, at path: String, elementLimit: Int = 16 << 20) -> [Splitting] {
        let data = Data(text.utf8)
        let halves = (0...data.count).map { [data.prefix($0), data.dropFirst($0)] }
        return (halves + [data.map { Data([$0]) }]).map {
            Splitting($0, at: path, elementLimit: elementLimit)
        }
    }
}
