import FoundationEssentials
import GodwitJSON

extension Twitter.SearchPage: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        statuses = try json.read("statuses")
        searchMetadata = try json.read("search_metadata")
    }
}

extension Twitter.SearchMetadata: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        completedIn = try json.read("completed_in")
        maxID = try json.read("max_id")
        maxIDText = try json.read("max_id_str")
        nextResults = try json.read("next_results")
        query = try json.read("query")
        refreshURL = try json.read("refresh_url")
        count = try json.read("count")
        sinceID = try json.read("since_id")
        sinceIDText = try json.read("since_id_str")
    }
}

extension Twitter.Tweet: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        metadata = try json.read("metadata")
        createdAt = try json.read("created_at")
        id = try json.read("id")
        idText = try json.read("id_str")
        text = try json.read("text")
        source = try json.read("source")
        truncated = try json.read("truncated")
        inReplyToStatusID = try json.read("in_reply_to_status_id")
        inReplyToStatusIDText = try json.read("in_reply_to_status_id_str")
        inReplyToUserID = try json.read("in_reply_to_user_id")
        inReplyToUserIDText = try json.read("in_reply_to_user_id_str")
        inReplyToScreenName = try json.read("in_reply_to_screen_name")
        user = try json.read("user")
        geo = try json.read("geo")
        coordinates = try json.read("coordinates")
        place = try json.read("place")
        contributors = try json.read("contributors")
        retweetCount = try json.read("retweet_count")
        favoriteCount = try json.read("favorite_count")
        entities = try json.read("entities")
        favorited = try json.read("favorited")
        retweeted = try json.read("retweeted")
        lang = try json.read("lang")
        retweetedStatus = try json.read("retweeted_status")
        possiblySensitive = try json.read("possibly_sensitive")
    }
}

extension Twitter.TweetMetadata: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        resultType = try json.read("result_type")
        isoLanguageCode = try json.read("iso_language_code")
    }
}

extension Twitter.GeoPoint: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        type = try json.read("type")
        coordinates = try json.read("coordinates")
    }
}

extension Twitter.Place: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        id = try json.read("id")
        name = try json.read("name")
        country = try json.read("country")
    }
}

extension Twitter.Contributor: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        id = try json.read("id")
        screenName = try json.read("screen_name")
    }
}

extension Twitter.User: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        id = try json.read("id")
        idText = try json.read("id_str")
        name = try json.read("name")
        screenName = try json.read("screen_name")
        location = try json.read("location")
        description = try json.read("description")
        url = try json.read("url")
        entities = try json.read("entities")
        protected = try json.read("protected")
        followersCount = try json.read("followers_count")
        friendsCount = try json.read("friends_count")
        listedCount = try json.read("listed_count")
        createdAt = try json.read("created_at")
        favouritesCount = try json.read("favourites_count")
        utcOffset = try json.read("utc_offset")
        timeZone = try json.read("time_zone")
        geoEnabled = try json.read("geo_enabled")
        verified = try json.read("verified")
        statusesCount = try json.read("statuses_count")
        lang = try json.read("lang")
        contributorsEnabled = try json.read("contributors_enabled")
        isTranslator = try json.read("is_translator")
        isTranslationEnabled = try json.read("is_translation_enabled")
        profileBackgroundColor = try json.read("profile_background_color")
        profileBackgroundImageURL = try json.read("profile_background_image_url")
        profileBackgroundImageURLHTTPS = try json.read("profile_background_image_url_https")
        profileBackgroundTile = try json.read("profile_background_tile")
        profileImageURL = try json.read("profile_image_url")
        profileImageURLHTTPS = try json.read("profile_image_url_https")
        profileBannerURL = try json.read("profile_banner_url")
        profileLinkColor = try json.read("profile_link_color")
        profileSidebarBorderColor = try json.read("profile_sidebar_border_color")
        profileSidebarFillColor = try json.read("profile_sidebar_fill_color")
        profileTextColor = try json.read("profile_text_color")
        profileUseBackgroundImage = try json.read("profile_use_background_image")
        isDefaultProfile = try json.read("default_profile")
        defaultProfileImage = try json.read("default_profile_image")
        following = try json.read("following")
        followRequestSent = try json.read("follow_request_sent")
        notifications = try json.read("notifications")
    }
}

extension Twitter.UserEntities: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        description = try json.read("description")
        url = try json.read("url")
    }
}

extension Twitter.LinkList: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        urls = try json.read("urls")
    }
}

extension Twitter.TweetEntities: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        hashtags = try json.read("hashtags")
        symbols = try json.read("symbols")
        urls = try json.read("urls")
        userMentions = try json.read("user_mentions")
        media = try json.read("media")
    }
}

extension Twitter.Link: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        url = try json.read("url")
        expandedURL = try json.read("expanded_url")
        displayURL = try json.read("display_url")
        indices = try json.read("indices")
    }
}

extension Twitter.Hashtag: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        text = try json.read("text")
        indices = try json.read("indices")
    }
}

extension Twitter.Mention: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        screenName = try json.read("screen_name")
        name = try json.read("name")
        id = try json.read("id")
        idText = try json.read("id_str")
        indices = try json.read("indices")
    }
}

extension Twitter.Media: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        id = try json.read("id")
        idText = try json.read("id_str")
        indices = try json.read("indices")
        mediaURL = try json.read("media_url")
        mediaURLHTTPS = try json.read("media_url_https")
        url = try json.read("url")
        displayURL = try json.read("display_url")
        expandedURL = try json.read("expanded_url")
        type = try json.read("type")
        sizes = try json.read("sizes")
        sourceStatusID = try json.read("source_status_id")
        sourceStatusIDText = try json.read("source_status_id_str")
    }
}

extension Twitter.MediaSize: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        w = try json.read("w")
        h = try json.read("h")
        resize = try json.read("resize")
    }
}

extension Catalog.Event: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        description = try json.read("description")
        id = try json.read("id")
        logo = try json.read("logo")
        name = try json.read("name")
        subTopicIds = try json.read("subTopicIds")
        subjectCode = try json.read("subjectCode")
        subtitle = try json.read("subtitle")
        topicIds = try json.read("topicIds")
    }
}

extension Catalog.Performance: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        eventId = try json.read("eventId")
        id = try json.read("id")
        logo = try json.read("logo")
        name = try json.read("name")
        prices = try json.read("prices")
        seatCategories = try json.read("seatCategories")
        seatMapImage = try json.read("seatMapImage")
        start = try json.read("start")
        venueCode = try json.read("venueCode")
    }
}

extension Catalog.Price: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        amount = try json.read("amount")
        audienceSubCategoryId = try json.read("audienceSubCategoryId")
        seatCategoryId = try json.read("seatCategoryId")
    }
}

extension Catalog.SeatCategory: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        areas = try json.read("areas")
        seatCategoryId = try json.read("seatCategoryId")
    }
}

extension Catalog.Area: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        areaId = try json.read("areaId")
        blockIds = try json.read("blockIds")
    }
}

extension Catalog: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        areaNames = try json.read("areaNames")
        audienceSubCategoryNames = try json.read("audienceSubCategoryNames")
        blockNames = try json.read("blockNames")
        events = try json.read("events")
        performances = try json.read("performances")
        seatCategoryNames = try json.read("seatCategoryNames")
        subTopicNames = try json.read("subTopicNames")
        subjectNames = try json.read("subjectNames")
        topicNames = try json.read("topicNames")
        topicSubTopics = try json.read("topicSubTopics")
        venueNames = try json.read("venueNames")
    }
}

extension FeatureCollection.Feature: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        type = try json.read("type")
        properties = try json.read("properties")
        geometry = try json.read("geometry")
    }
}

extension FeatureCollection.Geometry: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        type = try json.read("type")
        coordinates = try json.read("coordinates")
    }
}

extension FeatureCollection: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        type = try json.read("type")
        features = try json.read("features")
    }
}

extension GitHub.Event: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        type = try json.read("type")
        createdAt = try json.read("created_at")
        actor = try json.read("actor")
        repo = try json.read("repo")
        isPublic = try json.read("public")
        payload = try json.read("payload")
        id = try json.read("id")
        org = try json.read("org")
    }
}

extension GitHub.Account: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        gravatarID = try json.read("gravatar_id")
        login = try json.read("login")
        avatarURL = try json.read("avatar_url")
        url = try json.read("url")
        id = try json.read("id")
    }
}

extension GitHub.RepositoryName: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        url = try json.read("url")
        id = try json.read("id")
        name = try json.read("name")
    }
}

extension GitHub.Payload: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        commits = try json.read("commits")
        distinctSize = try json.read("distinct_size")
        ref = try json.read("ref")
        pushID = try json.read("push_id")
        head = try json.read("head")
        before = try json.read("before")
        size = try json.read("size")
        description = try json.read("description")
        masterBranch = try json.read("master_branch")
        refType = try json.read("ref_type")
        forkee = try json.read("forkee")
        action = try json.read("action")
        issue = try json.read("issue")
        comment = try json.read("comment")
        pages = try json.read("pages")
    }
}

extension GitHub.Commit: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        url = try json.read("url")
        message = try json.read("message")
        distinct = try json.read("distinct")
        sha = try json.read("sha")
        author = try json.read("author")
    }
}

extension GitHub.CommitAuthor: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        email = try json.read("email")
        name = try json.read("name")
    }
}

extension GitHub.Page: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        pageName = try json.read("page_name")
        htmlURL = try json.read("html_url")
        title = try json.read("title")
        sha = try json.read("sha")
        summary = try json.read("summary")
        action = try json.read("action")
    }
}

extension GitHub.Issue: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        user = try json.read("user")
        url = try json.read("url")
        labels = try json.read("labels")
        htmlURL = try json.read("html_url")
        labelsURL = try json.read("labels_url")
        pullRequest = try json.read("pull_request")
        createdAt = try json.read("created_at")
        closedAt = try json.read("closed_at")
        milestone = try json.read("milestone")
        title = try json.read("title")
        body = try json.read("body")
        updatedAt = try json.read("updated_at")
        number = try json.read("number")
        state = try json.read("state")
        assignee = try json.read("assignee")
        id = try json.read("id")
        eventsURL = try json.read("events_url")
        commentsURL = try json.read("comments_url")
        comments = try json.read("comments")
    }
}

extension GitHub.Milestone: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        number = try json.read("number")
        title = try json.read("title")
    }
}

extension GitHub.Label: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        name = try json.read("name")
        color = try json.read("color")
    }
}

extension GitHub.PullRequestLinks: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        htmlURL = try json.read("html_url")
        patchURL = try json.read("patch_url")
        diffURL = try json.read("diff_url")
    }
}

extension GitHub.Comment: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        user = try json.read("user")
        url = try json.read("url")
        issueURL = try json.read("issue_url")
        createdAt = try json.read("created_at")
        body = try json.read("body")
        updatedAt = try json.read("updated_at")
        id = try json.read("id")
    }
}

extension GitHub.User: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        url = try json.read("url")
        gistsURL = try json.read("gists_url")
        gravatarID = try json.read("gravatar_id")
        type = try json.read("type")
        avatarURL = try json.read("avatar_url")
        subscriptionsURL = try json.read("subscriptions_url")
        receivedEventsURL = try json.read("received_events_url")
        organizationsURL = try json.read("organizations_url")
        reposURL = try json.read("repos_url")
        login = try json.read("login")
        id = try json.read("id")
        starredURL = try json.read("starred_url")
        eventsURL = try json.read("events_url")
        followersURL = try json.read("followers_url")
        followingURL = try json.read("following_url")
    }
}

extension GitHub.Repository: JSONReadable {
    init(json: inout JSONObjectReader) throws {
        description = try json.read("description")
        fork = try json.read("fork")
        url = try json.read("url")
        language = try json.read("language")
        stargazersURL = try json.read("stargazers_url")
        cloneURL = try json.read("clone_url")
        tagsURL = try json.read("tags_url")
        fullName = try json.read("full_name")
        mergesURL = try json.read("merges_url")
        forks = try json.read("forks")
        isPrivate = try json.read("private")
        gitRefsURL = try json.read("git_refs_url")
        archiveURL = try json.read("archive_url")
        collaboratorsURL = try json.read("collaborators_url")
        owner = try json.read("owner")
        languagesURL = try json.read("languages_url")
        treesURL = try json.read("trees_url")
        labelsURL = try json.read("labels_url")
        htmlURL = try json.read("html_url")
        pushedAt = try json.read("pushed_at")
        createdAt = try json.read("created_at")
        hasIssues = try json.read("has_issues")
        forksURL = try json.read("forks_url")
        branchesURL = try json.read("branches_url")
        commitsURL = try json.read("commits_url")
        notificationsURL = try json.read("notifications_url")
        openIssues = try json.read("open_issues")
        contentsURL = try json.read("contents_url")
        blobsURL = try json.read("blobs_url")
        issuesURL = try json.read("issues_url")
        compareURL = try json.read("compare_url")
        issueEventsURL = try json.read("issue_events_url")
        name = try json.read("name")
        updatedAt = try json.read("updated_at")
        statusesURL = try json.read("statuses_url")
        forksCount = try json.read("forks_count")
        assigneesURL = try json.read("assignees_url")
        sshURL = try json.read("ssh_url")
        isPublic = try json.read("public")
        hasWiki = try json.read("has_wiki")
        subscribersURL = try json.read("subscribers_url")
        mirrorURL = try json.read("mirror_url")
        watchersCount = try json.read("watchers_count")
        id = try json.read("id")
        hasDownloads = try json.read("has_downloads")
        gitCommitsURL = try json.read("git_commits_url")
        downloadsURL = try json.read("downloads_url")
        pullsURL = try json.read("pulls_url")
        homepage = try json.read("homepage")
        issueCommentURL = try json.read("issue_comment_url")
        hooksURL = try json.read("hooks_url")
        subscriptionURL = try json.read("subscription_url")
        milestonesURL = try json.read("milestones_url")
        svnURL = try json.read("svn_url")
        eventsURL = try json.read("events_url")
        gitTagsURL = try json.read("git_tags_url")
        teamsURL = try json.read("teams_url")
        commentsURL = try json.read("comments_url")
        openIssuesCount = try json.read("open_issues_count")
        keysURL = try json.read("keys_url")
        gitURL = try json.read("git_url")
        contributorsURL = try json.read("contributors_url")
        size = try json.read("size")
        watchers = try json.read("watchers")
    }
}
