/// Joins the samples of each type from all bodies, and gives it a name.
struct SampleModels: Sendable {
    /// A type that bodies refer to.
    struct Model: Sendable {
        var name: String
        var shape: SampleShape
        /// The name that was wanted.
        fileprivate var base: String
        fileprivate var cut: Cut?
    }

    /// A type inside an envelope, which is a reference already.
    struct Cut: Sendable, Hashable {
        var path: [SampleShape.Step]
        var name: String
    }

    /// What identifies the samples that must have one type.
    struct Key: Sendable, Hashable {
        var name: String
        var scope: String
        var cut: Cut?
    }

    private struct Pool: Sendable {
        var key: Key
        var fallback: String
        var nodes: [DocumentNode]
    }

    private var pools: [Pool] = []
    private(set) var models: [Model] = []
    /// The names that types got.
    private var names: [Key: String] = [:]

    mutating func add(_ key: Key, fallback: String, nodes: [DocumentNode]) {
        if let index = pools.firstIndex(where: { $0.key == key }) {
            pools[index].nodes += nodes
        } else {
            pools.append(Pool(key: key, fallback: fallback, nodes: nodes))
        }
    }

    /// The name of a type; `nil` without a sample of it.
    func name(of key: Key) -> String? { names[key] }

    /// Makes a type of each group of samples that were added since the last time.
    mutating func resolve() throws(GenerationError) {
        for pool in pools where !pool.nodes.isEmpty { try resolve(pool) }
        // Lists that are always empty have the type of another list or of a detail.
        for pool in pools where pool.nodes.isEmpty {
            names[pool.key] = models.first { $0.base == pool.key.name && $0.cut == pool.key.cut }?.name
        }
        pools = []
    }

    private mutating func resolve(_ pool: Pool) throws(GenerationError) {
        let shape = try shape(pool.nodes, pool.key.name, pool.key.cut)
        for index in models.indices where models[index].base == pool.key.name && models[index].cut == pool.key.cut {
            let model = models[index]
            guard model.shape.resembles(shape) else { continue }
            // Resources of different collections can have the same name without being the same.
            guard let merged = try? self.shape(model.shape.nodes + pool.nodes, model.name, model.cut) else { continue }
            models[index].shape = merged
            names[pool.key] = model.name
            return
        }
        let name = unique(pool.key.name, pool.fallback)
        let named = name == pool.key.name ? shape : try self.shape(pool.nodes, name, pool.key.cut)
        models.append(Model(name: name, shape: named, base: pool.key.name, cut: pool.key.cut))
        names[pool.key] = name
    }

    private func shape(_ nodes: [DocumentNode], _ name: String, _ cut: Cut?) throws(GenerationError) -> SampleShape {
        let shape = try SampleShape(nodes.filter { !$0.isNull }, label: name)
        return cut.map { shape.replacing(at: $0.path[...], with: $0.name) } ?? shape
    }

    func unique(_ name: String, _ fallback: String) -> String {
        let taken = Set(models.map(\.name))
        if !taken.contains(name) { return name }
        var (unique, number) = (fallback, 2)
        while taken.contains(unique) {
            unique = "\(fallback)\(number)"
            number += 1
        }
        return unique
    }

    /// A type with exactly these keys, and enough of them to be no accident.
    func twin(of shape: SampleShape) -> String? {
        let keys = Set(shape.keys)
        guard keys.count >= 3 else { return nil }
        return models.first { Set($0.shape.keys) == keys && $0.shape.resembles(shape) }?.name
    }

    /// The type of an envelope with exactly these keys around a type.
    func envelope(of shape: SampleShape, _ cut: Cut) -> String? {
        models.first { $0.cut == cut && $0.shape.keys.sorted() == shape.keys.sorted() }?.name
    }

    mutating func update(_ index: Int, _ shape: SampleShape) { models[index].shape = shape }

    mutating func append(_ name: String, _ shape: SampleShape) {
        models.append(Model(name: name, shape: shape, base: name, cut: nil))
    }
}
