import GodwitSupport
import Testing

@Suite("CivilDate")
struct CivilDateTests {
    @Test(
        "A day has one number, and a number one day",
        arguments: [
            (0, 1970, 1, 1), (-1, 1969, 12, 31), (59, 1970, 3, 1), (11_016, 2000, 2, 29), (11_017, 2000, 3, 1),
            (-719_528, 0, 1, 1), (2_932_896, 9999, 12, 31),
        ])
    func days(_ number: Int, _ year: Int, _ month: Int, _ day: Int) {
        #expect(CivilDate.day(year: year, month: month, day: day) == number)
        #expect(CivilDate.components(ofDay: number) == (year, month, day))
    }

    @Test(
        "A day that isn't in the calendar has no number",
        arguments: [
            (1900, 2, 29), (2023, 2, 29), (2024, 2, 30), (2024, 4, 31), (2024, 13, 1), (2024, 0, 1), (10_000, 1, 1),
        ])
    func missing(_ year: Int, _ month: Int, _ day: Int) {
        #expect(CivilDate.day(year: year, month: month, day: day) == nil)
    }

    @Test("All days of four centuries are read back")
    func all() {
        for number in -10_957..<135_143 {
            let (year, month, day) = CivilDate.components(ofDay: number)
            guard CivilDate.day(year: year, month: month, day: day) == number else {
                Issue.record("\(number)")
                return
            }
        }
    }
}
