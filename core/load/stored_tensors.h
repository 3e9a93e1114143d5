// StoredTensors: what a container holds beside its program, and how the two become a Model.
#pragma once

#include "core/load/exported_program.h"
#include "core/load/model.h"
#include "core/load/zip_archive.h"

#include <set>
#include <string>
#include <vector>

namespace stagecraft {

// The same bytes, or a copy where they do not lie at a multiple of 8: typed reads need that.
OwnedBytes aligned(const OwnedBytes& bytes);

class StoredTensors
{
public:
    StorageKey addStorage(const OwnedBytes& bytes);
    // A tensor whose storage is empty although it has elements is a shape: the export had no weights.
    Result<void> add(const std::string& name, const TensorMeta& meta, StorageKey storage);
    // Every tensor of a torch.save file that holds a dict of names.
    Result<void> addTorchSave(OwnedBytes zip);
    // Something that is no plain tensor: a script object, a tensor subclass.
    void addUnreadable(const std::string& name) { m_unreadable.insert(name); }

    // Unreadable tensors whose shape the program says become shapes without data; their names.
    std::vector<std::string> shapeUnreadable(const ExportedProgram& program);
    // Fails, naming them (up to ten), where parameters, buffers or constants of `signature` are not there or
    // are no plain tensors.
    Result<void> checkComplete(const Signature& signature) const;
    // Fails, naming them, where some are of another shape or type than the program says.
    Result<void> checkShapes(const ExportedProgram& program) const;
    WeightStore takeWeights() && { return std::move(m_weights); }

private:
    void addShape(const std::string& name, const TensorMeta& meta);

    WeightStore m_weights;
    std::vector<std::size_t> m_sizes; // of storages, in bytes
    std::set<std::string> m_unreadable;
};

Result<Model> assembleModel(const std::string& name, ContainerKind container, ExportedProgram program,
                            StoredTensors tensors);

} // namespace stagecraft
