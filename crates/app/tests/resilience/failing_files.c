/* Preloaded into the program under test. Fails one call on a file of SQLite, as a faulty disk does.
 *
 * PARLANCE_TEST_FAULTS names a file that holds a struct plan. The test writes and reads it while the program runs. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum call { NONE, WRITE, SYNC, READ, TRUNCATE, CALLS };

struct plan {
    uint64_t failing_call;       /* the kind of call that fails, or NONE */
    uint64_t countdown;          /* number of calls of this kind until the failing call, which is included */
    uint64_t error_number;       /* its errno; 0: half of a write succeeds, and the next write fails with ENOSPC */
    uint64_t failure_count;      /* number of calls that have failed */
    uint64_t call_counts[CALLS]; /* number of calls of each kind */
};

static struct plan *plan(void) {
    static struct plan *shared;
    if (shared == NULL) {
        const char *path = getenv("PARLANCE_TEST_FAULTS");
        int file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
        void *mapped = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (mapped == MAP_FAILED) abort();
        close(file);
        shared = mapped;
    }
    return shared;
}

static int ends_with(const char *text, const char *end) {
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static int is_sqlite_file(int file) {
    char link[32], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = '\0';
    return ends_with(path, ".db") || ends_with(path, "-wal") || ends_with(path, "-shm") ||
           ends_with(path, "-journal") || ends_with(path, ".unfinished");
}

/* Counts a call, and returns whether the call must fail. */
static int is_due(enum call call, int file) {
    int saved_errno = errno, due = 0;
    if (is_sqlite_file(file)) {
        struct plan *current = plan();
        __atomic_add_fetch(&current->call_counts[call], 1, __ATOMIC_SEQ_CST);
        due = current->failing_call == call && __atomic_sub_fetch(&current->countdown, 1, __ATOMIC_SEQ_CST) == 0;
        if (due) __atomic_add_fetch(&current->failure_count, 1, __ATOMIC_SEQ_CST);
    }
    errno = saved_errno;
    return due;
}

/* Returns the number of bytes to write: fewer than `bytes` for a short write, or -1 for a failed write. */
static ssize_t writable_bytes(int file, size_t bytes) {
    if (!is_due(WRITE, file)) return (ssize_t)bytes;
    struct plan *current = plan();
    if (current->error_number == 0 && bytes > 1) {
        current->error_number = ENOSPC;
        current->countdown = 1;
        return (ssize_t)(bytes / 2);
    }
    errno = current->error_number == 0 ? ENOSPC : (int)current->error_number;
    return -1;
}

#define REAL(name, result, ...)                                          \
    static result (*real)(__VA_ARGS__);                                  \
    if (real == NULL) real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

#define WRAP_PWRITE(name, offset_type)                                               \
    ssize_t name(int file, const void *from, size_t bytes, offset_type offset) {     \
        REAL(name, ssize_t, int, const void *, size_t, offset_type);                 \
        ssize_t count = writable_bytes(file, bytes);                                 \
        return count < 0 ? -1 : real(file, from, (size_t)count, offset);             \
    }

#define WRAP_PREAD(name, offset_type)                                                \
    ssize_t name(int file, void *into, size_t bytes, offset_type offset) {           \
        REAL(name, ssize_t, int, void *, size_t, offset_type);                       \
        if (!is_due(READ, file)) return real(file, into, bytes, offset);             \
        errno = (int)plan()->error_number;                                           \
        return -1;                                                                   \
    }

#define WRAP_SYNC(name)                                                              \
    int name(int file) {                                                             \
        REAL(name, int, int);                                                        \
        if (!is_due(SYNC, file)) return real(file);                                  \
        errno = (int)plan()->error_number;                                           \
        return -1;                                                                   \
    }

#define WRAP_TRUNCATE(name, size_type)                                               \
    int name(int file, size_type size) {                                             \
        REAL(name, int, int, size_type);                                             \
        if (!is_due(TRUNCATE, file)) return real(file, size);                        \
        errno = (int)plan()->error_number;                                           \
        return -1;                                                                   \
    }

WRAP_PWRITE(pwrite, off_t)
WRAP_PWRITE(pwrite64, off64_t)
WRAP_PREAD(pread, off_t)
WRAP_PREAD(pread64, off64_t)
WRAP_SYNC(fsync)
WRAP_SYNC(fdatasync)
WRAP_TRUNCATE(ftruncate, off_t)
WRAP_TRUNCATE(ftruncate64, off64_t)

ssize_t write(int file, const void *from, size_t bytes) {
    REAL(write, ssize_t, int, const void *, size_t);
    ssize_t count = writable_bytes(file, bytes);
    return count < 0 ? -1 : real(file, from, (size_t)count);
}

ssize_t read(int file, void *into, size_t bytes) {
    REAL(read, ssize_t, int, void *, size_t);
    if (!is_due(READ, file)) return real(file, into, bytes);
    errno = (int)plan()->error_number;
    return -1;
}
