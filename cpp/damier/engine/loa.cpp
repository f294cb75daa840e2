#include "damier/engine/loa.h"

namespace damier {

template class GameBoard<Loa>;

}  // namespace damier
