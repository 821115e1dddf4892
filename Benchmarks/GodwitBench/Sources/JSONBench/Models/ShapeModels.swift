/// The models of the shapes that are made in memory, but for ``Product``.

/// A document that is one text.
struct Essay: Codable, Equatable {
    var text: String
}

/// A comment and the replies to it, each a level of two deeper.
struct ThreadedComment: Codable, Equatable {
    var author: String
    var text: String
    var replies: [ThreadedComment]
}

/// Two fields out of very many.
struct Identified: Codable, Equatable {
    var id: Int
    var name: String
}

/// A reading of a sensor, decoded the tolerant way: what doesn't fit is left out, and a value is a number or a text.
struct Reading: Codable, Equatable {
    var sensor: String
    var celsius: Double?
    var level: Level?

    enum Level: Codable, Equatable {
        case number(Int)
        case text(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .number(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            }
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        sensor = try container.decode(String.self, forKey: .sensor)
        celsius = try? container.decode(Double.self, forKey: .celsius)
        level = try? container.decode(Level.self, forKey: .level)
    }
}

/// An article whose keys the coders translate from and to snake case.
struct SnakeCaseArticle: Codable, Equatable {
    var id: Int
    var slug: String
    var title: String
    var authorName: String
    var authorEmail: String
    var viewCount: Int
    var averageRating: Double
    var isFeatured: Bool
    var isCommentingAllowed: Bool
    var relatedArticleIds: [Int]
}
