/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/batch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/progress.h"
#include "cli/signals.h"

struct batch {
    struct batch_job *jobs;
    unsigned count;
    const struct session_options *options;
    pthread_mutex_t lock; /* guards the members below, and the jobs' progress */
    unsigned next, ended;
    struct progress progress;
    uint64_t warp_instructions; /* of each job, about; 0: not known */
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
        done += job->ended ? 1 : b->warp_instructions ? job->percent * 0.01 : 0;
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
            used += (size_t)snprintf(line + used, sizeof line - used, "%s%s %u %%%s", before,
                                     job->title, job->percent,
                                     b->warp_instructions ? "" : " of its launch");
            before = ", ";
        }
    }
    progress_line(&b->progress, "%s: %s", b->options->workload->name, line);
}

static void job_progress(void *user, const struct gpu_progress *now) {
    struct view *v = user;
    pthread_mutex_lock(&v->batch->lock);
    v->job->cycles = now->cycles;
    v->job->percent = progress_percent(now, v->batch->warp_instructions);
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

static void run_job(struct batch *b, struct batch_job *job) {
    struct view view = {b, job};
    char title[BATCH_TITLE + 256];
    struct session_extras x = {.title = title, .progress = job_progress, .progress_user = &view};
    snprintf(title, sizeof title, "%s%s%s", b->options->workload->name, *job->title ? " " : "",
             job->title);
    x.said = open_memstream(&job->said, &job->said_size);
    job->status = x.said ? session_run(&job->session, b->options, job->machine, &x) : CLI_FAILED;
    if (x.said) {
        fclose(x.said);
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

int batch_run(struct batch_job *jobs, unsigned count, const struct session_options *o,
              unsigned threads) {
    struct batch b = {.jobs = jobs, .count = count, .options = o};
    int status = CLI_OK;
    if (pthread_mutex_init(&b.lock, NULL)) {
        return cli_error(CLI_FAILED, "out of memory");
    }
    signals_catch();
    progress_init(&b.progress, "", !o->no_progress);
    if (b.progress.on) {
        uint64_t launches;
        session_length(o, &b.warp_instructions, &launches);
    }
    run_threads(&b, threads);
    progress_clear(&b.progress);
    pthread_mutex_destroy(&b.lock);
    const char *before = "";
    for (unsigned i = 0; i < count; i++) {
        if (jobs[i].begun) {
            const char *said = jobs[i].said ? jobs[i].said : "warpmem: out of memory\n";
            fputs(strcmp(said, before) != 0 ? said : "", stderr); /* a bad trace: once for all */
            before = said;
            status = status != CLI_OK ? status : jobs[i].status;
        }
    }
    /* A signal that came between two runs still ends the command. */
    int number = (int)*signals_flag();
    return status == CLI_OK && number ? CLI_SIGNAL + number : status;
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
