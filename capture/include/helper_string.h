/* SPDX-License-Identifier: Apache-2.0
 * The command lines of CUDA's samples: -name, --name, --name=value; and their files. */
#ifndef WARPMEM_HELPER_STRING_H
#define WARPMEM_HELPER_STRING_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <string>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, length, from) strcpy(to, from)
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#define FOPEN_FAIL(result) (result == NULL)
#define SSCANF sscanf
#define SPRINTF sprintf
#endif

/* The text behind the name: "" or "=value"; NULL: the option is not there. */
static inline const char *warpmem_option(int argc, const char **argv, const char *name) {
    const size_t length = strlen(name);
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i] + strspn(argv[i], "-");
        if (word != argv[i] && !strncasecmp(word, name, length) &&
            (!word[length] || word[length] == '=')) {
            return word + length;
        }
    }
    return NULL;
}

static inline const char *warpmem_option_value(int argc, const char **argv, const char *name) {
    const char *behind = warpmem_option(argc, argv, name);
    return behind && *behind ? behind + 1 : NULL;
}

static inline bool checkCmdLineFlag(int argc, const char **argv, const char *name) {
    return warpmem_option(argc, argv, name);
}

static inline int getCmdLineArgumentInt(int argc, const char **argv, const char *name) {
    const char *value = warpmem_option_value(argc, argv, name);
    return value ? atoi(value) : 0;
}

static inline float getCmdLineArgumentFloat(int argc, const char **argv, const char *name) {
    const char *value = warpmem_option_value(argc, argv, name);
    return value ? (float)atof(value) : 0;
}

static inline bool getCmdLineArgumentString(int argc, const char **argv, const char *name,
                                            char **to) {
    const char *value = warpmem_option_value(argc, argv, name);
    *to = (char *)value;
    return value;
}

template <class T>
static inline bool getCmdLineArgumentValue(int argc, const char **argv, const char *name, T *to) {
    const char *value = warpmem_option_value(argc, argv, name);
    *to = value ? (T)atoi(value) : *to;
    return value;
}

static inline int stringRemoveDelimiter(char delimiter, const char *text) {
    int n = 0;
    while (text[n] == delimiter) {
        n++;
    }
    return n;
}

/* The first that exists: here, in data, beside the program. NULL: none. */
static inline char *sdkFindFilePath(const char *name, const char *program) {
    const std::string at = program ? program : "", own = at.substr(0, at.rfind('/') + 1);
    for (const std::string &folder :
         {std::string(""), std::string("data/"), std::string("../data/"), std::string("../"),
          std::string("./common/data/"), own, own + "data/", own + "../data/"}) {
        const std::string path = folder + name;
        if (FILE *file = fopen(path.c_str(), "rb")) {
            fclose(file);
            return strdup(path.c_str());
        }
    }
    return NULL;
}

#endif
