import GodwitCore

extension StoredElements {
    /// The elements of the first page that models have; `nil` if they have none.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint of the page, with `.cacheOnly`.
    ///   - key: The key of its model.
    init?<Page: ElementPage & Codable & Sendable>(
        _ endpoint: Endpoint<Page>, _ key: String, _ api: APIClient, _ models: some ModelStore
    ) async where Page.Item == Item {
        var readings = api.reading(endpoint, from: models).makeAsyncIterator()
        guard let page = try? await readings.next() else { return nil }
        var items = page.value.items
        if let changed = await models.model(for: .elements(of: key)), changed.date >= page.date,
            let type = [Item].self as? any Decodable.Type,
            let newer = try? JSONModelDecoder().decode(type, from: changed.data) as? [Item]
        {
            items = newer
        }
        self.init(items: items, date: page.date)
    }
}

extension StoredModel {
    /// The first elements of a list, as confirmed changes have made them since its first page was stored; `nil` if no page is
    /// stored, or if the elements can't be encoded.
    ///
    /// They have a model of their own: a page can't be made of other elements.
    ///
    /// - Parameter key: The key of the page's model.
    init?<Page: ElementPage & Codable & Sendable>(
        _ items: [Page.Item], of page: Page.Type, _ key: String, _ date: Date, _ models: any ModelStore
    ) async where Page.Item: Sendable {
        guard let stored = await models.model(for: key),
            let page = try? JSONModelDecoder().decode(Page.self, from: stored.data),
            // As many as the page had. Of a list that was short or empty, all that it has now.
            let elements = Array(items.prefix(max(page.items.count, 10))) as? any Encodable,
            let data = try? JSONModelEncoder().encode(elements)
        else { return nil }
        self.init(data: data, date: date)
    }
}

extension String {
    /// The key of the elements of a list, by that of its first page.
    static func elements(of key: String) -> String { "elements of \(key)" }
}
