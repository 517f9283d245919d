/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report/plot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "config/keys.h"

/* ".png"; NULL: the script cannot draw this format. */
static const char *picture_kind(const char *path) {
    static const char *const kinds[] = {".png", ".svg", ".pdf"};
    const size_t length = strlen(path);
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (length > strlen(kinds[i]) && !strcmp(path + length - strlen(kinds[i]), kinds[i])) {
            return kinds[i];
        }
    }
    return NULL;
}

bool plot_find_script(const char *script, char path[PLOT_PATH]) {
    char folder[4096] = "";
    if (readlink("/proc/self/exe", folder, sizeof folder - 1) < 0) {
        return false;
    }
    for (char *slash = strrchr(folder, '/'); slash; slash = strrchr(folder, '/')) {
        *slash = '\0';
        snprintf(path, PLOT_PATH, "%s/share/warpmem/scripts/%s", folder, script);
        if (!access(path, R_OK)) {
            return true;
        }
    }
    return false;
}

/* Runs the script with its arguments, stdin as given, stdout to the file. Returns its exit
 * status. */
static int run_plot_script(const char *script, const char *word, const char *kind, FILE *in,
                           FILE *out) {
    char path[PLOT_PATH];
    int status = -1;
    pid_t child = plot_find_script(script, path) ? fork() : -1;
    if (child == 0) {
        if ((!in || dup2(fileno(in), STDIN_FILENO) >= 0) &&
            (!out || dup2(fileno(out), STDOUT_FILENO) >= 0)) {
            execl(PLOT_PYTHON, PLOT_PYTHON, "-B", path, word, kind, (char *)NULL);
        }
        _exit(127);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool plot_possible(const char *script, const char *path, struct config_error *e) {
    char shown[TEXT_SHOWN];
    if (!picture_kind(path)) {
        snprintf(e->text, sizeof e->text, "--plot %s: must end in .png, .svg or .pdf",
                 text_shown(shown, sizeof shown, path));
        return false;
    }
    return plot_script_works(script, "--plot", e);
}

bool plot_script_works(const char *script, const char *option, struct config_error *e) {
    char path[PLOT_PATH];
    if (!plot_find_script(script, path)) {
        return config_fail(e, "%s: no share/warpmem/scripts/%s above the program", option, script);
    }
    return run_plot_script(script, "--possible", NULL, NULL, NULL) == 0 ||
           config_fail(e, "%s: needs " PLOT_NEEDS, option);
}

bool plot_run(const char *script, const char *kind, json_t *json, FILE *out) {
    FILE *in = tmpfile();
    bool good = in && !json_dumpf(json, in, JSON_COMPACT) && !fflush(in) && !fseek(in, 0, SEEK_SET);
    good = good && !fflush(out) && run_plot_script(script, "-", kind, in, out) == 0;
    if (in) {
        fclose(in);
    }
    return good;
}

bool plot_draw(const char *script, json_t *json, struct output *out, struct config_error *e) {
    return plot_run(script, picture_kind(out->path), json, out->file) ||
           config_fail(e, "--plot: the picture could not be drawn");
}
