#include "views/base/form_terms.h"

#include <QCoreApplication>

#include <array>

namespace stagecraft {

namespace {

// tst_terms holds them against the engine's.
constexpr std::array words{
    QT_TRANSLATE_NOOP("Terms", "Language"),
    QT_TRANSLATE_NOOP("Terms", "Vision"),
    QT_TRANSLATE_NOOP("Terms", "Vision and language"),
    QT_TRANSLATE_NOOP("Terms", "Other"),
    QT_TRANSLATE_NOOP("Terms", "Multilayer perceptron"),
    QT_TRANSLATE_NOOP("Terms", "tokens"),
    QT_TRANSLATE_NOOP("Terms", "samples"),
    QT_TRANSLATE_NOOP("Terms", "pixels"),
    QT_TRANSLATE_NOOP("Terms", "no"),
    QT_TRANSLATE_NOOP("Terms", "yes"),
    QT_TRANSLATE_NOOP("Terms", "basic"),
    QT_TRANSLATE_NOOP("Terms", "bottleneck"),
    QT_TRANSLATE_NOOP("Terms", "Block"),
    QT_TRANSLATE_NOOP("Terms", "Blocks of stage 1"),
    QT_TRANSLATE_NOOP("Terms", "Blocks of stage 2"),
    QT_TRANSLATE_NOOP("Terms", "Blocks of stage 3"),
    QT_TRANSLATE_NOOP("Terms", "Blocks of stage 4"),
    QT_TRANSLATE_NOOP("Terms", "Buckets of relative positions"),
    QT_TRANSLATE_NOOP("Terms", "Channels of the latent image"),
    QT_TRANSLATE_NOOP("Terms", "Classes"),
    QT_TRANSLATE_NOOP("Terms", "Layers of the decoder"),
    QT_TRANSLATE_NOOP("Terms", "First layers without experts"),
    QT_TRANSLATE_NOOP("Terms", "Element type"),
    QT_TRANSLATE_NOOP("Terms", "Width of an expert"),
    QT_TRANSLATE_NOOP("Terms", "Experts"),
    QT_TRANSLATE_NOOP("Terms", "Experts of a token"),
    QT_TRANSLATE_NOOP("Terms", "Groups of experts"),
    QT_TRANSLATE_NOOP("Terms", "Groups of a token"),
    QT_TRANSLATE_NOOP("Terms", "Width of a head without positions"),
    QT_TRANSLATE_NOOP("Terms", "Width of a head"),
    QT_TRANSLATE_NOOP("Terms", "Heads for images"),
    QT_TRANSLATE_NOOP("Terms", "Heads"),
    QT_TRANSLATE_NOOP("Terms", "Width of feed-forward for images"),
    QT_TRANSLATE_NOOP("Terms", "Width of feed-forward"),
    QT_TRANSLATE_NOOP("Terms", "Inputs"),
    QT_TRANSLATE_NOOP("Terms", "Heads of keys and values"),
    QT_TRANSLATE_NOOP("Terms", "Rank of the latent"),
    QT_TRANSLATE_NOOP("Terms", "Layers for images"),
    QT_TRANSLATE_NOOP("Terms", "Layers of the encoder"),
    QT_TRANSLATE_NOOP("Terms", "Layers"),
    QT_TRANSLATE_NOOP("Terms", "Outputs"),
    QT_TRANSLATE_NOOP("Terms", "Positions of texts"),
    QT_TRANSLATE_NOOP("Terms", "Positions"),
    QT_TRANSLATE_NOOP("Terms", "Width of what both become"),
    QT_TRANSLATE_NOOP("Terms", "Rank of queries"),
    QT_TRANSLATE_NOOP("Terms", "Queries are divided by the root of"),
    QT_TRANSLATE_NOOP("Terms", "Base of rotary positions"),
    QT_TRANSLATE_NOOP("Terms", "Base of rotary positions in windows"),
    QT_TRANSLATE_NOOP("Terms", "Positions are stretched by"),
    QT_TRANSLATE_NOOP("Terms", "Width of a head with positions"),
    QT_TRANSLATE_NOOP("Terms", "Shared experts"),
    QT_TRANSLATE_NOOP("Terms", "Heads for texts"),
    QT_TRANSLATE_NOOP("Terms", "Width of feed-forward for texts"),
    QT_TRANSLATE_NOOP("Terms", "Layers for texts"),
    QT_TRANSLATE_NOOP("Terms", "Width for texts"),
    QT_TRANSLATE_NOOP("Terms", "Embeddings tied to the head"),
    QT_TRANSLATE_NOOP("Terms", "Width of a head's values"),
    QT_TRANSLATE_NOOP("Terms", "Every so many layers one sees everything"),
    QT_TRANSLATE_NOOP("Terms", "Channels of stage 1"),
    QT_TRANSLATE_NOOP("Terms", "Width for images"),
    QT_TRANSLATE_NOOP("Terms", "Width"),
    QT_TRANSLATE_NOOP("Terms", "Channels of stage 2"),
    QT_TRANSLATE_NOOP("Terms", "Channels of stage 3"),
    QT_TRANSLATE_NOOP("Terms", "Channels of stage 4"),
    QT_TRANSLATE_NOOP("Terms", "Batch"),
    QT_TRANSLATE_NOOP("Terms", "Dropout"),
    QT_TRANSLATE_NOOP("Terms", "Epsilon of norms is 10 to the minus"),
    QT_TRANSLATE_NOOP("Terms", "Beyond it positions share a bucket"),
    QT_TRANSLATE_NOOP("Terms", "Image"),
    QT_TRANSLATE_NOOP("Terms", "Latent image"),
    QT_TRANSLATE_NOOP("Terms", "Labels left out"),
    QT_TRANSLATE_NOOP("Terms", "Patch"),
    QT_TRANSLATE_NOOP("Terms", "Sequence"),
    QT_TRANSLATE_NOOP("Terms", "Sequence of the decoder"),
    QT_TRANSLATE_NOOP("Terms", "Vocabulary"),
    QT_TRANSLATE_NOOP("Terms", "Window of most layers"),
};

} // namespace

std::span<const char* const> formTerms()
{
    return words;
}

} // namespace stagecraft
