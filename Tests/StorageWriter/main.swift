// storage-writer FOLDER LIMIT NAME [COUNT | full]
//
// Writes responses to a disk store: for ever, a number of times, or as on a disk with room for a quarter of a megabyte.

#if canImport(Glibc)
import Glibc
import GodwitStorage

/// A response that tells its own content, so that a reader can see that it is whole.
func sample(_ name: String, _ number: Int, bytes: Int) throws -> CachedResponse {
    let byte = UInt8.random(in: .min ... .max)
    return CachedResponse(
        url: try HTTPURL("https://example.com/\(name)/\(number)"), variant: "", status: .ok,
        fields: ["X-Size": "\(bytes)", "X-Byte": "\(byte)"], body: Data(repeating: byte, count: bytes),
        requestTime: Date(), responseTime: Date())
}

func say(_ text: String) {
    print(text)
    fflush(nil)
}

/// Everything a store can do, until something kills the program.
func writeForever(_ store: DiskCacheStore, _ name: String) async throws {
    while true {
        let bytes = Int.random(in: 0..<10) == 0 ? Int.random(in: 0...200_000) : Int.random(in: 0...4000)
        let response = try sample(name, Int.random(in: 0..<200), bytes: bytes)
        switch Int.random(in: 0..<20) {
        case 0: await store.remove(response)
        case 1: await store.removeAll(for: response.url)
        case 2...5: _ = await store.responses(for: response.url)
        case 6 where Int.random(in: 0..<20) == 0: await store.removeAll()
        default: await store.store(response)
        }
        say("written")
    }
}

/// Fills a disk, and removes from it what is there.
func fillDisk(_ store: DiskCacheStore, _ name: String) async throws {
    signal(SIGXFSZ, SIG_IGN)
    var room = rlimit(rlim_cur: 256 << 10, rlim_max: 256 << 10)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &room)
    for number in 0..<100 { await store.store(try sample(name, number, bytes: 10_000)) }
    let kept = await store.urls()
    for url in kept { await store.removeAll(for: url) }
    say("kept \(kept.count) then \(await store.urls().count)")
}

let arguments = CommandLine.arguments
guard arguments.count >= 4, let limit = Int(arguments[2]) else { exit(2) }
let store = try DiskCacheStore(directory: URL(filePath: arguments[1]), limit: limit)
let name = arguments[3]
switch arguments.dropFirst(4).first {
case nil: try await writeForever(store, name)
case "full": try await fillDisk(store, name)
case let count?:
    for number in 0..<(Int(count) ?? 0) {
        let bytes = Int.random(in: 0...4000)
        await store.store(try sample(name, number, bytes: bytes))
    }
    say("done")
}
#endif
