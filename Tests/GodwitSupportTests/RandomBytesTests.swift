import GodwitSupport
import TestSupport
import Testing

@Suite("Random bytes")
struct RandomBytesTests {
    @Test("As many bytes as asked for, of every value, and others each time")
    func bytes() {
        for count in [0, 1, 12, 32] { #expect(RandomBytes.make(count).count == count) }
        #expect(RandomBytes.make(32) != RandomBytes.make(32))
        // Every value appears.
        #expect(Set(RandomBytes.make(1 << 14)).count == 256)
    }
}
