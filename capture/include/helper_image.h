/* SPDX-License-Identifier: Apache-2.0
 *
 * Images of CUDA's samples in the portable formats P5 (grey) and P6 (three channels), and
 * comparisons of arrays.
 */
#ifndef WARPMEM_HELPER_IMAGE_H
#define WARPMEM_HELPER_IMAGE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <vector>

#include "helper_string.h"

/* --- files --- */

static inline bool warpmem_read_number(FILE *file, unsigned *to) {
    char mark[2];
    while (fscanf(file, " %1[#]%*[^\n]", mark) == 1) { /* comments */
    }
    return fscanf(file, "%u", to) == 1;
}

/* @data: NULL, or where an image of the right size goes. */
static inline bool warpmem_load_image(const char *name, unsigned char **data, unsigned *width,
                                      unsigned *height, unsigned *channels) {
    char kind[3] = "";
    unsigned most;
    FILE *file = fopen(name, "rb");
    bool good = file && fread(kind, 1, 2, file) == 2 && kind[0] == 'P' &&
                (kind[1] == '5' || kind[1] == '6') && warpmem_read_number(file, width) &&
                warpmem_read_number(file, height) && warpmem_read_number(file, &most) &&
                most < 256 && fgetc(file) != EOF;
    if (good) {
        *channels = kind[1] == '5' ? 1 : 3;
        const size_t bytes = (size_t)*width * *height * *channels;
        *data = *data ? *data : (unsigned char *)malloc(bytes);
        good = *data && fread(*data, 1, bytes, file) == bytes;
    }
    if (file) {
        fclose(file);
    }
    return good;
}

static inline bool warpmem_save_image(const char *name, const unsigned char *data, unsigned width,
                                      unsigned height, unsigned channels) {
    FILE *file = fopen(name, "wb");
    const size_t bytes = (size_t)width * height * channels;
    bool good = file &&
                fprintf(file, "P%d\n%u %u\n255\n", channels == 1 ? 5 : 6, width, height) > 0 &&
                fwrite(data, 1, bytes, file) == bytes;
    return file && !fclose(file) && good;
}

static inline unsigned char warpmem_of_byte(unsigned char b, unsigned char) {
    return b;
}
static inline float warpmem_of_byte(unsigned char b, float) {
    return (float)b / 255.0f;
}
static inline unsigned char warpmem_to_byte(unsigned char v) {
    return v;
}
static inline unsigned char warpmem_to_byte(float v) {
    return (unsigned char)(v * 255.0f);
}

template <class T>
static inline bool sdkLoadPGM(const char *name, T **data, unsigned *width, unsigned *height) {
    unsigned char *bytes = NULL;
    unsigned channels = 0;
    bool good = warpmem_load_image(name, &bytes, width, height, &channels) && channels == 1;
    const size_t count = good ? (size_t)*width * *height : 0;
    *data = *data ? *data : (T *)malloc(count * sizeof(T) + 1);
    for (size_t i = 0; i < count; i++) {
        (*data)[i] = warpmem_of_byte(bytes[i], T());
    }
    free(bytes);
    return good;
}
template <class T>
static inline bool sdkSavePGM(const char *name, T *data, unsigned width, unsigned height) {
    std::vector<unsigned char> bytes((size_t)width * height);
    for (size_t i = 0; i < bytes.size(); i++) {
        bytes[i] = warpmem_to_byte(data[i]);
    }
    return warpmem_save_image(name, bytes.data(), width, height, 1);
}

/* Four channels in memory, three in the file. */
template <class T>
static inline bool sdkLoadPPM4(const char *name, T **data, unsigned *width, unsigned *height) {
    unsigned char *bytes = NULL;
    unsigned channels = 0;
    bool good = warpmem_load_image(name, &bytes, width, height, &channels) && channels == 3;
    const size_t count = good ? (size_t)*width * *height : 0;
    *data = *data ? *data : (T *)malloc(4 * count * sizeof(T) + 1);
    for (size_t i = 0; i < 4 * count; i++) {
        (*data)[i] =
            warpmem_of_byte((unsigned char)(i % 4 < 3 ? bytes[i / 4 * 3 + i % 4] : 0), T());
    }
    free(bytes);
    return good;
}
static inline bool sdkLoadPPM4ub(const char *name, unsigned char **data, unsigned *width,
                                 unsigned *height) {
    return sdkLoadPPM4(name, data, width, height);
}
static inline bool sdkSavePPM4ub(const char *name, unsigned char *data, unsigned width,
                                 unsigned height) {
    std::vector<unsigned char> bytes((size_t)width * height * 3);
    for (size_t i = 0; i < bytes.size(); i++) {
        bytes[i] = data[i / 3 * 4 + i % 3];
    }
    return warpmem_save_image(name, bytes.data(), width, height, 3);
}

/* Numbers with blanks between. */
template <class T>
static inline bool sdkReadFile(const char *name, T **data, unsigned *length, bool) {
    std::vector<T> values;
    FILE *file = fopen(name, "r");
    double value;
    while (file && fscanf(file, "%lf", &value) == 1) {
        values.push_back((T)value);
    }
    if (!file || fclose(file)) {
        return false;
    }
    *length = *data ? *length : (unsigned)values.size();
    *data = *data ? *data : (T *)malloc(*length * sizeof(T) + 1);
    std::copy_n(values.begin(), *length < values.size() ? *length : values.size(), *data);
    return true;
}
template <class T, class S>
static inline bool sdkWriteFile(const char *name, const T *data, unsigned length, S, bool,
                                bool append = false) {
    FILE *file = fopen(name, append ? "a" : "w");
    for (unsigned i = 0; file && i < length; i++) {
        fprintf(file, "%.9g ", (double)data[i]);
    }
    return file && !fclose(file);
}

/* --- comparisons --- */

/* True if at most the fraction @threshold of the values differs by more than @epsilon. */
template <class T, class S>
static inline bool compareData(const T *reference, const T *data, unsigned length, S epsilon,
                               float threshold) {
    size_t wrong = 0;
    for (unsigned i = 0; i < length; i++) {
        wrong += !(fabs((double)reference[i] - (double)data[i]) <= (double)epsilon);
    }
    return (double)wrong <= (double)length * threshold;
}
static inline bool sdkCompareL2fe(const float *reference, const float *data, unsigned length,
                                  float epsilon) {
    double error = 0, norm = 0;
    for (unsigned i = 0; i < length; i++) {
        const double d = (double)reference[i] - (double)data[i];
        error += d * d;
        norm += (double)reference[i] * (double)reference[i];
    }
    return norm > 0 && sqrt(error) / sqrt(norm) < (double)epsilon;
}

static inline bool warpmem_same_images(const char *a, const char *b, float epsilon,
                                       float threshold) {
    unsigned char *first = NULL, *second = NULL;
    unsigned size[2][3] = {{0}};
    bool same =
        warpmem_load_image(a, &first, &size[0][0], &size[0][1], &size[0][2]) &&
        warpmem_load_image(b, &second, &size[1][0], &size[1][1], &size[1][2]) &&
        !memcmp(size[0], size[1], sizeof size[0]) &&
        compareData(first, second, size[0][0] * size[0][1] * size[0][2], epsilon, threshold);
    free(first);
    free(second);
    return same;
}
static inline bool sdkComparePPM(const char *a, const char *b, float epsilon, float threshold,
                                 bool) {
    return warpmem_same_images(a, b, epsilon, threshold);
}
static inline bool sdkComparePGM(const char *a, const char *b, float epsilon, float threshold,
                                 bool) {
    return warpmem_same_images(a, b, epsilon, threshold);
}

/* Files of values from earlier runs. */
template <class T>
static inline bool warpmem_same_values(const char *a, const char *b, unsigned count, float epsilon,
                                       float threshold, const char *program) {
    std::vector<T> values[2] = {std::vector<T>(count), std::vector<T>(count)};
    for (int i = 0; i < 2; i++) {
        char *path = sdkFindFilePath(i ? b : a, program);
        FILE *file = path ? fopen(path, "rb") : NULL;
        const bool read = file && fread(values[i].data(), sizeof(T), count, file) == count;
        free(path);
        if (!file || fclose(file) || !read) {
            return false;
        }
    }
    return compareData(values[0].data(), values[1].data(), count, epsilon, threshold);
}
static inline bool sdkCompareBin2BinUint(const char *a, const char *b, unsigned count,
                                         float epsilon, float threshold, const char *program) {
    return warpmem_same_values<unsigned>(a, b, count, epsilon, threshold, program);
}
static inline bool sdkCompareBin2BinFloat(const char *a, const char *b, unsigned count,
                                          float epsilon, float threshold, const char *program) {
    return warpmem_same_values<float>(a, b, count, epsilon, threshold, program);
}

#endif
