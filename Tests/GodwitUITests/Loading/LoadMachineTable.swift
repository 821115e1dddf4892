/// What each event does in each state, in the words of ``LoadMachineStates``.
///
/// Below the names of events, each line has the states, and what the machine is then, with the effects in order. `value` and
/// `pages` begin a line for that shape only. `impossible` is what the runner never passes on, as it knows which load is the
/// current one, or what the shape doesn't have.
let loadMachineTable = """
    begin next
      idle first first-changed: next sent after nothing -> start next; send
      first-changing: next sent after nothing, changing -> start next; send
      loaded reload late too-late arrived arrived-late read page page-arrived: next sent after loaded -> start
        next; send
      invalidated: next sent after loaded, invalidated -> start next; send
      changing waiting overlapped page-moved page-waiting: next waiting after loaded, changing -> start next
      stale: next sent after loaded, stale -> start next; send
      conflicting: next waiting after loaded, conflicting, changing -> start next
      failed: next sent after failed next -> start next; send
      failed-again retry: next sent after failed refetch with content -> start next; send
      page-changed: next sent after loaded, changing -> start next; send
    begin refresh in background
      idle first first-changed: refresh sent in background after nothing -> start refresh in background; send
      first-changing: refresh sent in background after nothing, changing -> start refresh in background; send
      loaded reload late too-late arrived arrived-late read page page-arrived: refresh sent in background after
        loaded -> start refresh in background; send
      invalidated: refresh sent in background after loaded, invalidated -> start refresh in background; send
      changing waiting overlapped page-changed page-moved page-waiting: refresh waiting in background after
        loaded, changing -> start refresh in background
      stale: refresh sent in background after loaded, stale -> start refresh in background; send
      conflicting: refresh waiting in background after loaded, conflicting, changing -> start refresh in
        background
      failed: refresh sent in background after failed next -> start refresh in background; send
      failed-again retry: refresh sent in background after failed refetch with content -> start refresh in
        background; send
    read
      value first: next sent after loaded -> show
      value first-changing: next sent after loaded, conflicting, changing -> show
      value reload: refetch sent after loaded -> show
      value retry: refetch sent in background after loaded -> show
      read: next sent after loaded -> show
      value first-changed overlapped late too-late: unchanged
      idle loaded invalidated changing waiting arrived arrived-late stale conflicting failed failed-again page
        page-changed page-moved page-waiting page-arrived: impossible
      pages first first-changing first-changed reload overlapped late too-late retry: impossible
    read from store
      value first first-changed: next sent after loaded -> show
      value first-changing: next sent after loaded, changing -> show
      value reload late: refetch sent after loaded -> show
      value overlapped: refetch sent after loaded, changing -> show
      value too-late: refetch sent restart 3 after loaded -> show
      value retry: refetch sent in background after loaded -> show
      read: next sent after loaded -> show
      idle loaded invalidated changing waiting arrived arrived-late stale conflicting failed failed-again page
        page-changed page-moved page-waiting page-arrived: impossible
      pages first first-changing first-changed reload overlapped late too-late retry: impossible
    arrived
      first: next arrived after nothing -> keep
      first-changing: next arrived after nothing, changing -> keep
      value first-changed: refetch sent after nothing -> start refetch; send
      pages first-changed: next sent after nothing -> start next; send
      reload: refetch arrived after loaded -> keep
      overlapped: refetch waiting after loaded, changing -> start refetch
      late: refetch sent restart 1 after loaded -> start refetch; send
      too-late: refetch arrived late restart 3 after loaded -> keep late
      retry: refetch arrived in background after failed refetch with content -> keep
      read page: next arrived after loaded -> keep
      page-changed: next arrived after loaded, changing -> keep
      page-moved: next waiting after loaded, changing -> start next
      idle loaded invalidated changing waiting arrived arrived-late stale conflicting failed failed-again
        page-waiting page-arrived: impossible
    arrived without mutation
      value first first-changed: refetch sent after nothing -> start refetch; send
      pages first first-changed: next sent after nothing -> start next; send
      value first-changing: refetch sent after nothing, changing -> start refetch; send
      pages first-changing: next sent after nothing, changing -> start next; send
      reload late read: refetch sent after loaded -> start refetch; send
      overlapped: refetch waiting after loaded, changing -> start refetch
      too-late: refetch sent restart 3 after loaded -> start refetch; send
      retry: refetch sent in background after failed refetch with content -> start refetch in background; send
      page: next sent after loaded -> start next; send
      page-changed page-moved: next waiting after loaded, changing -> start next
      idle loaded invalidated changing waiting arrived arrived-late stale conflicting failed failed-again
        page-waiting page-arrived: impossible
    arrived without event
      value first: refetch sent restart 1 after nothing -> start refetch; send
      pages first: next sent restart 1 after nothing -> start next; send
      value first-changing: refetch sent restart 1 after nothing, changing -> start refetch; send
      pages first-changing: next sent restart 1 after nothing, changing -> start next; send
      value first-changed: refetch sent after nothing -> start refetch; send
      pages first-changed: next sent after nothing -> start next; send
      reload late read: refetch sent restart 1 after loaded -> start refetch; send
      overlapped: refetch waiting after loaded, changing -> start refetch
      too-late: refetch arrived late restart 3 after loaded -> keep late
      retry: refetch sent in background restart 1 after failed refetch with content -> start refetch in
        background; send
      page: next sent restart 1 after loaded -> start next; send
      page-changed: next sent restart 1 after loaded, changing -> start next; send
      page-moved: next waiting after loaded, changing -> start next
      idle loaded invalidated changing waiting arrived arrived-late stale conflicting failed failed-again
        page-waiting page-arrived: impossible
    kept
      arrived page-arrived: loaded
      arrived-late: loaded, stale
      idle first first-changing first-changed reload overlapped late too-late retry read page page-changed
        page-moved: unchanged
      loaded invalidated changing waiting stale conflicting failed failed-again page-waiting: impossible
    kept with conflict
      pages arrived arrived-late: refetch sent in background after loaded, conflicting -> start refetch in
        background; send
      page-arrived: refetch sent in background after loaded, conflicting -> start refetch in background; send
      pages idle first first-changing first-changed reload overlapped late too-late retry: unchanged
      page page-changed page-moved: unchanged
      value idle first first-changing first-changed reload overlapped late too-late arrived arrived-late retry:
        impossible
      loaded invalidated changing waiting stale conflicting failed failed-again read page-waiting: impossible
    kept, next in background
      pages arrived: next sent in background after loaded -> start next in background; send
      pages arrived-late: next sent in background after loaded, stale -> start next in background; send
      page-arrived: next sent in background after loaded -> start next in background; send
      pages idle first first-changing first-changed reload overlapped late too-late retry: unchanged
      page page-changed page-moved: unchanged
      value idle first first-changing first-changed reload overlapped late too-late arrived arrived-late retry:
        impossible
      loaded invalidated changing waiting stale conflicting failed failed-again read page-waiting: impossible
    kept, next for waiters
      pages arrived: next sent after loaded -> start next; send
      pages arrived-late: next sent after loaded, stale -> start next; send
      page-arrived: next sent after loaded -> start next; send
      pages idle first first-changing first-changed reload overlapped late too-late retry: unchanged
      page page-changed page-moved: unchanged
      value idle first first-changing first-changed reload overlapped late too-late arrived arrived-late retry:
        impossible
      loaded invalidated changing waiting stale conflicting failed failed-again read page-waiting: impossible
    failed offline
      first first-changed: failed next -> wait for network
      first-changing: failed next, changing -> wait for network
      reload late too-late retry: failed refetch with content -> wait for network
      overlapped: failed refetch with content, changing -> wait for network
      read page: failed next with content -> wait for network
      page-changed page-moved: failed next with content, changing -> wait for network
      idle loaded invalidated changing waiting arrived arrived-late stale conflicting failed failed-again
        page-waiting page-arrived: impossible
    failed for good
      first first-changed: failed next
      first-changing: failed next, changing
      reload late too-late retry: failed refetch with content
      overlapped: failed refetch with content, changing
      read page: failed next with content
      page-changed page-moved: failed next with content, changing
      idle loaded invalidated changing waiting arrived arrived-late stale conflicting failed failed-again
        page-waiting page-arrived: impossible
    failed as prefetch | failed as canceled
      first first-changed: idle
      first-changing: idle, changing
      reload late too-late read page: loaded
      overlapped page-changed page-moved: loaded, changing
      retry: failed refetch with content -> wait for network
      idle loaded invalidated changing waiting arrived arrived-late stale conflicting failed failed-again
        page-waiting page-arrived: impossible
    canceled | left by the last
      idle: idle -> stop waiting
      first first-changed: idle -> stop waiting; cancel
      first-changing: idle, changing -> stop waiting; cancel
      loaded: loaded -> stop waiting
      invalidated: loaded, invalidated -> stop waiting
      changing: loaded, changing -> stop waiting
      waiting overlapped page-changed page-moved page-waiting: loaded, changing -> stop waiting; cancel
      reload late too-late arrived arrived-late read page page-arrived: loaded -> stop waiting; cancel
      stale: loaded, stale -> stop waiting
      conflicting: loaded, conflicting, changing -> stop waiting
      failed: failed next -> stop waiting
      failed-again: failed refetch with content -> stop waiting
      retry: failed refetch with content -> stop waiting; cancel
    abandoned
      first first-changed: idle
      first-changing: idle, changing
      reload late too-late arrived arrived-late read page page-arrived: loaded
      overlapped page-changed page-moved page-waiting: loaded, changing
      idle loaded invalidated changing waiting stale conflicting failed failed-again retry: impossible
    left by one
      first first-changed: idle -> stop waiting; cancel
      first-changing: idle, changing -> stop waiting; cancel
      reload late too-late arrived arrived-late read page page-arrived: loaded -> stop waiting; cancel
      overlapped page-changed page-moved page-waiting: loaded, changing -> stop waiting; cancel
      idle loaded invalidated changing waiting stale conflicting failed failed-again retry: unchanged
    network returned
      failed: next sent in background after failed next -> start next in background; send
      failed-again: refetch sent in background after failed refetch with content -> start refetch in background;
        send
      loaded invalidated changing stale conflicting: unchanged
      idle first first-changing first-changed waiting reload overlapped late too-late arrived arrived-late retry
        read page page-changed page-moved page-waiting page-arrived: impossible
    mutation began | mutation of element began
      idle: idle, changing
      first first-changed: next sent after nothing, changing
      loaded: loaded, changing
      invalidated: loaded, invalidated, changing
      reload late: refetch sent after loaded, changing
      too-late: refetch sent restart 3 after loaded, changing
      arrived: refetch arrived after loaded, changing
      arrived-late: refetch arrived late restart 3 after loaded, changing
      stale: loaded, stale, changing
      failed: failed next, changing
      failed-again: failed refetch with content, changing
      retry: refetch sent in background after failed refetch with content, changing
      read: next sent after loaded, conflicting, changing
      page: next sent after loaded, changing
      page-arrived: next arrived after loaded, changing
      first-changing changing waiting overlapped conflicting page-changed page-moved page-waiting: unchanged
    mutation ended
      first-changing: next sent after nothing
      changing: loaded
      waiting: refetch sent in background after loaded -> send
      overlapped: refetch sent after loaded
      conflicting: loaded, conflicting
      page-moved: next sent after loaded
      page-waiting: next sent after loaded -> send
      page-changed: unchanged
      idle first first-changed loaded invalidated reload late too-late arrived arrived-late stale failed
        failed-again retry read page page-arrived: impossible
    server event
      idle first first-changing first-changed loaded invalidated changing waiting reload overlapped late
        too-late arrived arrived-late stale conflicting failed failed-again retry read page page-changed
        page-moved page-waiting page-arrived: unchanged
    server event during mutation
      first-changing: refetch sent in background after nothing, conflicting, changing -> start refetch in
        background; send
      changing waiting overlapped conflicting page-changed page-moved page-waiting: refetch waiting in
        background after loaded, conflicting, changing -> start refetch in background
      idle first first-changed loaded invalidated reload late too-late arrived arrived-late stale failed
        failed-again retry read page page-arrived: impossible
    invalidated
      value idle: idle, invalidated
      value first first-changed: refetch sent after nothing, invalidated -> start refetch; send
      pages first first-changed: next sent after nothing -> start next; send
      value first-changing: refetch sent after nothing, invalidated, changing -> start refetch; send
      pages first-changing: next sent after nothing, changing -> start next; send
      loaded stale: loaded, invalidated
      changing: loaded, invalidated, changing
      waiting: refetch waiting in background after loaded, invalidated, changing -> start refetch in background
      reload late arrived read: refetch sent after loaded, invalidated -> start refetch; send
      overlapped: refetch waiting after loaded, invalidated, changing -> start refetch
      too-late arrived-late: refetch sent restart 3 after loaded, invalidated -> start refetch; send
      value failed: failed next, invalidated
      failed-again: failed refetch with content, invalidated
      retry: refetch sent in background after failed refetch with content, invalidated -> start refetch in
        background; send
      page: next sent after loaded, invalidated
      page-changed page-moved: next sent after loaded, invalidated, changing
      page-waiting: next waiting after loaded, invalidated, changing
      page-arrived: next arrived after loaded, invalidated
      pages idle failed: unchanged
      invalidated conflicting: unchanged
    set by server
      value idle invalidated stale failed failed-again: loaded
      value first first-changed: next sent after loaded
      value first-changing: next sent after loaded, changing
      value conflicting: loaded, changing
      value retry: refetch sent in background after loaded
      value loaded changing waiting reload overlapped late too-late arrived arrived-late: unchanged
      read: unchanged
      pages idle first first-changing first-changed loaded invalidated changing waiting reload overlapped late
        too-late arrived arrived-late stale conflicting failed failed-again retry: impossible
      page page-changed page-moved page-waiting page-arrived: impossible
    set by client
      value idle: loaded
      value first first-changed: next sent after loaded
      value first-changing: next sent after loaded, changing
      value failed: failed next with content
      value loaded invalidated changing waiting reload overlapped late too-late arrived arrived-late stale
        conflicting failed-again retry: unchanged
      read: unchanged
      pages idle first first-changing first-changed loaded invalidated changing waiting reload overlapped late
        too-late arrived arrived-late stale conflicting failed failed-again retry: impossible
      page page-changed page-moved page-waiting page-arrived: impossible
    removed
      value loaded failed failed-again: idle
      value invalidated: idle, invalidated
      value changing: idle, changing
      value waiting: refetch waiting in background after nothing, changing
      value reload late: refetch sent after nothing
      value overlapped: refetch sent after nothing, changing
      value too-late: refetch sent restart 3 after nothing
      value arrived: refetch arrived after nothing
      value arrived-late: refetch arrived late restart 3 after nothing
      value stale: idle, stale
      value conflicting: idle, conflicting, changing
      value retry: refetch sent in background after nothing
      read: next sent after nothing
      value idle first first-changing first-changed: unchanged
      pages idle first first-changing first-changed loaded invalidated changing waiting reload overlapped late
        too-late arrived arrived-late stale conflicting failed failed-again retry: impossible
      page page-changed page-moved page-waiting page-arrived: impossible
    restored
      pages idle failed: loaded, invalidated
      value idle failed: impossible
      first first-changing first-changed loaded invalidated changing waiting reload overlapped late too-late
        arrived arrived-late stale conflicting failed-again retry read page page-changed page-moved page-waiting
        page-arrived: impossible
    reset
      idle loaded invalidated stale failed failed-again: idle -> stop waiting; clear
      first first-changed reload late too-late arrived arrived-late retry read page page-arrived: idle -> stop
        waiting; cancel; clear
      first-changing waiting overlapped page-changed page-moved page-waiting: idle, changing -> stop waiting;
        cancel; clear
      changing conflicting: idle, changing -> stop waiting; clear
    """
