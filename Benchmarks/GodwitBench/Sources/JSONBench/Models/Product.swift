/// A record of 40 optional fields. Also says what each looks like in JSON.
struct Product: Codable, Equatable {
    var sku, name, brand, line, color, finish, material, pattern, shape, style: String?
    var season, origin, supplier, barcode, category, subcategory, size, fit, care, warranty: String?
    var width, height, depth, weight, price, cost, tax, discount, stock, reserved: Int?
    var ordered, returned, rating, reviews, views, position, minimum, maximum, version, capacity: Int?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case sku, name, brand, line, color, finish, material, pattern, shape, style
        case season, origin, supplier, barcode, category, subcategory, size, fit, care, warranty
        case width, height, depth, weight, price, cost, tax, discount, stock, reserved
        case ordered, returned, rating, reviews, views, position, minimum, maximum, version, capacity
    }

    /// A record with some of its fields, in any order.
    static func json(of keys: some Sequence<CodingKeys>, number: Int) -> String {
        let members = keys.map { key in
            let name = key.stringValue
            return key.isNumber ? "\"\(name)\":\(number)" : "\"\(name)\":\"\(name) \(number)\""
        }
        return "{" + members.joined(separator: ",") + "}"
    }
}

extension Product.CodingKeys {
    fileprivate var isNumber: Bool {
        switch self {
        case .width, .height, .depth, .weight, .price, .cost, .tax, .discount, .stock, .reserved, .ordered, .returned,
            .rating, .reviews, .views, .position, .minimum, .maximum, .version, .capacity:
            true
        default: false
        }
    }
}
