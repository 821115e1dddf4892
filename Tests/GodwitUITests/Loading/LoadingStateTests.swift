import GodwitCore
import GodwitUI
import Testing

@Suite("V1 loading state")
struct LoadingStateTests {
    private static let error = NetworkError(.notFound, phase: .validating)

    @Test(
        "V1 the last value stays while another is loaded and when that fails",
        arguments: [
            (LoadingState<Int>.idle, nil), (.loading(last: nil), nil), (.loading(last: 1), 1), (.loaded(2), 2),
            (.failed(error, last: nil), nil), (.failed(error, last: 3), 3),
        ])
    func value(_ state: LoadingState<Int>, _ value: Int?) {
        #expect(state.value == value)
        #expect(state.map(String.init).value == value.map(String.init))
    }

    @Test("V1 each state says what it is, also with another value")
    func questions() {
        let states: [LoadingState<Int>] = [.idle, .loading(last: 1), .loaded(1), .failed(Self.error, last: 1)]
        for states in [states, states.map { $0.map { $0 + 1 } }] {
            #expect(states.map(\.isLoading) == [false, true, false, false])
            #expect(states.map(\.isLoaded) == [false, false, true, false])
            #expect(states.map(\.error?.kind) == [nil, nil, nil, .notFound])
        }
    }
}
