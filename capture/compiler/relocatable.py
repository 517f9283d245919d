# SPDX-License-Identifier: Apache-2.0
"""Objects of warpmem-cc -dc: the bitcode that they carry."""
import struct


class RelocatablePart:
    """An object of -dc: its bitcode (empty: none), the functions that it calls to be registered, and those that it has."""

    def __init__(self, bitcode, registers, defined):
        self.bitcode, self.registers, self.defined = bitcode, registers, defined


def objects_of_file(name):
    """The bytes of an object, or of each in an archive."""
    with open(name, "rb") as file:
        data = file.read()
    if not data.startswith(b"!<arch>\n"):
        return [data]
    found, at = [], 8
    while at + 60 <= len(data):
        size = int(data[at + 48:at + 58])
        found.append(data[at + 60:at + 60 + size])
        at += 60 + size + size % 2
    return found


def relocatable_parts(name):
    """Of a file's 64-bit ELF objects, by their section headers and symbols."""
    parts = []
    for data in objects_of_file(name):
        if not data.startswith(b"\x7fELF\x02"):
            continue
        start, = struct.unpack_from("<Q", data, 0x28)
        size, count, names_at = struct.unpack_from("<HHH", data, 0x3A)
        # name, type, flags, address, offset, size, link
        headers = [struct.unpack_from("<IIQQQQI", data, start + n * size) for n in range(count)]
        bitcode, registers, defined = b"", set(), set()
        for section in headers:
            if text_at(data, headers[names_at], section[0]) == "__nv_relfatbin":
                bitcode = data[section[4]:section[4] + section[5] // 4 * 4]  # some versions end it with a zero
            if section[1] != 2:  # not a table of symbols
                continue
            for at in range(section[4], section[4] + section[5], 24):
                symbol, _, _, where = struct.unpack_from("<IBBH", data, at)
                text = text_at(data, headers[section[6]], symbol)
                if text.startswith("__cudaRegisterLinkedBinary"):
                    (defined if where else registers).add(text)
        parts.append(RelocatablePart(bitcode, registers, defined))
    return parts


def text_at(data, table, offset):
    start = table[4] + offset
    return data[start:data.index(b"\0", start)].decode("utf-8", "replace")
