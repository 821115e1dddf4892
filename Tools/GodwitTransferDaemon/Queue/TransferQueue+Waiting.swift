#if os(Linux)

import GodwitBackground
import GodwitSupport
import Synchronization

// Connections, relaunches, discretionary jobs, and the end of the process.
extension TransferQueue {
    // MARK: - Connections

    /// A program has connected. Returns `false` if the process is ending.
    func arrive() -> Bool {
        let isInTime = state.withLock { state in
            guard !state.isRetired else { return false }
            state.connections += 1
            return true
        }
        if isInTime { noteActivity() }
        return isInTime
    }

    /// A connection opened a session.
    func join(_ session: String) {
        state.withLock { $0.presence[session, default: 0] += 1 }
    }

    /// A connection ended.
    func leave(_ sessions: Set<String>) {
        state.withLock { state in
            state.connections -= 1
            for session in sessions {
                let rest = (state.presence[session] ?? 1) - 1
                state.presence[session] = rest > 0 ? rest : nil
            }
        }
        for session in sessions { considerRelaunch(session) }
        noteActivity()
    }

    func follow(_ session: String, as follower: ObjectIdentifier, _ wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.followers[follower] = (session, wake) }
    }

    func unfollow(_ follower: ObjectIdentifier) {
        _ = state.withLock { $0.followers.removeValue(forKey: follower) }
    }

    /// A session has a new event.
    func tell(_ session: String) {
        let wakes = state.withLock { state in
            state.followers.values.filter { $0.session == session }.map(\.wake)
        }
        for wake in wakes { wake() }
        considerRelaunch(session)
    }

    // MARK: - Relaunch

    /// Starts a session's program after a delay, if its jobs have ended and it isn't connected.
    func considerRelaunch(_ session: String) {
        let isDue = state.withLock { state in
            guard state.awaitsRelaunch(session) else { return false }
            return state.relaunching.insert(session).inserted
        }
        guard isDue else { return }
        Task {
            try? await settings.clock.sleep(for: settings.relaunchDelay.bounded)
            relaunch(session)
            noteActivity()
        }
    }

    private func relaunch(_ session: String) {
        let program = state.withLock { state -> TransferSettings? in
            state.relaunching.remove(session)
            return state.awaitsRelaunch(session) ? try? state.store.settings(of: session) : nil
        }
        guard let program, !program.relaunch.isEmpty else { return }
        // Started before that is saved: if this process is killed in between, the program starts twice rather than never.
        ProgramStart.perform(program, for: session, log: settings.log)
        state.withLock { try? $0.store.setRelaunch(.done, of: session) }
    }

    // MARK: - Discretionary jobs

    /// Whether discretionary jobs may run now.
    var isFavorable: Bool {
        settings.pathMonitor.current.isFree && settings.load() < settings.busyLoad
    }

    /// Checks again later if discretionary jobs wait.
    func lookAgainLater() {
        let looks = state.withLock { state in
            guard !state.isLooking, !state.isStopped, state.isWaiting else { return false }
            state.isLooking = true
            return true
        }
        guard looks else { return }
        Task {
            try? await settings.clock.sleep(for: settings.discretionaryInterval.bounded)
            state.withLock { $0.isLooking = false }
            pump()
        }
    }

    /// Runs jobs when the network is back, and stops discretionary jobs if it is expensive. Ends with the task.
    func watchPath() async {
        var hadPath = true
        for await path in settings.pathMonitor.paths {
            let hasPath = path.status == .satisfied
            let isBack = hasPath && !hadPath
            hadPath = hasPath
            let stopping = state.withLock { state -> [RunControl] in
                if isBack { state.endRests() }
                return path.isFree ? [] : state.discretionaryControls
            }
            for control in stopping { control.stop(.yield) }
            pump()
        }
    }

    // MARK: - Idleness

    /// Something changed: the process ends if it stays idle from now on.
    func noteActivity() {
        let number = state.withLock { state -> Int? in
            state.activity += 1
            return state.isIdle ? state.activity : nil
        }
        guard let number else { return }
        Task {
            try? await settings.clock.sleep(for: settings.idleTime.bounded)
            let isOver = state.withLock { state in
                guard state.isIdle, state.activity == number, !state.isRetired else { return false }
                state.isRetired = true
                return true
            }
            if isOver { retire() }
        }
    }
}

extension TransferQueue.State {
    fileprivate func awaitsRelaunch(_ session: String) -> Bool {
        guard !isStopped, presence[session] == nil, !hasWork(session),
            (try? store.awaitingRelaunch().contains(session)) == true,
            let settings = try? store.settings(of: session), !settings.relaunch.isEmpty
        else { return false }
        return (try? store.events(of: session, after: 0).isEmpty) == false
    }

    fileprivate var isWaiting: Bool {
        entries.values.contains { entry in
            if case .waiting = entry.phase { true } else { false }
        }
    }

    fileprivate var isIdle: Bool {
        connections == 0 && relaunching.isEmpty && entries.values.allSatisfy(\.isPaused)
    }

    fileprivate var discretionaryControls: [RunControl] {
        entries.values.compactMap { entry in
            guard entry.job.isDiscretionary, case .running(let control) = entry.phase else { return nil }
            return control
        }
    }

    fileprivate mutating func endRests() {
        for (id, entry) in entries {
            if case .resting = entry.phase { entries[id]?.phase = .ready }
        }
    }
}

extension NetworkPath {
    fileprivate var isFree: Bool { status == .satisfied && !isExpensive && !isConstrained }
}
#endif
