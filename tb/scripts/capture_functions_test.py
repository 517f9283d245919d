#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""CUDA's device functions: each one's value, and the instructions that it costs a kernel."""
import os

from test_house import main
from capture_house import FOLDER, Capture


class Functions(Capture):
    def test_each_function_has_its_value_and_its_cost(self):
        own = [f"-D{name}=mine" for name in "FUNCTION IN TO FROM OF_1 LISTED_1 BOTH ROUNDED NEAREST SPECIAL_1".split()]
        self.compile(os.path.join(FOLDER, "device_functions.cu"), "functions", *own)  # the headers leave a program's names alone
        self.assertEqual(self.capture("./functions", "--check").stdout, "right\n")
        counted, rows = self.counted(), 0
        for name in sorted(os.listdir(os.path.join(FOLDER, "functions"))):
            for line, cost in self.costs(os.path.join(FOLDER, "functions", name)).items():
                self.assertEqual(counted[name][line], cost, f"{name}:{line}")
                rows += 1
        self.assertGreater(rows, 200)

    def test_numbers_of_8_bits(self):
        self.compile(os.path.join(FOLDER, "fp8.cu"), "fp8")
        self.assertEqual(self.call("./fp8").stdout, "right\n")

    def test_values_of_one_byte_and_of_kilobytes(self):
        self.compile(os.path.join(FOLDER, "sizes.cu"), "sizes")
        self.assertEqual(self.capture("./sizes", "--check").stdout, "right\n")

    def test_a_file_without_kernels_has_the_narrow_types(self):
        source = self.write("host.cpp", "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#include <cstdio>\nint main() {\n"
                                        "    __half sum = 0.0f, part = __float2half(0.1f);\n    for (int i = 0; i < 3; i++) sum += part;\n"
                                        "    __half2 two = __hmul2(__half2(sum, part), __float2half2_rn(2));\n    __nv_bfloat16 b = 0.1f;\n"
                                        '    printf("%.9g %.9g %.9g %d\\n", (float)sum, __high2float(two), (float)b, sum > part);\n}\n')
        self.compile(source, "host")
        self.assertEqual(self.call("./host").stdout, "0.299804688 0.199951172 0.100097656 1\n")


if __name__ == "__main__":
    main()
