import Godwit
import GodwitUI

/// A mutation of a note that tests add to an outbox.
struct MarkNote: OutboxMutation {
    let note: Int
    let mark: Int
    /// Whether the server must have the version that the note had.
    var isConditional = false
    /// The version; `nil` for the one that the store has.
    var etag: String?

    var endpoint: Endpoint<Note> { .mark(note, mark) }
    var scope: String { "note \(note)" }
    var precondition: OutboxPrecondition? {
        isConditional ? OutboxPrecondition(Endpoint<Note>.note(note), etag: etag) : nil
    }

    func apply(to changes: QueryChanges) {
        changes.update(Note.self, id: note) { $0.marks.insert(mark) }
    }

    func confirm(_ output: Note, in changes: QueryChanges) {
        changes.update(Note.self, id: note) { $0 = output }
    }
}

struct RemoveNote: OutboxMutation {
    let note: Int

    var endpoint: Endpoint<Void> { .remove(note) }
    var scope: String { "note \(note)" }

    func apply(to changes: QueryChanges) { changes.remove(Note.self, id: note) }
}
