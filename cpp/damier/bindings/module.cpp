// The extension module, compiled once for each CPU level (DAMIER_LEVEL) and chosen when damier is imported.

#include "damier/bindings/bindings.h"

NB_MODULE(DAMIER_MODULE, m) {
    nanobind::set_leak_warnings(false);   // a daemon thread may hold its board and engine to the very end
    m.attr("__name__") = "damier._core";  // one public name, whichever level was loaded
    m.attr("level") = DAMIER_LEVEL;
    damier::bind_common(m);
    damier::bind_moves(m);
    damier::bind_board(m);
    damier::bind_batch(m);
    damier::bind_trees(m);
    damier::bind_evaluations(m);
    damier::bind_samples(m);
    damier::bind_training(m);
    damier::bind_limit(m);
    damier::bind_engine(m);
    damier::bind_textbook(m);
    damier::bind_chess(m);
}
