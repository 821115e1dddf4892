#ifdef __linux__
#include "godwit_turn.h"

#include <stdlib.h>

_Thread_local struct godwit_turn *godwit_current_turn;

struct godwit_turn *godwit_turn_create(void) {
    return calloc(1, sizeof(struct godwit_turn));
}

struct godwit_turn *godwit_turn_enter(struct godwit_turn *turn) {
    struct godwit_turn *outer = godwit_current_turn;
    godwit_current_turn = turn;
    return outer;
}

int godwit_turn_is_ours(void) {
    return godwit_current_turn != NULL;
}

void godwit_turn_free(struct godwit_turn *turn) {
    if (!turn) return;
    godwit_forget_memory(&turn->kept);
    free(turn);
}
#endif
