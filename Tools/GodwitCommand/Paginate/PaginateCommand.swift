import Godwit

/// Prints the elements of a list that comes in pages, one JSON value on a line.
struct PaginateCommand {
    private let arguments: RequestArguments
    private let command: Command
    private let observation: Observation

    init(_ arguments: RequestArguments, of command: Command) {
        self.arguments = arguments
        self.command = command
        observation = Observation(arguments, of: command)
    }

    func run() async throws(CommandFailure) -> ExitCode {
        var arguments = arguments
        if let name = arguments.pages.way.name { arguments.takeFromQuery(name) }
        let builder = try await RequestBuilder.inSession(arguments, of: command)
        try await observation.conclude { () async throws(CommandFailure) in try await printPages(of: builder) }
        try builder.saveSession()
        return .success
    }

    private func printPages(of builder: RequestBuilder) async throws(CommandFailure) {
        let paging = try await paging(of: builder)
        let open = try builder.open(observation)
        try await CommandFailure.run { () async throws(CommandFailure) in
            try await print(open.client.pages(paging))
            await open.finishValidations(arguments)
        } finally: {
            await open.end()
        }
    }

    private func paging(of builder: RequestBuilder) async throws(CommandFailure) -> Paging<ListPage> {
        let pages = builder.arguments.pages
        let first = try await builder.endpoint { [pages] (data, head, _) throws(NetworkError) in
            try ListPage(data, head, pages)
        }
        switch pages.way {
        case .links: return .urls(from: first) { $0.next }
        case .cursor(let name):
            return .cursor(next: { $0.next }, { cursor in cursor.map { first.setting(name, to: $0) } ?? first })
        case .numbers(let name):
            return .numbers(from: try number(name, builder) ?? 1) { first.setting(name, to: String($0)) }
        case .offsets(let name):
            let start = try number(name, builder) ?? 0
            return .offsets(limit: 1) {
                first.setting(name, to: String(start.addingReportingOverflow($0).partialValue))
            }
        }
    }

    /// The number in the query that the list starts from.
    private func number(_ name: String, _ builder: RequestBuilder) throws(CommandFailure) -> Int? {
        for case .query(name, let text) in builder.arguments.items {
            guard let number = Int(text), (0...1_000_000_000).contains(number) else {
                throw .usage(UsageError("\(name)==\(text) is not a number to count from", command: "paginate"))
            }
            return number
        }
        return nil
    }

    private func print(_ pages: Pages<ListPage>) async throws(CommandFailure) {
        var pages = pages.makeAsyncIterator()
        var (pageCount, itemCount) = (0, 0)
        while pageCount < arguments.pages.pageLimit ?? .max {
            let page = try await CommandFailure.network { () async throws(NetworkError) in try await pages.next() }
            guard let page else { break }
            pageCount += 1
            if pageCount == 1, !page.namesNext {
                await command.report("the page names no next one; see --next, --cursor, --page and --offset")
            }
            let rest = (arguments.pages.itemLimit ?? .max) - itemCount
            for item in arguments.pages.printsPages ? [page.whole] : Array(page.items.prefix(rest)) {
                try await command.print(item.text(.compact, colors: colors) + "\n", colors: colors)
            }
            itemCount += page.items.count
            if itemCount >= arguments.pages.itemLimit ?? .max { break }
        }
        if arguments.isVerbose { await command.report("\(pageCount) pages, \(itemCount) elements") }
    }

    private var colors: Colors { arguments.color.colors(for: command.output, command.environment) }
}

extension Endpoint {
    /// The endpoint with another value for a query item.
    fileprivate func setting(_ name: String, to value: String) -> Endpoint {
        var copy = self
        copy.query = QueryItems(query.items.filter { $0.name != name } + [QueryItem(name: name, value: value)])
        return copy
    }
}
