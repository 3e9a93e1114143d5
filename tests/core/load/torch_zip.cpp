#include "tests/core/load/torch_zip.h"

#include <caffe2/serialize/inline_container.h>

namespace stagecraft::testing {

std::string zipOfNumbers(int count)
{
    std::string zip;
    caffe2::serialize::PyTorchStreamWriter writer([&zip](const void* data, std::size_t size) {
        zip.append(static_cast<const char*>(data), size);
        return size;
    });
    for (int i = 0; i < count; ++i) {
        const std::string number = std::to_string(i);
        writer.writeRecord(number, number.data(), number.size());
    }
    writer.writeEndOfFile();
    return zip;
}

} // namespace stagecraft::testing
