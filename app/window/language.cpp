#include "app/window/language.h"

#include <QCoreApplication>
#include <QLocale>
#include <QTranslator>

#include <algorithm>

// They are in a library, from which the linker would leave them out.
static void loadTranslations()
{
    Q_INIT_RESOURCE(translations);
}

namespace stagecraft {

namespace {

// A text is translated alike wherever it stands, so that code can be moved without losing its translations.
// Texts of Qt's own, as of the buttons of dialogs, are asked for in the same way.
class Translations : public QTranslator
{
public:
    using QTranslator::QTranslator;

    QString translate(const char*, const char* text, const char*, int n) const override
    {
        return QTranslator::translate("Stagecraft", text, nullptr, n);
    }
};

QString fileOf(const QString& code)
{
    return QStringLiteral(":/translations/stagecraft_%1.qm").arg(code);
}

QString languageOfDesktop()
{
    const auto known = languages();
    for (const QString& wanted : QLocale::system().uiLanguages())
        for (const auto& [code, name] : known)
            if (wanted == code || wanted.startsWith(code + '-'))
                return code;
    return "en";
}

} // namespace

std::vector<std::pair<QString, QString>> languages()
{
    return {{"system", QCoreApplication::translate("Language", "As the desktop")},
            {"en", "English"},
            {"de", "Deutsch"},
            {"zh", QString::fromUtf8("简体中文")}};
}

void speak(QCoreApplication& application, const QString& language)
{
    const auto known = languages();
    const bool isNamed = language != "system" &&
                         std::ranges::any_of(known, [&](const auto& each) { return each.first == language; });
    const QString code = isNamed ? language : languageOfDesktop();
    for (auto* before : application.findChildren<QTranslator*>(QString(), Qt::FindDirectChildrenOnly))
        delete before;
    loadTranslations();
    QLocale::setDefault(QLocale(QLocale::English));
    auto* translations = new Translations(&application);
    if (translations->load(fileOf(code)))
        QCoreApplication::installTranslator(translations);
}

} // namespace stagecraft
