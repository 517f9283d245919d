/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/study/batch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/progress.h"
#include "cli/signals.h"

struct batch {
    struct batch_job *jobs;
    unsigned count;
    const char *title;
    const struct keep *keep;
    bool keeps;           /* false: keeping has failed once */
    pthread_mutex_t lock; /* guards the members below, and the jobs' progress */
    unsigned next, ended;
    struct progress progress;
};

/* A running job and its batch, as the progress function sees them. */
struct view {
    struct batch *batch;
    struct batch_job *job;
};

unsigned batch_threads(void) {
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 && online < 1024 ? (unsigned)online : 1;
}

/* Prints "atax: 3 of 8 runs done, 900 kcycles/s, 12 s, 20 s left; mrpb 45 %, gto 10 %". */
static void show_batch_progress(struct batch *b) {
    char line[400], rate[64];
    size_t used = 0;
    uint64_t cycles = 0;
    double seconds;
    if (!progress_due(&b->progress, &seconds)) {
        return;
    }
    double done = 0; /* of the runs, parts too */
    for (unsigned i = 0; i < b->count; i++) {
        const struct batch_job *job = &b->jobs[i];
        cycles += job->cycles;
        done += job->ended ? 1 : job->warp_instructions ? job->percent * 0.01 : 0;
    }
    used = (size_t)snprintf(line, sizeof line, "%u of %u runs done%s", b->ended, b->count,
                            progress_rate(cycles, seconds, rate, sizeof rate));
    if (done > 0) {
        used += (size_t)snprintf(line + used, sizeof line - used, ", %.0f s left",
                                 seconds * (b->count - done) / done);
    }
    const char *before = "; ";
    for (unsigned i = 0; i < b->count && used < sizeof line; i++) {
        const struct batch_job *job = &b->jobs[i];
        if (job->begun && !job->ended) {
            const char *name = job->options->workload->name;
            used += (size_t)snprintf(line + used, sizeof line - used, "%s%s%s%s %u %%%s", before,
                                     strcmp(name, b->title) ? name : "",
                                     strcmp(name, b->title) ? " " : "", job->title, job->percent,
                                     job->warp_instructions ? "" : " of its launch");
            before = ", ";
        }
    }
    progress_line(&b->progress, "%s: %s", b->title, line);
}

static void job_progress(void *user, const struct gpu_progress *now) {
    struct view *v = user;
    pthread_mutex_lock(&v->batch->lock);
    v->job->cycles = now->cycles;
    v->job->percent = progress_percent(now, v->job->warp_instructions);
    show_batch_progress(v->batch);
    pthread_mutex_unlock(&v->batch->lock);
}

static struct batch_job *take_next_job(struct batch *b) {
    struct batch_job *job = NULL;
    pthread_mutex_lock(&b->lock);
    if (b->next < b->count && !*signals_flag()) {
        job = &b->jobs[b->next++];
        job->begun = true;
    }
    pthread_mutex_unlock(&b->lock);
    return job;
}

/* The first failure is said, and the runs go on without. */
static void keep_result(struct batch *b, const struct batch_job *job) {
    struct config_error e;
    if (keep_put(b->keep, &job->session, &e)) {
        return;
    }
    pthread_mutex_lock(&b->lock);
    if (b->keeps) {
        progress_clear(&b->progress);
        fprintf(stderr, "warpmem: %s: results are not kept\n", e.text);
    }
    b->keeps = false;
    pthread_mutex_unlock(&b->lock);
}

/* A kept result that is not believed. */
static void tell_fault(struct batch *b, const char *fault) {
    if (*fault) {
        pthread_mutex_lock(&b->lock);
        progress_clear(&b->progress);
        fprintf(stderr, "warpmem: %s\n", fault);
        pthread_mutex_unlock(&b->lock);
    }
}

static void run_new_job(struct batch *b, struct batch_job *job) {
    struct view view = {b, job};
    char title[BATCH_TITLE + 256];
    struct session_extras x = {.title = title, .progress = job_progress, .progress_user = &view};
    snprintf(title, sizeof title, "%s%s%s", job->options->workload->name, *job->title ? " " : "",
             job->title);
    x.said = open_memstream(&job->said, &job->said_size);
    job->status = x.said ? session_run(&job->session, job->options, job->machine, &x) : CLI_FAILED;
    if (x.said) {
        fclose(x.said);
    }
    if (b->keep && job->status == CLI_OK && job->session.stats) {
        keep_result(b, job);
    }
}

static void run_job(struct batch *b, struct batch_job *job) {
    if (b->keep) {
        char fault[KEEP_FAULT];
        keep_get(b->keep, &job->session, job->options, job->machine, fault);
        job->kept = job->session.stats;
        tell_fault(b, fault);
    }
    if (!job->kept) {
        run_new_job(b, job);
    }
    pthread_mutex_lock(&b->lock);
    job->ended = true;
    job->cycles = job->session.cycles;
    b->ended++;
    pthread_mutex_unlock(&b->lock);
}

static void *run_jobs_of_thread(void *user) {
    struct batch_job *job;
    while ((job = take_next_job(user))) {
        run_job(user, job);
    }
    return NULL;
}

/* The caller's thread works as well; threads that the host refuses are done without. */
static void run_threads(struct batch *b, unsigned threads) {
    unsigned more = threads < b->count ? threads : b->count, started = 0;
    pthread_t *thread = calloc(more, sizeof *thread);
    while (thread && started + 1 < more &&
           !pthread_create(&thread[started], NULL, run_jobs_of_thread, b)) {
        started++;
    }
    run_jobs_of_thread(b);
    for (unsigned i = 0; i < started; i++) {
        pthread_join(thread[i], NULL);
    }
    free(thread);
}

int batch_report(const struct batch_job *jobs, unsigned count, const struct keep *keep) {
    const char *before = "";
    unsigned kept = 0;
    int status = CLI_OK;
    for (unsigned i = 0; i < count; i++) {
        kept += jobs[i].kept;
        if (jobs[i].begun && !jobs[i].kept) {
            const char *said = jobs[i].said ? jobs[i].said : "warpmem: out of memory\n";
            fputs(strcmp(said, before) != 0 ? said : "", stderr); /* a bad trace: once for all */
            before = said;
            status = status != CLI_OK ? status : jobs[i].status;
        }
    }
    if (keep && kept) {
        fprintf(stderr, "warpmem: %u of %u results come from %s\n", kept, count, keep->folder);
    }
    /* A signal that came between two runs still ends the command. */
    int number = (int)*signals_flag();
    return status == CLI_OK && number ? CLI_SIGNAL + number : status;
}

int batch_run(struct batch_job *jobs, unsigned count, const char *title, unsigned threads,
              const struct keep *keep) {
    struct batch b = {.jobs = jobs, .count = count, .title = title, .keep = keep, .keeps = true};
    if (pthread_mutex_init(&b.lock, NULL)) {
        return cli_error(CLI_FAILED, "out of memory");
    }
    signals_catch();
    progress_init(&b.progress, "", !jobs->options->no_progress);
    for (unsigned i = 0; b.progress.on && i < count; i++) {
        uint64_t launches;
        bool same = i && jobs[i].options == jobs[i - 1].options;
        jobs[i].warp_instructions = same ? jobs[i - 1].warp_instructions : 0;
        if (!same) {
            session_length(jobs[i].options, &jobs[i].warp_instructions, &launches);
        }
    }
    run_threads(&b, threads);
    progress_clear(&b.progress);
    pthread_mutex_destroy(&b.lock);
    return batch_report(jobs, count, keep);
}

const char *batch_reason(const struct batch_job *job, char *text, size_t size) {
    if (!job->begun || job->status == CLI_OK || job->status > CLI_SIGNAL) {
        return NULL;
    }
    const char *line = job->said ? job->said : "out of memory", *next;
    while ((next = strchr(line, '\n')) && next[1]) {
        line = next + 1; /* the last line, behind a dump of the machine */
    }
    /* The message begins "warpmem: WORKLOAD TITLE: ". */
    char behind[BATCH_TITLE + 4];
    snprintf(behind, sizeof behind, " %s: ", job->title);
    const char *title = strstr(line, behind);
    line = title ? title + strlen(behind) : line;
    snprintf(text, size, "%.*s", (int)strcspn(line, "\n"), line);
    return text;
}

void batch_end(struct batch_job *jobs, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        session_end(&jobs[i].session);
        free(jobs[i].said);
        jobs[i].said = NULL;
    }
}
