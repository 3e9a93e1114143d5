#include "core/report/report.h"

#include "core/report/html_text.h"
#include "core/report/overlay_section.h"
#include "core/report/recompute_section.h"
#include "core/report/report_assets.h"
#include "core/report/report_json.h"
#include "core/report/report_question.h"
#include "core/report/report_sections.h"

#include <map>

namespace stagecraft {

namespace {

using Parts = std::map<std::string_view, std::string, std::less<>>;

// Every "{{name}}" of the page once, in one pass: what is put in is not looked at again.
std::string filledIn(std::string_view page, const Parts& parts)
{
    std::string html;
    while (true) {
        const std::size_t begin = page.find("{{");
        const std::size_t end = begin == std::string_view::npos ? begin : page.find("}}", begin);
        if (end == std::string_view::npos)
            return html + std::string(page);
        html += page.substr(0, begin);
        html += parts.at(page.substr(begin + 2, end - begin - 2));
        page.remove_prefix(end + 2);
    }
}

} // namespace

Result<std::string> reportPage(const ReportSubject& subject)
{
    STAGECRAFT_ASSIGN(data, reportJson(subject));
    const std::string style(reportStyle());
    const std::string script(reportScript());
    const std::string policy = "default-src 'none'; script-src " + policyHash(script) + "; style-src " +
                               policyHash(style) + "; base-uri 'none'; form-action 'none'";
    return filledIn(reportTemplate(), {{"policy", policy},
                                       {"style", style},
                                       {"script", script},
                                       {"data", scriptJson(data)},
                                       {"model", htmlText(subject.model.name)},
                                       {"headline", htmlText(headline(subject))},
                                       {"summary", summaryCards(subject)},
                                       {"stages", stagesTable(subject)},
                                       {"devices", devicesTable(subject)},
                                       {"recomputed", recomputeTable(subject)},
                                       {"boundaries", boundariesTable(subject)},
                                       {"operators", operatorsTable(subject)},
                                       {"overlay", overlaySection(subject)},
                                       {"asked", questionList(subject)},
                                       {"notes", noteList(subject)},
                                       {"command", htmlText(commandAgain(subject))},
                                       {"version", htmlText(subject.version)}});
}

} // namespace stagecraft
