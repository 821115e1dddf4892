import Godwit
import GodwitTesting

/// `/v1/users`.
nonisolated struct UserRoutes {
    let store: ContentStore
    let kept: KeptResponses

    /// The result of an avatar upload.
    private struct Avatar: Encodable {
        let fileName: String?
        let contentType: String
        let caption: String?
        let bytes: Int
    }

    func add(to route: MockRoutes) {
        let store = store
        route.get("/v1/users").answer { request throws(Problem) in
            try Paging(request).answer(await store.allUsers())
        }
        route.get("/v1/users/:id").answer { request throws(Problem) in
            .coded(try await store.user(request.id(of: "user")))
        }
        route.put("/v1/users/:id/avatar").answer(once: kept) { request throws(Problem) in
            let avatar = try Self.avatar(in: request)
            try await store.storeAvatar(of: request.id(of: "user"), bytes: avatar.bytes)
            return .coded(avatar)
        }
    }

    /// The picture, as the whole body or in a form.
    private static func avatar(in request: MockRequest) throws(Problem) -> Avatar {
        let type = request.fields[.contentType].flatMap(MediaType.init(_:))?.essence
        if let type, type.hasPrefix("image/") || type == "application/octet-stream" {
            return Avatar(fileName: nil, contentType: type, caption: nil, bytes: Int(request.bodyByteCount))
        }
        let parts = try UploadedForm(request).parts
        guard let file = parts.first(where: { $0.name == "avatar" }), let name = file.fileName else {
            throw Problem.invalid(["avatar": ["must be a file"]])
        }
        let caption = parts.first { $0.name == "caption" }.map { String(decoding: $0.content, as: UTF8.self) }
        return Avatar(fileName: name, contentType: file.contentType, caption: caption, bytes: file.content.count)
    }
}
