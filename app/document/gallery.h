// The models that come with the program: resources/examples/gallery.json says which and what they are.
#pragma once

#include "core/base/result.h"
#include "views/pages/welcome_page.h"

#include <filesystem>
#include <vector>

namespace stagecraft {

// Cards of the files that are there, in the file's order. Fails where gallery.json cannot be read.
Result<std::vector<GalleryCard>> galleryCards(const std::filesystem::path& resources);

} // namespace stagecraft
