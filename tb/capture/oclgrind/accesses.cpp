// SPDX-License-Identifier: Apache-2.0
// Plug-in of Oclgrind 21.10: writes each access of each work-item to the file that ACCESSES names, for
// tb/scripts/oclgrind_test.py. A line is "kernel NAME", or
//     GROUP ITEM INSTRUCTION l|s|a SPACE ADDRESS BYTES
// GROUP and ITEM count with x fastest, INSTRUCTION from 0 in the order in which they are first executed; an atomic access is one.
#include <oclgrind/Context.h>
#include <oclgrind/Kernel.h>
#include <oclgrind/KernelInvocation.h>
#include <oclgrind/Memory.h>
#include <oclgrind/Plugin.h>
#include <oclgrind/WorkGroup.h>
#include <oclgrind/WorkItem.h>

#include <fstream>

namespace {

class Accesses : public oclgrind::Plugin {
  public:
    explicit Accesses(const oclgrind::Context *context)
        : Plugin(context), file(std::getenv("ACCESSES")) {
    }
    // Work-items come one after another with one thread only.
    bool isThreadSafe() const override {
        return false;
    }
    void kernelBegin(const oclgrind::KernelInvocation *invocation) override {
        file << "kernel " << invocation->getKernel()->getName() << "\n";
        groups = invocation->getNumGroups();
        number.clear();
    }
    void kernelEnd(const oclgrind::KernelInvocation *) override {
        file.flush();
    }
    void memoryLoad(const oclgrind::Memory *memory, const oclgrind::WorkItem *item, size_t address,
                    size_t bytes) override {
        write('l', memory, item, address, bytes);
    }
    void memoryStore(const oclgrind::Memory *memory, const oclgrind::WorkItem *item, size_t address,
                     size_t bytes, const uint8_t *) override {
        write('s', memory, item, address, bytes);
    }
    void memoryAtomicLoad(const oclgrind::Memory *memory, const oclgrind::WorkItem *item,
                          oclgrind::AtomicOp, size_t address, size_t bytes) override {
        write('a', memory, item, address, bytes);
    }

  private:
    void write(char kind, const oclgrind::Memory *memory, const oclgrind::WorkItem *item,
               size_t address, size_t bytes) {
        const oclgrind::Size3 at = item->getLocalID(), size = item->getWorkGroup()->getGroupSize();
        const oclgrind::Size3 group = item->getWorkGroup()->getGroupID();
        const size_t found =
            number.emplace(item->getCurrentInstruction(), number.size()).first->second;
        file << group.x + groups.x * (group.y + groups.y * group.z) << ' '
             << at.x + size.x * (at.y + size.y * at.z) << ' ' << found << ' ' << kind << ' '
             << memory->getAddressSpace() << ' ' << address << ' ' << bytes << '\n';
    }

    std::ofstream file;
    oclgrind::Size3 groups; // of the launch
    std::map<const llvm::Instruction *, size_t> number;
};

Accesses *accesses;

} // namespace

extern "C" void initializePlugins(oclgrind::Context *context) {
    accesses = new Accesses(context);
    context->registerPlugin(accesses);
}

extern "C" void releasePlugins(oclgrind::Context *context) {
    context->unregisterPlugin(accesses);
    delete accesses;
}
