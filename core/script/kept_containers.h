// KeptContainers: the lists, tuples, dicts and plain objects that the modules of a script keep as attributes.
//
// Tensors lie in them that are no attributes themselves, and a run may leave another content behind for the
// next.
#pragma once

#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

namespace at {
class Tensor;
}
namespace c10 {
struct IValue;
}

namespace stagecraft {

class KeptContainers
{
public:
    KeptContainers();
    ~KeptContainers();
    KeptContainers(const KeptContainers&) = delete;
    KeptContainers& operator=(const KeptContainers&) = delete;

    // Remembers what `value`, the attribute `path`, holds now, and tells `found` of each tensor in it with
    // the path of its place: "masks.0" in a list or tuple, "tables.first" in a dict (the number of a key
    // that is no identifier). What has been seen before is passed over, as are modules and plain values.
    using Found = std::function<void(const at::Tensor& tensor, const std::string& path)>;
    void add(const std::string& path, const c10::IValue& value, const Found& found);

    struct Change
    {
        std::string path;
        bool hasTensors = false; // before or after
    };
    // Attributes that hold something else now: other elements, in another order, or other tensors. What was
    // written into a tensor in place is no change.
    std::vector<Change> changes() const;

private:
    struct Attribute;
    void tell(const c10::IValue& container, const std::string& path, const Found& found);

    std::vector<Attribute> m_attributes;
    std::unordered_set<const void*> m_known; // those inside of others too
};

} // namespace stagecraft
