/// twitter.json: a page of a search. Its coding keys are in the order of the document, as code generators write them.
enum Twitter {
    /// The document.
    struct SearchPage: Codable, Equatable {
        var statuses: [Tweet]
        var searchMetadata: SearchMetadata

        enum CodingKeys: String, CodingKey {
            case statuses
            case searchMetadata = "search_metadata"
        }
    }

    /// The query, and the parameters of the next page.
    struct SearchMetadata: Codable, Equatable {
        var completedIn: Double
        var maxID: Int
        var maxIDText: String
        var nextResults: String
        var query: String
        var refreshURL: String
        var count: Int
        var sinceID: Int
        var sinceIDText: String

        enum CodingKeys: String, CodingKey {
            case completedIn = "completed_in"
            case maxID = "max_id"
            case maxIDText = "max_id_str"
            case nextResults = "next_results"
            case query
            case refreshURL = "refresh_url"
            case count
            case sinceID = "since_id"
            case sinceIDText = "since_id_str"
        }
    }

    /// A tweet.
    struct Tweet: Codable, Equatable {
        var metadata: TweetMetadata
        var createdAt: String
        var id: Int
        var idText: String
        var text: String
        var source: String
        var truncated: Bool
        var inReplyToStatusID: Int?
        var inReplyToStatusIDText: String?
        var inReplyToUserID: Int?
        var inReplyToUserIDText: String?
        var inReplyToScreenName: String?
        var user: User
        var geo: GeoPoint?
        var coordinates: GeoPoint?
        var place: Place?
        var contributors: [Contributor]?
        var retweetCount: Int
        var favoriteCount: Int
        var entities: TweetEntities
        var favorited: Bool
        var retweeted: Bool
        var lang: String
        var retweetedStatus: OriginalTweet?
        var possiblySensitive: Bool?

        enum CodingKeys: String, CodingKey {
            case metadata
            case createdAt = "created_at"
            case id
            case idText = "id_str"
            case text, source, truncated
            case inReplyToStatusID = "in_reply_to_status_id"
            case inReplyToStatusIDText = "in_reply_to_status_id_str"
            case inReplyToUserID = "in_reply_to_user_id"
            case inReplyToUserIDText = "in_reply_to_user_id_str"
            case inReplyToScreenName = "in_reply_to_screen_name"
            case user, geo, coordinates, place, contributors
            case retweetCount = "retweet_count"
            case favoriteCount = "favorite_count"
            case entities, favorited, retweeted, lang
            case retweetedStatus = "retweeted_status"
            case possiblySensitive = "possibly_sensitive"
        }
    }

    /// The tweet that another repeats. A class, since a struct can't contain itself.
    final class OriginalTweet: Codable, Equatable {
        let tweet: Tweet

        init(from decoder: any Decoder) throws {
            tweet = try decoder.singleValueContainer().decode(Tweet.self)
        }

        func encode(to encoder: any Encoder) throws {
            try tweet.encode(to: encoder)
        }

        static func == (left: OriginalTweet, right: OriginalTweet) -> Bool {
            left.tweet == right.tweet
        }
    }

    /// How the search found a tweet.
    struct TweetMetadata: Codable, Equatable {
        var resultType: String
        var isoLanguageCode: String

        enum CodingKeys: String, CodingKey {
            case resultType = "result_type"
            case isoLanguageCode = "iso_language_code"
        }
    }

    /// A position. `null` in every tweet of the document.
    struct GeoPoint: Codable, Equatable {
        var type: String
        var coordinates: [Double]
    }

    /// A named place. `null` in every tweet of the document.
    struct Place: Codable, Equatable {
        var id: String
        var name: String
        var country: String
    }

    /// A contributor. `null` in every tweet of the document.
    struct Contributor: Codable, Equatable {
        var id: Int
        var screenName: String

        enum CodingKeys: String, CodingKey {
            case id
            case screenName = "screen_name"
        }
    }
}
