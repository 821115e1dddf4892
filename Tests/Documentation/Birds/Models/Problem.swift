nonisolated struct Problem: Codable, Sendable, Hashable {
    var type: String?
    var title: String?
    var status: Int?
    var detail: String?

    init(type: String? = nil, title: String? = nil, status: Int? = nil, detail: String? = nil) {
        self.type = type
        self.title = title
        self.status = status
        self.detail = detail
    }
}
