@testable import GodwitCore
import GodwitTesting
import Synchronization
import Testing

@_spi(Engines) @testable import GodwitCore

@Suite("S5 Messages that expand to much")
struct FramedConnectionTests {
    /// A connection that counts how often it is resumed.
    private final class Connection: DuplexConnection {
        let resumed = Mutex(0)

        func start(_ receiver: any DuplexReceiver) {}
        func resumeReading() { resumed.withLock { $0 += 1 } }
        func write(_ bytes: [UInt8], completion: @escaping @Sendable (NetworkError?) -> Void) {}
        func close() {}
    }

    /// Takes one message, and then asks for a pause.
    private final class Receiver: MessageReceiver {
        let received = Mutex<[Int]>([])
        let hasEnded = Mutex(false)

        func receive(_ message: WebSocketMessage) -> Bool {
            received.withLock { $0.append(message.byteCount) }
            return false
        }
        func receiveActivity() {}
        func receivePong(_ id: UInt64) {}
        func receiveClose(_ code: WebSocketCloseCode, reason: String) {}
        func receiveEnd(_ error: NetworkError?) { hasEnded.withLock { $0 = true } }
    }

    /// A compressed message of zeros, in one frame.
    private static func frame(_ size: Int) throws -> [UInt8] {
        let compressor = Deflater(windowBits: 15, forgets: true)
        let content = try #require([UInt8](repeating: 0, count: size).withUnsafeBytes(compressor.compress))
        let length: [UInt8] =
            content.count < 126
            ? [UInt8(content.count)] : [126, UInt8(content.count >> 8), UInt8(content.count & 0xFF)]
        return [0xC2] + length + content
    }

    private let connection = Connection()
    private let receiver = Receiver()
    private let framed: FramedConnection

    init() {
        var parameters = DeflateParameters()
        parameters.serverForgets = true
        framed = FramedConnection(.client, connection, WebSocketOptions(), parameters)
        framed.start(receiver)
    }

    private func receive(_ bytes: [UInt8] = []) -> Bool { bytes.withUnsafeBytes(framed.receive) }
    private var received: [Int] { receiver.received.withLock { $0 } }
    private var resumed: Int { connection.resumed.withLock { $0 } }

    @Test("S5 what follows a message is decompressed when it is asked for")
    func pulled() throws {
        let frame = try Self.frame(100_000)
        let isReady = receive(Array(repeatElement(frame, count: 5).joined()))
        #expect(!isReady && received == [100_000])
        for count in 2...5 {
            #expect(receive() == false)
            #expect(received.count == count)
        }
        #expect(receive() == true && received.count == 5)
        #expect(resumed == 0)
    }

    @Test("S5 a large message is decompressed in parts, between which other connections have their turn")
    func parts() throws {
        let frame = try Self.frame(8 << 20)
        #expect(receive(frame) == false)
        var calls = 1
        while received.isEmpty, calls < 100 {
            #expect(resumed == calls, "it asks to be continued")
            _ = receive()
            calls += 1
        }
        #expect(received == [8 << 20])
        #expect(calls >= 10)
    }

    @Test("S5 at the end of the connection the rest is delivered first")
    func end() throws {
        let frame = try Self.frame(100_000)
        _ = receive(Array(repeatElement(frame, count: 3).joined()))
        framed.receiveEnd(nil)
        #expect(received == [100_000, 100_000, 100_000])
        #expect(receiver.hasEnded.withLock { $0 })
    }
}
