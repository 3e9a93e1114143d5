#include "core/base/sha256.h"

#include <openssl/evp.h>

#include <array>
#include <new>

namespace stagecraft {

namespace {

// OpenSSL's digests fail for want of memory alone.
void require(int done)
{
    if (done != 1)
        throw std::bad_alloc();
}

} // namespace

Sha256::Sha256() : m_context(EVP_MD_CTX_new(), EVP_MD_CTX_free)
{
    require(m_context ? 1 : 0);
    require(EVP_DigestInit_ex(m_context.get(), EVP_sha256(), nullptr));
}

void Sha256::add(std::span<const std::byte> bytes)
{
    require(EVP_DigestUpdate(m_context.get(), bytes.data(), bytes.size()));
}

std::string Sha256::finish()
{
    std::array<unsigned char, 32> digest{};
    require(EVP_DigestFinal_ex(m_context.get(), digest.data(), nullptr));
    std::string hex;
    for (const unsigned char byte : digest) {
        hex += "0123456789abcdef"[byte >> 4];
        hex += "0123456789abcdef"[byte & 15];
    }
    return hex;
}

std::string sha256Of(std::string_view text)
{
    Sha256 hash;
    hash.add(std::as_bytes(std::span(text)));
    return hash.finish();
}

} // namespace stagecraft
