/* SPDX-License-Identifier: Apache-2.0
 *
 * The filters of l2.insertion = eaf, a share of the partition's for each bank, and of medic.reuse =
 * bloom, one a partition (PACT 2012).
 */
/* clang-format off */

SECTION(eaf)
P(bits, 64, 16777216, "bits",
  "of a partition's Bloom filter, of l2.insertion = eaf and of medic.reuse = bloom; a power of two",
  D(8192, "PACT 2012: 8 bits an address"))
U(hashes, 1, 8, "functions", "hash functions", D(4, "PACT 2012"))
U(addresses, 1, 1048576, "addresses", "inserted, after which either filter is cleared", D(1024, "PACT 2012: as many as the cache has lines"))
U(bimodal, 1, 1024, "misses",
  "l2.insertion = eaf: of lines that the filter does not know one in so many comes in as most recently used",
  D(64, "PACT 2012"))
END(eaf)
