import Glibc
import Godwit

// Fuzzer list
// Fuzzer TARGET SEEDS-FOLDER INPUT-FILE --seconds N | --rounds N [SEED]
// Fuzzer TARGET --replay INPUT-FILE
// Fuzzer extremes [OPTION]
let arguments = Array(CommandLine.arguments.dropFirst())
// What a peer does to a socket must not end the process.
signal(SIGPIPE, SIG_IGN)

if arguments == ["list"] {
    print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
    exit(0)
}
if arguments.first == "extremes" {
    await Extreme.run(arguments.count > 1 ? arguments[1] : nil)
    exit(0)
}
if arguments == ["extreme-names"] {
    print(Extreme.all.map(\.name).joined(separator: "\n"))
    exit(0)
}
guard let target = FuzzTarget.all.first(where: { $0.name == arguments.first }) else { fail("no such target") }
if arguments.count == 3, arguments[1] == "--replay" {
    let run = try FuzzRun(target, inputFile: nil)
    try await run.read(Data(contentsOf: URL(filePath: arguments[2])), seed: 1)
    print("\(target.name): read")
    exit(0)
}
guard arguments.count >= 5, let limit = Int(arguments[4]) else { fail("usage: TARGET SEEDS INPUT --seconds N") }
let seed = arguments.count > 5 ? UInt64(arguments[5]) ?? 1 : UInt64.random(in: 1...999_999)
let run = try FuzzRun(target, inputFile: arguments[2])
let count = try await run.fuzz(
    seeds: arguments[1], seed: seed, limit: arguments[3] == "--seconds" ? .seconds(Double(limit)) : .rounds(limit))
print(
    "\(target.name): \(count) inputs, seed \(seed), at most \(run.longestTime) ms and \(run.largestGrowth >> 10) KiB for one"
)
exit(0)
