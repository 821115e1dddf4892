#if OpenAPI
import Godwit
@_spi(Generated) import OpenAPIRuntime

// The client of a small document, in the form that swift-openapi-generator writes.

/// The values of the document.
enum Components {
    enum Schemas {
        struct Bird: Codable, Hashable, Sendable {
            var id: Int
            var name: String
        }
    }
}

/// Inputs and outputs of the operations.
enum Operations {
    enum GetBird {
        static let id = "getBird"

        struct Input: Sendable {
            var id: Int
            var language: String?
        }

        enum Output: Sendable {
            case ok(Components.Schemas.Bird)
            case notFound
            case undocumented(statusCode: Int, UndocumentedPayload)
        }
    }

    enum CreateBird {
        static let id = "createBird"

        enum Output: Sendable {
            case created(Components.Schemas.Bird)
            case undocumented(statusCode: Int, UndocumentedPayload)
        }
    }

    enum PutSong {
        static let id = "putSong"

        struct Input: Sendable {
            var id: Int
            var body: OpenAPIRuntime.HTTPBody
        }

        /// The response is the song as the server has stored it.
        enum Output: Sendable {
            case ok(OpenAPIRuntime.HTTPBody)
            case undocumented(statusCode: Int, UndocumentedPayload)
        }
    }

    enum GetSong {
        static let id = "getSong"

        enum Output: Sendable {
            case ok(OpenAPIRuntime.HTTPBody)
            case undocumented(statusCode: Int, UndocumentedPayload)
        }
    }
}
#endif
