import Godwit
import GodwitPatterns

/// The options of `paginate`: how a page leads to the next one, and what is printed.
struct PageArguments: Sendable {
    /// What the next request is made of.
    enum Way: Sendable {
        /// `Link` with the relation `next`, or else a URL in the body.
        case links
        /// A query item with a text from the body.
        case cursor(String)
        /// A query item that counts pages.
        case numbers(String)
        /// A query item that counts elements.
        case offsets(String)

        /// The name of the query item that changes from page to page.
        var name: String? {
            switch self {
            case .links: nil
            case .cursor(let name), .numbers(let name), .offsets(let name): name
            }
        }
    }

    var way = Way.links
    /// Where the URL or the cursor of the next page is; `nil` finds it under its usual names.
    var next: MemberPath?
    /// Where the elements are; `nil` finds them.
    var items: MemberPath?
    /// The maximum number of pages; `nil` means all.
    var pageLimit: Int?
    /// The maximum number of elements; `nil` means all.
    var itemLimit: Int?
    /// Whether pages are printed instead of their elements.
    var printsPages = false

    static let options: [Option<Self>] = [
        path("--items", "Where the elements are: .data.items. Default: the body's only array") { $0.items = $1 },
        path("--next", "Where the URL or the cursor of the next page is. Default: its usual names") { $0.next = $1 },
        .value("--cursor", of: "NAME", help: "The query item for the cursor in the body") { $0.way = .cursor($1) },
        .value("--page", of: "NAME", help: "The query item for the page's number, counted up to an empty page") {
            $0.way = .numbers($1)
        },
        .value("--offset", of: "NAME", help: "The query item for the number of earlier elements") {
            $0.way = .offsets($1)
        },
        .count("--max-pages", in: 1...1_000_000, help: "End after N pages") { $0.pageLimit = $1 },
        .count("--max-items", in: 1...1_000_000_000, help: "End after N elements") { $0.itemLimit = $1 },
        .flag("--pages", help: "Print whole pages instead of their elements") { $0.printsPages = true },
    ]

    private static func path(
        _ name: String, _ help: String, _ set: @escaping @Sendable (inout Self, MemberPath) -> Void
    ) -> Option<Self> {
        .value(name, of: ".PATH", help: help) { arguments, text throws(UsageError) in
            do throws(SyntaxFault) {
                set(&arguments, try MemberPath(text))
            } catch {
                throw UsageError("\(name) '\(text)': \(error.message)")
            }
        }
    }
}

extension RequestArguments {
    /// Moves an item of the URL's query to the items, where its value can change.
    mutating func takeFromQuery(_ name: String) {
        guard let value = CheckFilter.queryParameter(name, of: url), let mark = url.firstIndex(of: "?") else { return }
        let query = url[mark...].dropFirst().prefix { $0 != "#" }
        let kept = query.split(separator: "&").filter { CheckFilter.queryParameter(name, of: "/?\($0)") == nil }
        items.append(.query(name: name, value: value))
        url = url[..<mark] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    }
}
