// Writes small zips for the tests: from good files, with whatever is to be wrong about them.
#pragma once

#include <QByteArray>
#include <QString>
#include <vector>

struct ZipRecord
{
    QByteArray name;
    QByteArray data;
    bool deflate = false;
};

// The records of a zip, unpacked; empty for what is no zip.
std::vector<ZipRecord> zipRecords(const QByteArray& zip);
// Where sizes, offsets and counts stand: Wide as if they were too large for the fields that zips had first,
// which then say "see there".
enum class ZipFields { Narrow, Wide };

// Stored or deflated as the records say, the data of stored ones at multiples of 64 bytes.
QByteArray zipOf(const std::vector<ZipRecord>& records, ZipFields fields = ZipFields::Narrow);
