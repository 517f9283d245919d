/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/study/slurm_batch.h"

#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/report/json_build.h"
#include "cli/report/plot.h"
#include "cli/progress.h"
#include "cli/report/result_json.h"
#include "cli/signals.h"

#define SHOWN_MS 1000

/* The running script, and the states of its tasks. */
struct tasks {
    struct batch_job *jobs;
    unsigned count, kept, ended;
    const char *title;
    const struct keep *keep;
    struct progress progress;
    pid_t child;
    FILE *lines; /* that it writes */
    int told;    /* a signal that it was sent */
};

/* Looks for a job's result. False: there is none. */
static bool take_kept_result(struct tasks *t, struct batch_job *job) {
    char fault[KEEP_FAULT];
    keep_get(t->keep, &job->session, job->options, job->machine, fault);
    if (*fault) {
        progress_clear(&t->progress);
        fprintf(stderr, "warpmem: %s\n", fault);
    }
    return job->session.stats;
}

/* Says why a job has no result, in one line as a run's message would be. @log: the folder of its
 * task, or NULL. */
static void note_failure(struct batch_job *job, int status, const char *said, const char *log) {
    FILE *to = open_memstream(&job->said, &job->said_size);
    job->begun = true;
    job->status = status;
    if (!to) {
        return;
    }
    if (strncmp(said, "warpmem: ", 9) != 0) { /* else it names the run already */
        fprintf(to, "warpmem: %s %s: ", job->options->workload->name, job->title);
    }
    fprintf(to, "%s%s%s\n", said, log ? "; " : "", log ? log : "");
    fclose(to);
}

/* {name: words} of the jobs without a result. Jobs of equal machines are one. */
static json_t *commands_json(struct tasks *t, char **words, int word_count) {
    json_t *commands = json_object();
    for (unsigned i = 0; i < t->count && commands; i++) {
        struct batch_job *job = &t->jobs[i];
        char name[KEEP_NAME], task[32];
        if (!keep_name_of_run(t->keep, job->options, job->machine, name)) {
            note_failure(job, CLI_BAD_INPUT, "its trace cannot be read", NULL);
            continue;
        }
        if (json_object_get(commands, name)) {
            continue;
        }
        job->kept = take_kept_result(t, job);
        t->kept += job->kept;
        if (job->kept) {
            continue;
        }
        snprintf(task, sizeof task, "--task=%u", i); /* first: a `--` may follow */
        json_t *command = json_pack("[s, s]", "compare", task);
        for (int w = 1; w < word_count; w++) {
            append_element(&command, json_string(words[w]));
        }
        set_member(&commands, name, command);
    }
    return commands;
}

static json_t *wanted_json(struct tasks *t, char **words, int word_count) {
    char digest[17], program[4096], directory[4096], folder[2 * 4096 + 8];
    const char *keep = t->keep->folder;
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0 || !getcwd(directory, sizeof directory)) {
        return NULL;
    }
    program[length] = '\0';
    snprintf(folder, sizeof folder, "%s%s%.4000s/slurm", *keep == '/' ? "" : directory,
             *keep == '/' ? "" : "/", keep);
    return json_pack("{s:s, s:s, s:s, s:s, s:o?}", "folder", folder, "program", program, "digest",
                     result_hash_text(t->keep->program, digest), "directory", directory, "commands",
                     commands_json(t, words, word_count));
}

/* --- the script --- */

/* Starts it in a process group of its own: a signal of the terminal comes once, from here. */
static bool start_script(struct tasks *t, json_t *wanted) {
    char script[PLOT_PATH];
    int ends[2];
    FILE *in = tmpfile();
    bool good = in && plot_find_script(PLOT_SLURM, script) &&
                !json_dumpf(wanted, in, JSON_COMPACT) && !fflush(in) && !fseek(in, 0, SEEK_SET) &&
                !pipe(ends);
    t->child = good ? fork() : -1;
    if (t->child == 0) {
        if (!setpgid(0, 0) && dup2(fileno(in), STDIN_FILENO) >= 0 &&
            dup2(ends[1], STDOUT_FILENO) >= 0 && !close(ends[0])) {
            execl(PLOT_PYTHON, PLOT_PYTHON, "-B", script, (char *)NULL);
        }
        _exit(127);
    }
    if (good) {
        close(ends[1]);
        t->lines = t->child > 0 ? fdopen(ends[0], "r") : NULL;
        if (t->lines) {
            setvbuf(t->lines, NULL, _IONBF, 0); /* poll() knows nothing of a buffer */
        }
    }
    if (in) {
        fclose(in);
    }
    return t->lines;
}

/* Passes a signal on, once. */
static void pass_signal(struct tasks *t) {
    const int number = (int)*signals_flag();
    if (number && !t->told) {
        kill(t->child, number);
        t->told = number;
    }
}

static void show_tasks(struct tasks *t) {
    double seconds;
    const unsigned all = t->count - t->kept;
    if (!progress_due(&t->progress, &seconds)) {
        return;
    }
    if (t->ended) {
        progress_line(&t->progress, "%s: %u of %u runs done, %.0f s, %.0f s left", t->title,
                      t->ended, all, seconds, seconds * (all - t->ended) / t->ended);
    } else {
        progress_line(&t->progress, "%s: 0 of %u runs done, %.0f s", t->title, all, seconds);
    }
}

/* Takes a line of the script. Several jobs may have the result. */
static void take_task_line(struct tasks *t, const char *line) {
    json_error_t why;
    json_t *ended = json_loads(line, 0, &why);
    const char *name = json_string_value(json_object_get(ended, "name"));
    const char *said = json_string_value(json_object_get(ended, "said"));
    const char *log = json_string_value(json_object_get(ended, "log"));
    const json_t *code = json_object_get(ended, "code");
    const bool refused = json_is_integer(code) && json_integer_value(code) == CLI_BAD_INPUT;
    for (unsigned i = 0; i < t->count && name; i++) {
        struct batch_job *job = &t->jobs[i];
        char its[KEEP_NAME];
        if (job->kept || !keep_name_of_run(t->keep, job->options, job->machine, its) ||
            strcmp(its, name) != 0) {
            continue;
        }
        job->ended = true;
        t->ended++;
        if (!take_kept_result(t, job)) {
            note_failure(job, refused ? CLI_BAD_INPUT : CLI_FAILED,
                         said && *said ? said : "ended without a message", log);
        }
    }
    json_decref(ended);
}

/* Return: the exit status of the script. */
static int collect_tasks(struct tasks *t) {
    struct pollfd ready = {.fd = fileno(t->lines), .events = POLLIN};
    char *line = NULL;
    size_t size = 0;
    int status = 0;
    for (;;) {
        pass_signal(t);
        show_tasks(t);
        if (poll(&ready, 1, SHOWN_MS) <= 0) {
            continue; /* time has passed, or a signal came */
        }
        if (getline(&line, &size, t->lines) < 0) {
            break;
        }
        take_task_line(t, line);
    }
    free(line);
    fclose(t->lines);
    while (waitpid(t->child, &status, 0) < 0 && errno == EINTR) {
        pass_signal(t);
    }
    progress_clear(&t->progress);
    return WIFEXITED(status) ? WEXITSTATUS(status) : CLI_FAILED;
}

/* --- the batch --- */

int slurm_batch_run(struct batch_job *jobs, unsigned count, const char *title,
                    const struct keep *keep, char **words, int word_count) {
    struct tasks t = {.jobs = jobs, .count = count, .title = title, .keep = keep};
    int script = CLI_OK;
    signals_catch();
    json_t *wanted = wanted_json(&t, words, word_count);
    if (!wanted) {
        return cli_error(CLI_FAILED,
                         "--engine slurm: out of memory, or its own program or folder is gone");
    }
    progress_init(&t.progress, "", !jobs->options->no_progress);
    if (json_object_size(json_object_get(wanted, "commands"))) {
        script = start_script(&t, wanted) ? collect_tasks(&t) : 127;
    }
    json_decref(wanted);
    for (unsigned i = 0; i < count; i++) { /* equal to one that was kept */
        if (!jobs[i].session.stats && !jobs[i].begun) {
            take_kept_result(&t, &jobs[i]);
        }
    }
    if (script == 127) {
        return cli_error(CLI_BAD_INPUT, "--engine slurm: needs %s and share/warpmem/scripts/%s",
                         PLOT_PYTHON, PLOT_SLURM);
    }
    int status = batch_report(jobs, count, keep);
    return status == CLI_OK ? script : status;
}

int slurm_batch_task(struct batch_job *job, const char *title, const struct keep *keep) {
    int status = batch_run(job, 1, title, 1, keep);
    if (status == CLI_OK) {
        struct session kept;
        char fault[KEEP_FAULT];
        keep_get(keep, &kept, job->options, job->machine, fault);
        status = kept.stats ? CLI_OK : CLI_FAILED; /* batch_run() has said why */
        session_end(&kept);
    }
    return status;
}
