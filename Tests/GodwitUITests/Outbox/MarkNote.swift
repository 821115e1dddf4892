import Godwit
import GodwitUI

/// A mutation of a note that tests add to an outbox.
struct MarkNote: OutboxMutation {
    let note: Int
    let mark: Int
    /// Whether the server must have the version that the note had.
    var isConditional = false

    var endpoint: Endpoint<Note> { .mark(note, mark) }
    var order: String { "note \(note)" }
    var subject: OutboxSubject? { isConditional ? OutboxSubject(Endpoint<Note>.note(note)) : nil }

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
    var order: String { "note \(note)" }

    func apply(to changes: QueryChanges) { changes.remove(Note.self, id: note) }
}
