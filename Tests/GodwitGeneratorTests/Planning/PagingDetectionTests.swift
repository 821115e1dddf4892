@testable import GodwitGenerator
import Testing

@Suite("G2 Pages are recognized")
struct PagingDetectionTests {
    /// The operation of a document with these parameters and members of the page, in YAML.
    private func operation(_ parameters: String, _ members: String) throws -> OperationPlan {
        let page = "{type: object, properties: {\(members)}}"
        let api = try api(
            """
            openapi: 3.1.0
            info: {title: T}
            paths:
              /things:
                get:
                  operationId: list
                  parameters: [\(parameters)]
                  responses: {200: {description: A page, content: {application/json: {schema: \(page)}}}}
            """)
        return try #require(try Planner.plan(api, GeneratorOptions()).operations.first)
    }

    private static let list = "type: array, items: {type: object, properties: {id: {type: string}}, required: [id]}"

    @Test(
        "G2 by the names that APIs have for cursors, numbers and URLs, also if nothing is required",
        arguments: [
            (
                "{name: marker, in: query, schema: {type: string}}", "entries: {LIST}, next_marker: {type: string}",
                "marker/nextMarker"
            ),
            (
                "{name: pageToken, in: query, schema: {type: string}}", "files: {LIST}, nextPageToken: {type: string}",
                "pageToken/nextPageToken"
            ),
            (
                "{name: after, in: query, schema: {type: string}}",
                "data: {LIST}, paging: {type: object, properties: {next: {type: string}}}", "after/paging?.next"
            ),
            (
                "{name: after, in: query, schema: {type: string}}",
                "data: {LIST}, next: {type: string, description: URL to the next page of items.}, "
                    + "cursors: {type: object, properties: {before: {type: string}, after: {type: string}}}",
                "after/cursors?.after"
            ),
            (
                "{name: after, in: query, schema: {type: string}}",
                "data: {LIST}, paging: {type: object, properties: {next: {type: string}, "
                    + "cursors: {type: object, properties: {after: {type: string}}}}}",
                "after/paging?.cursors?.after"
            ),
            (
                "{name: after, in: query, schema: {type: string}}",
                "data: {LIST}, next: {type: string, description: URL to the next page of items.}", "url next"
            ),
            (
                "{name: cursor, in: query, schema: {type: string}}",
                "data: {LIST}, cursor: {type: string}, next_cursor: {type: string}", "cursor/nextCursor"
            ),
            (
                "{name: next, in: query, schema: {type: string}}",
                "data: {LIST}, next: {type: string, description: The cursor to put into the next URL.}", "next/next"
            ),
            (
                "{name: starting_after, in: query, schema: {type: string}}", "data: {LIST}, has_more: {type: boolean}",
                "startingAfter.id"
            ),
            (
                "{name: page, in: query, schema: {type: integer, default: 0}}",
                "content: {LIST}, last: {type: boolean}", "page from 0 until $0.last ?? $0.items.isEmpty"
            ),
            ("{name: page, in: query, schema: {type: integer}}", "rows: {LIST}", "page"),
            ("", "calls: {LIST}, next_page_uri: {type: string, format: uri}", "url nextPageUri"),
            ("", "value: {LIST}, '@odata.nextLink': {type: string}", "url odataNextLink"),
            ("{name: skip, in: query, schema: {type: integer}}", "rows: {LIST}", "offset skip"),
        ])
    func kinds(parameters: String, members: String, kind: String) throws {
        let operation = try operation(parameters, members.replacing("LIST", with: Self.list))
        let found =
            switch operation.paging?.kind {
            case .cursor(let parameter, let next): "\(parameter)/\(next.joined(separator: "."))"
            case .lastElement(let parameter, let id, _): "\(parameter).\(id)"
            case .numbers(let parameter, let first, let until):
                parameter + (first.map { " from \($0)" } ?? "") + (until.map { " until \($0)" } ?? "")
            case .urls(let next): "url \(next.joined(separator: "."))"
            case .offsets(let offset, _): "offset \(offset)"
            case .links: "links"
            case nil: "none"
            }
        #expect(found == kind)
    }

    @Test("G2 a required cursor is optional, as the first page has none; an optional list is found too")
    func required() throws {
        let operation = try operation(
            "{name: cursor, in: query, required: true, schema: {type: string}}",
            "items: {\(Self.list)}, next_cursor: {type: string}")
        #expect(operation.parameters.map(\.type) == [.optional(.string)])
        #expect(operation.paging?.items == [PageShape.renamedItems])
    }
}
