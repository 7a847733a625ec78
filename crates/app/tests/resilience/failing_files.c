/* Preloaded into the program under test: fails one call on a file of SQLite, as a disk would.
 *
 * PARLANCE_TEST_FAULTS names a file of FIELDS numbers of 64 bits, which the test writes and reads while the program runs. */

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
    uint64_t call;         /* which kind of call fails; NONE for none */
    uint64_t at;           /* it is the at-th from now on */
    uint64_t error;        /* the errno that it fails with; 0: half of a write succeeds, and the next fails with ENOSPC */
    uint64_t failed;       /* how many calls have failed */
    uint64_t calls[CALLS]; /* how many calls of each kind there were */
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
    size_t length = strlen(text), most = strlen(end);
    return length >= most && strcmp(text + length - most, end) == 0;
}

static int is_of_sqlite(int file) {
    char link[32], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = '\0';
    return ends_with(path, ".db") || ends_with(path, "-wal") || ends_with(path, "-shm") || ends_with(path, "-journal") ||
           ends_with(path, ".unfinished");
}

/* Counts a call, and tells whether it is the one to fail. */
static int is_due(enum call call, int file) {
    int kept = errno, due = 0;
    if (is_of_sqlite(file)) {
        struct plan *now = plan();
        __atomic_add_fetch(&now->calls[call], 1, __ATOMIC_SEQ_CST);
        due = now->call == call && __atomic_sub_fetch(&now->at, 1, __ATOMIC_SEQ_CST) == 0;
        if (due) __atomic_add_fetch(&now->failed, 1, __ATOMIC_SEQ_CST);
    }
    errno = kept;
    return due;
}

/* How much of a write is still to be done: less than all of it where only a part succeeds, and -1 where nothing does. */
static ssize_t admitted(int file, size_t bytes) {
    if (!is_due(WRITE, file)) return (ssize_t)bytes;
    struct plan *now = plan();
    if (now->error == 0 && bytes > 1) {
        now->error = ENOSPC;
        now->at = 1;
        return (ssize_t)(bytes / 2);
    }
    errno = now->error == 0 ? ENOSPC : (int)now->error;
    return -1;
}

#define REAL(name, result, ...)                                          \
    static result (*real)(__VA_ARGS__);                                  \
    if (real == NULL) real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

#define WRAP_PWRITE(name, offset_type)                                               \
    ssize_t name(int file, const void *from, size_t bytes, offset_type offset) {     \
        REAL(name, ssize_t, int, const void *, size_t, offset_type);                 \
        ssize_t some = admitted(file, bytes);                                        \
        return some < 0 ? -1 : real(file, from, (size_t)some, offset);               \
    }

#define WRAP_PREAD(name, offset_type)                                                \
    ssize_t name(int file, void *into, size_t bytes, offset_type offset) {           \
        REAL(name, ssize_t, int, void *, size_t, offset_type);                       \
        if (!is_due(READ, file)) return real(file, into, bytes, offset);             \
        errno = (int)plan()->error;                                                  \
        return -1;                                                                   \
    }

#define WRAP_SYNC(name)                                                              \
    int name(int file) {                                                             \
        REAL(name, int, int);                                                        \
        if (!is_due(SYNC, file)) return real(file);                                  \
        errno = (int)plan()->error;                                                  \
        return -1;                                                                   \
    }

#define WRAP_TRUNCATE(name, size_type)                                               \
    int name(int file, size_type size) {                                             \
        REAL(name, int, int, size_type);                                             \
        if (!is_due(TRUNCATE, file)) return real(file, size);                        \
        errno = (int)plan()->error;                                                  \
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
    ssize_t some = admitted(file, bytes);
    return some < 0 ? -1 : real(file, from, (size_t)some);
}

ssize_t read(int file, void *into, size_t bytes) {
    REAL(read, ssize_t, int, void *, size_t);
    if (!is_due(READ, file)) return real(file, into, bytes);
    errno = (int)plan()->error;
    return -1;
}
