#include "core/stage/safetensors_writer.h"

#include "core/load/safetensors.h"
#include "stage_test.h"

#include <QTemporaryDir>

#include <cstring>
#include <numeric>

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

StoredTensor tensorOf(std::span<const float> numbers, std::vector<SymInt> sizes, std::vector<SymInt> strides,
                      std::int64_t offset = 0)
{
    TensorMeta meta{.dtype = DType::F32, .sizes = std::move(sizes), .strides = std::move(strides)};
    meta.storageOffset = offset;
    return {meta, StorageKey(0), std::as_bytes(numbers)};
}

std::vector<float> floatsOf(std::span<const std::byte> bytes)
{
    std::vector<float> numbers(bytes.size() / sizeof(float));
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
}

} // namespace

class TestSafetensorsWriter : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { std::iota(m_numbers.begin(), m_numbers.end(), 0.0F); }

    void bringsElementsInRowMajorOrder()
    {
        std::vector<std::byte> scratch;
        const StoredTensor plain = tensorOf(m_numbers, {2, 3}, {3, 1}, 1);
        QCOMPARE(rowMajorBytes(plain, scratch).data(), plain.bytes.data() + sizeof(float));
        QCOMPARE(floatsOf(rowMajorBytes(plain, scratch)), (std::vector<float>{1, 2, 3, 4, 5, 6}));
        const StoredTensor transposed = tensorOf(m_numbers, {3, 2}, {1, 3});
        QCOMPARE(floatsOf(rowMajorBytes(transposed, scratch)), (std::vector<float>{0, 3, 1, 4, 2, 5}));
        const StoredTensor expanded = tensorOf(m_numbers, {2, 2}, {0, 1}, 7);
        QCOMPARE(floatsOf(rowMajorBytes(expanded, scratch)), (std::vector<float>{7, 8, 7, 8}));
        QVERIFY(rowMajorBytes(tensorOf(m_numbers, {0, 2}, {2, 1}), scratch).empty());
    }

    void writesWhatTheReaderReads()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("w.safetensors").toStdString();
        const Progress neverStopped;
        auto file = OutputFile::create(path, neverStopped);
        QCOMPARE(message(file), "ok");
        const std::vector<NamedTensor> tensors{{"a.b", tensorOf(m_numbers, {3, 2}, {1, 3})},
                                               {"scalar", tensorOf(m_numbers, {}, {}, 5)}};
        QCOMPARE(message(writeSafetensors(*file, tensors, {{"format", "pt"}}, {})), "ok");
        QCOMPARE(message(file->close()), "ok");
        QCOMPARE(file->size().count(), static_cast<std::int64_t>(std::filesystem::file_size(path)));
        QCOMPARE(file->size().count(),
                 static_cast<std::int64_t>(safetensorsHeader(tensors, {{"format", "pt"}}).size()) + 28);
        QCOMPARE(safetensorsSize(tensors, {{"format", "pt"}}), std::filesystem::file_size(path));
        const auto store = readSafetensors({path});
        QCOMPARE(message(store), "ok");
        std::vector<std::byte> scratch;
        QCOMPARE(floatsOf(rowMajorBytes(*store->find("a.b"), scratch)),
                 (std::vector<float>{0, 3, 1, 4, 2, 5}));
        QCOMPARE(floatsOf(rowMajorBytes(*store->find("scalar"), scratch)), (std::vector<float>{5}));
    }

    // The format has no name for them: the metadata say what they are.
    void keepsTypesTheFormatLacks()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("odd.safetensors").toStdString();
        const Progress neverStopped;
        auto file = OutputFile::create(path, neverStopped);
        QCOMPARE(message(file), "ok");
        std::vector<NamedTensor> tensors;
        for (const DType dtype :
             {DType::C128, DType::C32, DType::F8E4M3FNUZ, DType::F8E5M2FNUZ, DType::U16}) {
            StoredTensor tensor = tensorOf(m_numbers, {1, 1}, {1, 1});
            tensor.meta.dtype = dtype;
            tensors.push_back({std::string(shortName(dtype)), tensor});
        }
        tensors.push_back({"second", tensors.front().tensor, "c128"});
        QCOMPARE(message(writeSafetensors(*file, tensors, {{"format", "pt"}}, {})), "ok");
        QCOMPARE(message(file->close()), "ok");
        const auto store = readSafetensors({path});
        QCOMPARE(message(store), "ok");
        std::vector<std::byte> scratch;
        std::vector<std::byte> ownScratch;
        for (const NamedTensor& tensor : tensors) {
            const StoredTensor read = *store->find(tensor.name);
            QCOMPARE(metaText(read.meta), metaText(tensor.tensor.meta));
            QVERIFY(
                std::ranges::equal(rowMajorBytes(read, scratch), rowMajorBytes(tensor.tensor, ownScratch)));
        }
        QVERIFY(store->find("second")->storage == store->find("c128")->storage);
    }

    void saysThatTheDiskIsFull()
    {
        const Progress neverStopped;
        auto file = OutputFile::create("/dev/full", neverStopped);
        if (!file.has_value())
            QSKIP("no /dev/full here");
        const std::string much(1 << 20, 'x');
        QCOMPARE(message(file->write(much)), "/dev/full: cannot be written: No space left on device");
    }

    void stopsInTheMiddleOfALargeWrite()
    {
        std::stop_source stop;
        const Progress progress(stop.get_token());
        const QTemporaryDir folder;
        auto file = OutputFile::create(folder.filePath("much").toStdString(), progress);
        QCOMPARE(message(file), "ok");
        QCOMPARE(message(file->write("before")), "ok");
        stop.request_stop();
        const auto written = file->write("after");
        QVERIFY(!written.has_value());
        QCOMPARE(written.error().code, ErrorCode::Cancelled);
        QCOMPARE(file->size(), Bytes(6));
    }

private:
    std::array<float, 12> m_numbers{};
};

QTEST_GUILESS_MAIN(TestSafetensorsWriter)
#include "tst_safetensors_writer.moc"
