/// One value of the tree that encoding builds: a member of an object, an element of an array, or the root.
///
/// Its text in the storage is `,"key":` and a scalar, or `,` and scalars, or only the part before a container. Members
/// and elements are a linked list, so that containers may be filled in any order.
struct EncodedNode {
    enum Shape: UInt8 {
        /// Nothing encoded yet. In the end, an empty object, as Foundation writes.
        case unset
        case text, object, array
        /// Its encoding threw, or a later member has the same key.
        case discarded
    }

    typealias Index = Int32

    /// The end of a list, and the parent of the root.
    static let none: Index = -1

    var textStart: Int
    var textEnd: Int
    /// Bytes of the key. It begins after `,"`, or right before the text if the text has escapes in it.
    var keyLength = 0
    /// The number of members or elements.
    var count = 0
    /// Orders keys by their first bytes, or is a hash of them if keys aren't sorted.
    var rank: UInt64 = 0
    var parent: Index
    var next = Self.none
    var firstChild = Self.none
    var lastChild = Self.none
    /// The index in the array that is the parent, or in ``EncodingScratch/keys``.
    var place = Self.none
    var shape = Shape.unset
    var isElement = false
    /// The text doesn't have the key as it is, but with escapes.
    var hasEscapedKey = false
    /// Made by `nestedContainer(forKey:)`, which continues a container that the key already has.
    var continues = false
    /// The members are those of a dictionary, whose keys a key strategy leaves alone.
    var keepsKeys = false
    /// A child is discarded.
    var hasDiscarded = false

    var keyStart: Int { hasEscapedKey ? textStart &- keyLength : textStart &+ 2 }
}

extension UnsafeMutablePointer<EncodedNode> {
    /// The node with this index. Converts it in one place, as each conversion takes the compiler 8 ms in a debug build.
    subscript(index: EncodedNode.Index) -> EncodedNode {
        get { self[Int(index)] }
        nonmutating _modify { yield &self[Int(index)] }
    }
}
