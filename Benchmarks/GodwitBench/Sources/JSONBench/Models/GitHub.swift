import FoundationEssentials

/// github_events.json: an array of events. The coding keys that need no text come first, as most people write them,
/// and so not in the order of the document.
enum GitHub {
    /// An element of the document.
    struct Event: Codable, Equatable {
        var type: String
        var createdAt: Date
        var actor: Account
        var repo: RepositoryName
        var isPublic: Bool
        var payload: Payload
        var id: String
        var org: Account?

        enum CodingKeys: String, CodingKey {
            case type, actor, repo, payload, id, org
            case createdAt = "created_at"
            case isPublic = "public"
        }
    }

    /// The user or the organization of an event.
    struct Account: Codable, Equatable {
        var gravatarID: String
        var login: String
        var avatarURL: URL
        var url: URL
        var id: Int

        enum CodingKeys: String, CodingKey {
            case login, url, id
            case gravatarID = "gravatar_id"
            case avatarURL = "avatar_url"
        }
    }

    /// The repository of an event.
    struct RepositoryName: Codable, Equatable {
        var url: URL
        var id: Int
        var name: String
    }

    /// What happened: the fields of every type of event.
    struct Payload: Codable, Equatable {
        var commits: [Commit]?
        var distinctSize: Int?
        var ref: String?
        var pushID: Int?
        var head: String?
        var before: String?
        var size: Int?
        var description: String?
        var masterBranch: String?
        var refType: String?
        var forkee: Repository?
        var action: String?
        var issue: Issue?
        var comment: Comment?
        var pages: [Page]?

        enum CodingKeys: String, CodingKey {
            case commits, ref, head, before, size, description, forkee, action, issue, comment, pages
            case distinctSize = "distinct_size"
            case pushID = "push_id"
            case masterBranch = "master_branch"
            case refType = "ref_type"
        }
    }

    /// A pushed commit.
    struct Commit: Codable, Equatable {
        var url: URL
        var message: String
        var distinct: Bool
        var sha: String
        var author: CommitAuthor
    }

    /// The author of a commit.
    struct CommitAuthor: Codable, Equatable {
        var email: String
        var name: String
    }

    /// A changed page of a wiki.
    struct Page: Codable, Equatable {
        var pageName: String
        var htmlURL: URL
        var title: String
        var sha: String
        var summary: String?
        var action: String

        enum CodingKeys: String, CodingKey {
            case title, sha, summary, action
            case pageName = "page_name"
            case htmlURL = "html_url"
        }
    }
}
