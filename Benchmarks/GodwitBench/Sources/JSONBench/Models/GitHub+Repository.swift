import FoundationEssentials

extension GitHub {
    /// A fork.
    struct Repository: Codable, Equatable {
        var description: String
        var fork: Bool
        var url: URL
        var language: String
        var stargazersURL: URL
        var cloneURL: URL
        var tagsURL: String
        var fullName: String
        var mergesURL: URL
        var forks: Int
        var isPrivate: Bool
        var gitRefsURL: String
        var archiveURL: String
        var collaboratorsURL: String
        var owner: User
        var languagesURL: URL
        var treesURL: String
        var labelsURL: String
        var htmlURL: URL
        var pushedAt: Date
        var createdAt: Date
        var hasIssues: Bool
        var forksURL: URL
        var branchesURL: String
        var commitsURL: String
        var notificationsURL: String
        var openIssues: Int
        var contentsURL: String
        var blobsURL: String
        var issuesURL: String
        var compareURL: String
        var issueEventsURL: String
        var name: String
        var updatedAt: Date
        var statusesURL: String
        var forksCount: Int
        var assigneesURL: String
        var sshURL: String
        var isPublic: Bool
        var hasWiki: Bool
        var subscribersURL: URL
        var mirrorURL: String?
        var watchersCount: Int
        var id: Int
        var hasDownloads: Bool
        var gitCommitsURL: String
        var downloadsURL: URL
        var pullsURL: String
        var homepage: String?
        var issueCommentURL: String
        var hooksURL: URL
        var subscriptionURL: URL
        var milestonesURL: String
        var svnURL: URL
        var eventsURL: URL
        var gitTagsURL: String
        var teamsURL: URL
        var commentsURL: String
        var openIssuesCount: Int
        var keysURL: String
        var gitURL: String
        var contributorsURL: URL
        var size: Int
        var watchers: Int

        enum CodingKeys: String, CodingKey {
            case description, fork, url, language, forks, owner, name, id, homepage, size, watchers
            case stargazersURL = "stargazers_url"
            case cloneURL = "clone_url"
            case tagsURL = "tags_url"
            case fullName = "full_name"
            case mergesURL = "merges_url"
            case isPrivate = "private"
            case gitRefsURL = "git_refs_url"
            case archiveURL = "archive_url"
            case collaboratorsURL = "collaborators_url"
            case languagesURL = "languages_url"
            case treesURL = "trees_url"
            case labelsURL = "labels_url"
            case htmlURL = "html_url"
            case pushedAt = "pushed_at"
            case createdAt = "created_at"
            case hasIssues = "has_issues"
            case forksURL = "forks_url"
            case branchesURL = "branches_url"
            case commitsURL = "commits_url"
            case notificationsURL = "notifications_url"
            case openIssues = "open_issues"
            case contentsURL = "contents_url"
            case blobsURL = "blobs_url"
            case issuesURL = "issues_url"
            case compareURL = "compare_url"
            case issueEventsURL = "issue_events_url"
            case updatedAt = "updated_at"
            case statusesURL = "statuses_url"
            case forksCount = "forks_count"
            case assigneesURL = "assignees_url"
            case sshURL = "ssh_url"
            case isPublic = "public"
            case hasWiki = "has_wiki"
            case subscribersURL = "subscribers_url"
            case mirrorURL = "mirror_url"
            case watchersCount = "watchers_count"
            case hasDownloads = "has_downloads"
            case gitCommitsURL = "git_commits_url"
            case downloadsURL = "downloads_url"
            case pullsURL = "pulls_url"
            case issueCommentURL = "issue_comment_url"
            case hooksURL = "hooks_url"
            case subscriptionURL = "subscription_url"
            case milestonesURL = "milestones_url"
            case svnURL = "svn_url"
            case eventsURL = "events_url"
            case gitTagsURL = "git_tags_url"
            case teamsURL = "teams_url"
            case commentsURL = "comments_url"
            case openIssuesCount = "open_issues_count"
            case keysURL = "keys_url"
            case gitURL = "git_url"
            case contributorsURL = "contributors_url"
        }
    }
}
