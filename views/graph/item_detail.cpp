#include "views/graph/item_detail.h"

#include "core/layout/item_text.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"

namespace stagecraft {

QString detailText(const Layout& layout, const LayoutItem& item)
{
    if (!item.box)
        return shownText(itemDetail(layout, item));
    const QString className = shownText(boxClass(layout, *item.box));
    const QString count = opCountText(boxNodeCount(layout, *item.box));
    return className.isEmpty() ? count : className + ", " + count;
}

} // namespace stagecraft
