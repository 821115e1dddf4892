/// canada.json: a border as GeoJSON. Almost all of it is numbers.
struct FeatureCollection: Codable, Equatable {
    var type: String
    var features: [Feature]

    /// A feature with its outline.
    struct Feature: Codable, Equatable {
        var type: String
        var properties: [String: String]
        var geometry: Geometry
    }

    /// Polygons of points, each a longitude and a latitude.
    struct Geometry: Codable, Equatable {
        var type: String
        var coordinates: [[[Double]]]
    }
}
