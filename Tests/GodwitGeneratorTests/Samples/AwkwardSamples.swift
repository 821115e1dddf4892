// swift-format-ignore-file: the samples are long lines, as servers send them
@testable import GodwitGenerator
import Testing

/// Samples with shapes that a simple reading gets wrong, each with the API that a person makes of it.
struct AwkwardSample: Sendable, CustomTestStringConvertible {
    var name: String
    var samples: [Sample]
    /// Types, operations and guesses, a line each.
    var outline: String

    var testDescription: String { name }
}

extension AwkwardSample {
    static let all = [
        slugs, jsonapi, graphql, odata, functions, dictionaries, scalars, keys, variants, stripe, columns, orders,
        settings,
    ]

    static let jsonapi = AwkwardSample(
        name: "JSON:API wraps attributes and relationships",
        samples: [
            .of(
                "GET /articles",
                #"""
                {"data": [{"type": "articles", "id": "1", "attributes": {"title": "a", "created-at": "2026-05-01T08:00:00.000Z"},
                  "relationships": {"author": {"data": {"type": "people", "id": "9"}}}}],
                 "links": {"self": "https://a.example/articles", "next": null}, "included": []}
                """#),
            .of(
                "GET /articles/1",
                #"""
                {"data": {"type": "articles", "id": "1", "attributes": {"title": "a", "created-at": "2026-05-01T08:00:00Z", "body": ""},
                  "relationships": {"author": {"data": null}}}}
                """#),
        ],
        outline: """
            Article {type: string, id: string, attributes: {title: string, created-at: date-time, body?: string}, relationships: {author: {data: {type: string, id: string}|null}}}
            ArticlePage {data: [Article], links: {self: uri, next: any|null}, included: [any]}
            ArticleEnvelope {data: Article}
            articles GET /articles -> 200 ArticlePage
            article GET /articles/{id} -> 200 ArticleEnvelope
            `id` is a parameter of `/articles/{id}`: the segment is a number
            `ArticlePage` is named after `Article`, which it contains
            `ArticleEnvelope` is named after `Article`, which it contains
            `Article.attributes.body` is optional: absent in 1 of 2 samples
            `Article.relationships.author.data` is nullable: null in 1 of 2 samples
            `ArticlePage.links.next` is any JSON: always null
            `ArticlePage.included[]` is any JSON: the array is empty in every sample
            """)

    static let graphql = AwkwardSample(
        name: "GraphQL has one operation",
        samples: [
            .of(
                "POST /graphql",
                #"""
                {"data": {"viewer": {"login": "a", "repositories": {"nodes": [{"name": "x"}]}}}}
                """#, request: #"{"query": "{viewer{login}}", "variables": {}}"#)
        ],
        outline: """
            graphql POST /graphql < {query: string, variables: [key: any|null]} -> 200 {data: {viewer: {login: string, repositories: {nodes: [{name: string}]}}}}
            `graphql.request.variables` is a dictionary of any JSON: the object is always empty
            """)

    static let odata = AwkwardSample(
        name: "OData lists values",
        samples: [
            .of(
                "GET /odata/Products",
                #"""
                {"@odata.context": "x", "value": [{"ID": 1, "Name": "a", "Price": 1.50}]}
                """#)
        ],
        outline: """
            Product {ID: integer, Name: string, Price: number}
            ProductPage {@odata.context: string, value: [Product]}
            products GET /odata/Products -> 200 ProductPage
            `ProductPage` is named after `Product`, which it contains
            """)

    static let functions = AwkwardSample(
        name: "functions instead of resources",
        samples: [
            .of(
                "POST /rpc/getUser",
                #"""
                {"user": {"Id": 1}}
                """#, request: #"{"userId": 1}"#),
            .of(
                "GET /getArticles",
                #"""
                {"articles": [{"id": 1}]}
                """#),
        ],
        outline: """
            getUser POST /rpc/getUser < {userId: integer} -> 200 {user: {Id: integer}}
            getArticles GET /getArticles -> 200 {articles: [{id: integer}]}
            """)

    static let dictionaries = AwkwardSample(
        name: "objects whose keys are data",
        samples: [
            .of(
                "GET /rates",
                #"""
                {"base": "EUR", "rates": {"2026-05-01": {"USD": 1.1}, "2026-05-02": {"USD": 1.2, "GBP": 0.8}}}
                """#),
            .of(
                "GET /users",
                #"""
                {"1": {"name": "a"}, "2": {"name": "b"}}
                """#),
        ],
        outline: """
            Rates {base: string, rates: [key: {USD: number, GBP?: number}]}
            rates GET /rates -> 200 Rates
            users GET /users -> 200 [key: {name: string}]
            `Rates.rates` is a dictionary: its keys look like data
            `Rates.rates[key].GBP` is optional: absent in 1 of 2 samples
            `users` is a dictionary: its keys look like data
            """)

    static let scalars = AwkwardSample(
        name: "answers that are no objects",
        samples: [
            .of("GET /count", "42"),
            .of("GET /names", #"["a", "b"]"#),
            .of("GET /nothing", "null"),
            .of("GET /grid", "[[1,2],[3,4.5]]"),
            .of("GET /flags", "true"),
        ],
        outline: """
            count GET /count -> 200 integer
            names GET /names -> 200 [string]
            nothing GET /nothing -> 200 any|null
            grid GET /grid -> 200 [[number]]
            flags GET /flags -> 200 boolean
            `nothing` is any JSON: always null
            """)

    static let keys = AwkwardSample(
        name: "keys that no language has as names",
        samples: [
            .of(
                "GET /items/1",
                #"""
                {"": 1, "class": "x", "1st": true, "a-b": 1, "a_b": 2, "aB": 3, "$ref": "x", "🌊": null, "self": {"Self": {"Type": 1}}}
                """#)
        ],
        outline: """
            Item {: integer, class: string, 1st: boolean, a-b: integer, a_b: integer, aB: integer, $ref: string, 🌊: any|null, self: {Self: {Type: integer}}}
            item GET /items/{id} -> 200 Item
            `id` is a parameter of `/items/{id}`: the segment is a number
            `Item.🌊` is any JSON: always null
            """)

    static let variants = AwkwardSample(
        name: "elements with different members",
        samples: [
            .of(
                "GET /events",
                #"""
                [{"type": "message", "text": "a"}, {"type": "photo", "url": "https://a.example/x", "size": {"w": 1, "h": 2}}, {"type": "message", "text": null}]
                """#)
        ],
        outline: """
            Event {type: strings(["message", "photo"]), text?: string|null, url?: uri, size?: {w: integer, h: integer}}
            events GET /events -> 200 [Event]
            `Event.type` is an enumeration: 2 different words in 3 samples
            `Event.text` is optional: absent in 1 of 3 samples
            `Event.text` is nullable: null in 1 of 2 samples
            `Event.url` is optional: absent in 2 of 3 samples
            `Event.size` is optional: absent in 2 of 3 samples
            """)

    static let stripe = AwkwardSample(
        name: "lists that say what they are",
        samples: [
            .of(
                "GET /v1/charges",
                #"""
                {"object": "list", "url": "/v1/charges", "has_more": false, "data": [{"id": "ch_1", "object": "charge", "amount": 100, "created": 1761955200, "metadata": {}, "refunds": {"object": "list", "data": []}, "customer": "cus_1"}]}
                """#),
            .of(
                "GET /v1/charges/ch_3MqLiJ2eZvKYlo2C1",
                #"""
                {"id": "ch_1", "object": "charge", "amount": 100, "created": 1761955200, "metadata": {"order": "6"}, "refunds": {"object": "list", "data": [{"id": "re_1"}]}, "customer": null}
                """#),
        ],
        outline: """
            Charge {id: string, object: string, amount: integer, created: integer, metadata: {order?: string}, refunds: {object: string, data: [{id: string}]}, customer: string|null}
            ChargePage {object: string, url: string, has_more: boolean, data: [Charge]}
            charges GET /v1/charges -> 200 ChargePage
            charge GET /v1/charges/{id} -> 200 Charge
            `id` is a parameter of `/v1/charges/{id}`: the segment looks like a key
            `ChargePage` is named after `Charge`, which it contains
            `Charge.metadata.order` is optional: absent in 1 of 2 samples
            `Charge.customer` is nullable: null in 1 of 2 samples
            """)

    static let columns = AwkwardSample(
        name: "columns instead of rows",
        samples: [
            .of(
                "GET https://api.open-meteo.com/v1/forecast?latitude=52.52&longitude=13.41&hourly=temperature_2m,rain",
                #"""
                {"latitude": 52.52, "hourly_units": {"time": "iso8601", "temperature_2m": "°C"}, "hourly": {"time": ["2026-05-01T00:00", "2026-05-01T01:00"], "temperature_2m": [1.2, 3]}}
                """#)
        ],
        outline: """
            Forecast {latitude: number, hourly_units: {time: string, temperature_2m: string}, hourly: {time: [date-time], temperature_2m: [number]}}
            forecast GET /forecast?latitude&longitude&hourly -> 200 Forecast
            """)

    static let orders = AwkwardSample(
        name: "requests and answers in envelopes",
        samples: [
            .of(
                "GET /orders/1",
                #"""
                {"order": {"id": 1, "lines": [{"sku": "a", "price": {"amount": "1.00", "currency": "EUR"}}], "total": {"amount": "1.00", "currency": "EUR"}, "shipping_address": {"street": "a", "zip": "01"}, "billing_address": {"street": "a", "zip": "01"}}}
                """#),
            .of(
                "POST /orders",
                #"""
                {"order": {"id": 1, "lines": [], "total": {"amount": "1.00", "currency": "EUR"}}}
                """#, status: 201, request: #"{"order": {"lines": [{"sku": "a", "count": 1}]}}"#),
        ],
        outline: """
            Order {id: integer, lines: [{sku: string, price: {amount: string, currency: string}}], total: {amount: string, currency: string}, shipping_address?: Address, billing_address?: Address}
            OrderDraft {lines: [{sku: string, count: integer}]}
            OrderEnvelope {order: Order}
            Address {street: string, zip: string}
            order GET /orders/{id} -> 200 OrderEnvelope
            createOrder POST /orders < {order: OrderDraft} -> 201 OrderEnvelope
            `id` is a parameter of `/orders/{id}`: the segment is a number
            `OrderEnvelope` is named after `Order`, which it contains
            `Order.shipping_address` is optional: absent in 1 of 2 samples
            `Order.billing_address` is optional: absent in 1 of 2 samples
            """)

    static let settings = AwkwardSample(
        name: "one object with a plural name",
        samples: [
            .of(
                "GET /settings",
                #"""
                {"theme": "dark", "limits": {"a": 1}}
                """#),
            .of(
                "PUT /settings",
                #"""
                {"theme": "dark", "limits": {"a": 1}}
                """#, request: #"{"theme": "dark"}"#),
            .of(
                "GET /users/octocat",
                #"""
                {"login": "octocat"}
                """#),
        ],
        outline: """
            Settings {theme: string, limits: {a: integer}}
            SettingsDraft {theme: string}
            User {login: string}
            settings GET /settings -> 200 Settings
            replaceSettings PUT /settings < SettingsDraft -> 200 Settings
            user GET /users/{id} -> 200 User
            `id` is a parameter of `/users/{id}`: the segment differs between samples, or is in the answer
            """)

    private static let article = #"{"id": 1, "slug": "a", "title": "x", "tags": ["a"]}"#

    static let slugs = AwkwardSample(
        name: "slugs, envelopes with the name of the resource, and drafts in them",
        samples: [
            .of("GET https://blog.example/api/articles?limit=3", #"{"articles": [\#(article)], "articlesCount": 3}"#),
            .of("GET https://blog.example/api/articles/how-to-sail", #"{"article": \#(article)}"#),
            .of("GET https://blog.example/api/articles/second-one", #"{"article": \#(article)}"#),
            .of(
                "GET https://blog.example/api/articles/second-one/comments", #"{"comments": [{"id": 1, "body": "a"}]}"#),
            .of("POST https://blog.example/api/articles/second-one/favorite", #"{"article": \#(article)}"#),
            .of("GET https://blog.example/api/profiles/joe", #"{"profile": {"username": "joe", "bio": null}}"#),
            .of(
                "POST https://blog.example/api/users/login", #"{"user": {"email": "a", "token": "b"}}"#,
                request: #"{"user": {"email": "a", "password": "b"}}"#),
            .of("GET https://blog.example/api/tags", #"{"tags": ["a", "b"]}"#),
            .of(
                "PUT https://blog.example/api/articles/second-one", #"{"article": \#(article)}"#,
                request: #"{"article": {"title": "y"}}"#),
            .of("GET https://blog.example/api/search?q=a", #"{"results": [\#(article)], "next": "b"}"#),
        ],
        outline: """
            Article {id: integer, slug: string, title: string, tags: [string]}
            Comment {id: integer, body: string}
            Profile {username: string, bio: any|null}
            Session {email: string, token: string}
            Tags {tags: [string]}
            ArticleDraft {title: string}
            ArticlePage {articles: [Article], articlesCount: integer}
            ArticleEnvelope {article: Article}
            CommentPage {comments: [Comment]}
            ProfileEnvelope {profile: Profile}
            SessionEnvelope {user: Session}
            articles GET /articles?limit -> 200 ArticlePage
            article GET /articles/{id} -> 200 ArticleEnvelope
            comments GET /articles/{articleId}/comments -> 200 CommentPage
            favoriteArticle POST /articles/{id}/favorite -> 200 ArticleEnvelope
            profile GET /profiles/{id} -> 200 ProfileEnvelope
            login POST /users/login < {user: {email: string, password: string}} -> 200 SessionEnvelope
            tags GET /tags -> 200 Tags
            updateArticle PUT /articles/{id} < {article: ArticleDraft} -> 200 ArticleEnvelope
            search GET /search?q -> 200 {results: [Article], next: string}
            `id` is a parameter of `/articles/{id}`: the segment differs between samples, or is in the answer
            `id` is a parameter of `/profiles/{id}`: the segment differs between samples, or is in the answer
            `login` needs no credentials: its answer has the tokens
            other operations need the access token of `login` as a bearer token
            `ArticlePage` is named after `Article`, which it contains
            `ArticleEnvelope` is named after `Article`, which it contains
            `CommentPage` is named after `Comment`, which it contains
            `ProfileEnvelope` is named after `Profile`, which it contains
            `SessionEnvelope` is named after `Session`, which it contains
            `favoriteArticle.article` is `Article`: it has the same members
            `search.results[]` is `Article`: it has the same members
            `Profile.bio` is any JSON: always null
            """)
}
