/* measure [-t SECONDS] [-o FILE] [--] COMMAND...: runs a command with its standard
 * output written to FILE, or thrown away, and prints one line
 *
 *     WALL-SECONDS CPU-SECONDS PEAK-KIB STATUS
 *
 * about the whole process: peak is its largest resident set, STATUS its exit status,
 * `limit` when it was ended after SECONDS, or `signal N`. Exits 0 when it measured.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t child;
static volatile sig_atomic_t reached_limit;

static void end_child(int signal_number)
{
    (void)signal_number;
    reached_limit = 1;
    kill((pid_t)child, SIGKILL);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static pid_t start(char **command, const char *output)
{
    pid_t made = fork();
    if (made == 0) {
        int nowhere = open("/dev/null", O_RDONLY);
        int into = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (nowhere < 0 || into < 0) {
            perror(output);
            _exit(127);
        }
        dup2(nowhere, STDIN_FILENO);
        dup2(into, STDOUT_FILENO);
        execvp(command[0], command);
        perror(command[0]);
        _exit(127);
    }
    return made;
}

static void print(double wall, int status, const struct rusage *used)
{
    printf("%.4f %.4f %ld ", wall, seconds_of(used->ru_utime) + seconds_of(used->ru_stime),
           used->ru_maxrss);
    if (reached_limit)
        puts("limit");
    else if (WIFSIGNALED(status))
        printf("signal %d\n", WTERMSIG(status));
    else
        printf("%d\n", WEXITSTATUS(status));
}

int main(int argc, char **argv)
{
    unsigned limit = 0;
    const char *output = "/dev/null";
    int status, option;
    struct rusage used;
    while ((option = getopt(argc, argv, "+t:o:")) != -1)
        if (option == 't')
            limit = (unsigned)strtoul(optarg, NULL, 10);
        else if (option == 'o')
            output = optarg;
    if (optind >= argc) {
        fputs("usage: measure [-t SECONDS] [-o FILE] COMMAND...\n", stderr);
        return 2;
    }
    double begun = now();
    child = start(argv + optind, output);
    struct sigaction action = {.sa_handler = end_child};
    sigaction(SIGALRM, &action, NULL);
    alarm(limit);
    while (waitpid((pid_t)child, &status, 0) < 0)
        if (errno != EINTR)
            return 1;
    double wall = now() - begun;
    alarm(0);
    getrusage(RUSAGE_CHILDREN, &used);
    print(wall, status, &used);
    return 0;
}
