import GodwitCore

/// What stands for a `?` of a statement.
package enum SQLiteValue {
    case integer(Int)
    case text(String)
    case blob(Data)
}
