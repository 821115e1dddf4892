import GodwitSupport

/// Finds the stored response for a URL whose query differs in what doesn't matter: the URL under which it is stored.
///
/// A path has the rule that its latest response had. Bounded in bytes: what is least recently used is forgotten, and then
/// stored responses are found by their own URL only.
package struct SearchVarianceIndex: SparseContents {
    /// An origin and a path.
    private struct Path: Hashable, Sendable {
        let origin: Origin
        let path: String

        init(_ url: HTTPURL) {
            origin = url.origin
            path = url.path
        }

        var byteCount: Int { origin.host.utf8.count + path.utf8.count + 64 }
    }

    private struct Key: Hashable, Sendable {
        let path: Path
        let variance: SearchVariance
        let query: String
    }

    private var variances = LRUCache<Path, SearchVariance>(limit: 256 << 10)
    private var urls = LRUCache<Key, HTTPURL>(limit: 1 << 20)
    /// Whether no response has had a rule, as is usual.
    package private(set) var isEmpty = true

    package init() {}

    /// Notes the URL under which a response is stored.
    package mutating func note(_ url: HTTPURL, _ fields: HTTPFields) {
        guard let variance = SearchVariance(fields) else {
            if !isEmpty { variances.remove(Path(url)) }
            return
        }
        guard let key = key(url, variance) else { return }
        isEmpty = false
        // The field's names are at most as long as its text.
        variances.insert(variance, byteCount: key.path.byteCount + SearchVariance.longestField, for: key.path)
        urls.insert(url, byteCount: key.path.byteCount + 2 * url.absoluteString.utf8.count, for: key)
    }

    /// The URL under which the latest equivalent response was stored; the URL itself if there is none.
    package mutating func storedURL(for url: HTTPURL) -> HTTPURL {
        guard !isEmpty, let variance = variances.value(for: Path(url)), let key = key(url, variance) else {
            return url
        }
        return urls.value(for: key) ?? url
    }

    private func key(_ url: HTTPURL, _ variance: SearchVariance) -> Key? {
        variance.key(of: url.query).map { Key(path: Path(url), variance: variance, query: $0) }
    }
}
