// SPDX-License-Identifier: Apache-2.0
//
// Drives DRAMsim3 by its public interface: requests of a stream as fast as it takes them, one a cycle.
//
//     dramsim3_streams INI FOLDER STREAM
//
// FOLDER gets DRAMsim3's statistics. The last line printed: "stream", cycles, activates, after tabs. Cycles are counted from
// the first request to the end of the last read's data, or to the last write command if that is later.
#include <cstdint>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "dramsim3.h"

struct Request {
    uint64_t address;
    bool write;
};

struct Counts {
    uint64_t columns = 0, writes = 0, activates = 0;
};

// Commands since the last call: DRAMsim3 gives its counters in a file alone.
static Counts commands_since(dramsim3::MemorySystem *memory, const std::string &folder) {
    Counts counts;
    memory->PrintStats();
    memory->ResetStats();
    std::ifstream in(folder + "/dramsim3.txt");
    if (!in) {
        std::cerr << "dramsim3_streams: " << folder << "/dramsim3.txt: not written\n";
        exit(1);
    }
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string name, equals;
        uint64_t value = 0;
        if (words >> name >> equals >> value && equals == "=") {
            counts.activates += name == "num_act_cmds" ? value : 0;
            counts.writes += name == "num_write_cmds" ? value : 0;
            counts.columns += name == "num_read_cmds" || name == "num_write_cmds" ? value : 0;
        }
    }
    return counts;
}

static std::vector<Request> read_stream(const char *path) {
    std::vector<Request> requests;
    std::ifstream in(path);
    uint64_t address;
    for (char kind; in >> std::hex >> address >> kind;) {
        requests.push_back({address, kind == 'w'});
    }
    if (requests.empty() || !in.eof()) {
        std::cerr << "dramsim3_streams: " << path << ": no stream\n";
        exit(1);
    }
    return requests;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        std::cerr << "usage: dramsim3_streams INI FOLDER STREAM\n";
        return 2;
    }
    const std::vector<Request> requests = read_stream(argv[3]);
    const std::string folder = argv[2];
    uint64_t cycle = 0, end = 0;
    Counts all;
    // It is never deleted: the public header does not say how large it is.
    dramsim3::MemorySystem *memory =
        dramsim3::GetMemorySystem(argv[1], folder, [&](uint64_t) { end = cycle; }, [](uint64_t) {});
    for (size_t sent = 0; all.columns < requests.size() || cycle < end; cycle++) {
        if (sent < requests.size() && memory->WillAcceptTransaction(requests[sent].address, requests[sent].write)) {
            memory->AddTransaction(requests[sent].address, requests[sent].write);
            sent++;
        }
        memory->ClockTick();
        if (sent == requests.size()) {
            const Counts now = commands_since(memory, folder);
            all.columns += now.columns;
            all.activates += now.activates;
            end = now.writes ? cycle : end;
        }
        if (cycle > 10000000) {
            std::cerr << "dramsim3_streams: requests without a command: " << requests.size() - all.columns << "\n";
            return 1;
        }
    }
    // The data of the last reads are still under way.
    for (unsigned more = 0; more < 1000; more++, cycle++) {
        memory->ClockTick();
    }
    std::cout << "\nstream\t" << end << "\t" << all.activates << std::endl;
    return 0;
}
