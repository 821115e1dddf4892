/// Numbers in the order in which they were added, which is ascending; any of them can leave.
struct TicketQueue: Sendable {
    private var tickets: [UInt64] = []
    private var head = 0

    var isEmpty: Bool { head == tickets.count }

    var first: UInt64? { isEmpty ? nil : tickets[head] }

    /// Adds a number that is greater than all before.
    mutating func append(_ ticket: UInt64) {
        tickets.append(ticket)
    }

    mutating func removeFirst() {
        guard !isEmpty else { return }
        head += 1
        // Shifting the rest once per half keeps each removal cheap on average, and the array no longer than needed.
        if head > tickets.count / 2 {
            tickets.removeFirst(head)
            head = 0
        }
    }

    /// Takes a number out, wherever it stands; false where it is not there.
    mutating func remove(_ ticket: UInt64) -> Bool {
        var (low, high) = (head, tickets.count)
        while low < high {
            let middle = (low + high) / 2
            if tickets[middle] < ticket { low = middle + 1 } else { high = middle }
        }
        guard low < tickets.count, tickets[low] == ticket else { return false }
        if low == head { removeFirst() } else { tickets.remove(at: low) }
        return true
    }
}
