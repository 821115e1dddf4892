import FoundationEssentials

extension Twitter {
    /// What a text contains, and where.
    struct TweetEntities: Codable, Equatable {
        var hashtags: [Hashtag]
        var symbols: [Hashtag]
        var urls: [Link]
        var userMentions: [Mention]
        var media: [Media]?

        enum CodingKeys: String, CodingKey {
            case hashtags, symbols, urls
            case userMentions = "user_mentions"
            case media
        }
    }

    /// A link.
    struct Link: Codable, Equatable {
        var url: URL
        var expandedURL: URL
        var displayURL: String
        var indices: [Int]

        enum CodingKeys: String, CodingKey {
            case url
            case expandedURL = "expanded_url"
            case displayURL = "display_url"
            case indices
        }
    }

    /// A hashtag.
    struct Hashtag: Codable, Equatable {
        var text: String
        var indices: [Int]
    }

    /// The mention of a user.
    struct Mention: Codable, Equatable {
        var screenName: String
        var name: String
        var id: Int
        var idText: String
        var indices: [Int]

        enum CodingKeys: String, CodingKey {
            case screenName = "screen_name"
            case name, id
            case idText = "id_str"
            case indices
        }
    }

    /// A photo.
    struct Media: Codable, Equatable {
        var id: Int
        var idText: String
        var indices: [Int]
        var mediaURL: URL
        var mediaURLHTTPS: URL
        var url: URL
        var displayURL: String
        var expandedURL: URL
        var type: String
        var sizes: [String: MediaSize]
        var sourceStatusID: Int?
        var sourceStatusIDText: String?

        enum CodingKeys: String, CodingKey {
            case id
            case idText = "id_str"
            case indices
            case mediaURL = "media_url"
            case mediaURLHTTPS = "media_url_https"
            case url
            case displayURL = "display_url"
            case expandedURL = "expanded_url"
            case type, sizes
            case sourceStatusID = "source_status_id"
            case sourceStatusIDText = "source_status_id_str"
        }
    }

    /// The size of one of its variants, in pixels.
    struct MediaSize: Codable, Equatable {
        var w: Int
        var h: Int
        var resize: String
    }
}
