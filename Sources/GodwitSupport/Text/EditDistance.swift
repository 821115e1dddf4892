/// How far apart two texts are, to find the name that was meant.
public enum EditDistance {
    /// The number of elements to add, remove, change or swap with their neighbor (optimal string alignment).
    ///
    /// The work grows with the product of the lengths: bound those that come from outside.
    public static func between<Element: Equatable>(_ left: some Sequence<Element>, _ right: some Sequence<Element>)
        -> Int
    {
        let (left, right) = (Array(left), Array(right))
        var older: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var next = [row + 1]
            for column in right.indices {
                var best = min(last[column + 1], next[column]) + 1
                best = min(best, last[column] + (left[row] == right[column] ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, older[column - 1] + 1)
                }
                next.append(best)
            }
            (older, last) = (last, next)
        }
        return last[right.count]
    }
}
