import Godwit

/// The JSON object that `--json-output` writes for each file.
enum TransferReport {
    static func report(_ result: Result<URL, NetworkError>, _ url: String, isOld: Bool = false) -> JSONText {
        switch result {
        case .success(let file):
            let size = (try? FileManager.default.attributesOfItem(atPath: file.path))?[.size] as? Int
            return .object([
                "url": .string(url), "file": .string(file.path), "bytes": size.map { .number($0) },
                "alreadyComplete": isOld ? .bool(true) : nil,
            ])
        case .failure(let error):
            guard case .object(let members) = ResponseReport.report(error) else { return .null }
            return .object([JSONText.Member(name: JSONText.quoted("url"), value: .string(url))] + members)
        }
    }
}
