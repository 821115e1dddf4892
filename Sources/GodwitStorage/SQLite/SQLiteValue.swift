import GodwitCore

/// What stands for a `?` of a statement.
enum SQLiteValue {
    case integer(Int)
    case text(String)
    case blob(Data)
}
