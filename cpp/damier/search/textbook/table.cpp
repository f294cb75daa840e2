// Making a table, and writing into it.

#include "damier/search/textbook/table.h"

#include <bit>
#include <new>

namespace damier::textbook {

TranspositionTable::TranspositionTable(int mebibytes)
    : size_(std::bit_floor((static_cast<std::size_t>(mebibytes) << 20) / sizeof(TableEntry))) {
    if (size_ == 0) return;
    entries_.reset(static_cast<TableEntry*>(std::calloc(size_, sizeof(TableEntry))));  // costs nothing until it is used
    if (!entries_) throw std::bad_alloc();
}

void TranspositionTable::store(Key key, int depth, Score value, Score alpha, Score beta, int ply,
                               std::optional<std::uint16_t> code) {
    if (size_ == 0) return;
    TableEntry& entry = entries_[key & (size_ - 1)];
    if (entry.key != key || entry.depth != depth) {
        const bool has_move = entry.key == key && entry.has_move;
        entry = {key, -Infinite, Infinite, entry.code, static_cast<std::uint8_t>(depth), has_move};
    }
    if (value > alpha) entry.lower = static_cast<std::int16_t>(from_here(value, ply));
    if (value < beta) entry.upper = static_cast<std::int16_t>(from_here(value, ply));
    if (code) entry.code = *code, entry.has_move = true;
}

}  // namespace damier::textbook
