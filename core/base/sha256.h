// SHA-256 by OpenSSL, to tell whether a plan was made for this very file.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace stagecraft {

class Sha256
{
public:
    Sha256();

    void add(std::span<const std::byte> bytes);
    // Lower-case hex. Nothing may be added afterwards.
    std::string finish();

private:
    std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> m_context;
};

// Of a whole text.
std::string sha256Of(std::string_view text);

} // namespace stagecraft
