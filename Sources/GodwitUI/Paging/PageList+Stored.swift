import GodwitCore

/// Elements that were kept across launches.
struct StoredElements<Item: Sendable>: Sendable {
    let items: [Item]
    /// When they were requested.
    let date: Date
}

extension PageList {
    /// Shows the elements of an earlier launch, before the list is loaded for the first time. They are outdated.
    func showStored() async {
        guard let stored, isUntouched else { return }
        let count = loads.resetCount
        guard let found = await stored(), !Task.isCancelled else { return }
        loads.leaveChangedAccount()
        // They belong to the account of that time.
        guard count == loads.resetCount, isUntouched, !found.items.isEmpty else { return }
        confirm(found.items)
        date = found.date
        loads.send(.restored)
        baseChanged?(0)
    }

    private var isUntouched: Bool { !isRunning && date == nil && base.isEmpty }
}
