import FoundationEssentials

extension GitHub {
    /// An issue.
    struct Issue: Codable, Equatable {
        var user: User
        var url: URL
        var labels: [Label]
        var htmlURL: URL
        var labelsURL: String
        var pullRequest: PullRequestLinks
        var createdAt: Date
        var closedAt: Date?
        var milestone: Milestone?
        var title: String
        var body: String
        var updatedAt: Date
        var number: Int
        var state: String
        var assignee: User?
        var id: Int
        var eventsURL: URL
        var commentsURL: URL
        var comments: Int

        enum CodingKeys: String, CodingKey {
            case user, url, labels, milestone, title, body, number, state, assignee, id, comments
            case htmlURL = "html_url"
            case labelsURL = "labels_url"
            case pullRequest = "pull_request"
            case createdAt = "created_at"
            case closedAt = "closed_at"
            case updatedAt = "updated_at"
            case eventsURL = "events_url"
            case commentsURL = "comments_url"
        }
    }

    /// A milestone. `null` in every issue of the document.
    struct Milestone: Codable, Equatable {
        var number: Int
        var title: String
    }

    /// A label. None in the document.
    struct Label: Codable, Equatable {
        var name: String
        var color: String
    }

    /// The links of an issue that is a pull request.
    struct PullRequestLinks: Codable, Equatable {
        var htmlURL: URL?
        var patchURL: URL?
        var diffURL: URL?

        enum CodingKeys: String, CodingKey {
            case htmlURL = "html_url"
            case patchURL = "patch_url"
            case diffURL = "diff_url"
        }
    }

    /// A comment on an issue.
    struct Comment: Codable, Equatable {
        var user: User
        var url: URL
        var issueURL: URL
        var createdAt: Date
        var body: String
        var updatedAt: Date
        var id: Int

        enum CodingKeys: String, CodingKey {
            case user, url, body, id
            case issueURL = "issue_url"
            case createdAt = "created_at"
            case updatedAt = "updated_at"
        }
    }

    /// A user.
    struct User: Codable, Equatable {
        var url: URL
        var gistsURL: String
        var gravatarID: String
        var type: String
        var avatarURL: URL
        var subscriptionsURL: URL
        var receivedEventsURL: URL
        var organizationsURL: URL
        var reposURL: URL
        var login: String
        var id: Int
        var starredURL: String
        var eventsURL: String
        var followersURL: URL
        var followingURL: URL

        enum CodingKeys: String, CodingKey {
            case url, type, login, id
            case gistsURL = "gists_url"
            case gravatarID = "gravatar_id"
            case avatarURL = "avatar_url"
            case subscriptionsURL = "subscriptions_url"
            case receivedEventsURL = "received_events_url"
            case organizationsURL = "organizations_url"
            case reposURL = "repos_url"
            case starredURL = "starred_url"
            case eventsURL = "events_url"
            case followersURL = "followers_url"
            case followingURL = "following_url"
        }
    }
}
