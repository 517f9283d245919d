/* SPDX-License-Identifier: Apache-2.0
 *
 * The filters of l2.insertion = eaf, where each bank has a share of the partition's, and of
 * medic.reuse = bloom, one a partition (PACT 2012).
 */
/* clang-format off */

SECTION(eaf)
P(bits, 64, 16777216, "bits",
  "size of a partition's Bloom filter, for l2.insertion = eaf and medic.reuse = bloom; a power of two",
  D(8192, "PACT 2012: 8 bits an address"))
U(hashes, 1, 8, "functions", "hash functions", D(4, "PACT 2012"))
U(addresses, 1, 1048576, "addresses", "inserted addresses after which either filter is cleared", D(1024, "PACT 2012: as many as the cache has lines"))
U(bimodal, 1, 1024, "misses",
  "l2.insertion = eaf: one in this many lines that the filter does not know is inserted as most recently used",
  D(64, "PACT 2012"))
END(eaf)
