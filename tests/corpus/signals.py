"""signals.py WORK COUNT: a signal ends every command, whatever it is at.

Each command of ask_commands.def is started on something that takes long, or whose output nobody takes, gets SIGTERM or
SIGINT after a moment that a seed chooses, and has to leave, by the signal or with 128 and its number, within LIMIT seconds and with no
process of its own left. A second is what it should take; the longest is printed, as a machine that is busy has others to
wait for. A case whose command ended before the signal counts as nothing; one that always does is a failure.
"""
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, 'tests/editors')
from client import Tally, alive, frame

CRASHLIT = os.environ['CRASHLIT']
LIMIT = 5  # seconds


def write(path, text):
    with open(path, 'w') as file:
        file.write(text)
    return path


def contended(threads, stores):
    """Work-items that all store to the same locations: more executions than any engine ends with."""
    names = ['global int* x', 'global int* y', 'global int* z']
    text = 'OPENCL contended\n{ nvm x = 0; nvm y = 0; nvm z = 0; }\n'
    for thread in range(threads):
        body = ' '.join('*%s = %d; p_barrier_wi();' % ('xyz'[(thread + i) % 3], thread * stores + i + 1) for i in range(stores))
        text += 'P%d@wg %d (%s) { %s int r = *x; }\n' % (thread, thread, ', '.join(names), body)
    return text + 'crash ~exists (x = 1 /\\ y = 2 /\\ z = 3)\nexists (0:r = 7 /\\ x = 1)\n'


def opened(text):
    content = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}', \
        '{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///none/a.litmus",' \
        '"languageId":"litmus","version":1,"text":%s}}}' % json.dumps(text), \
        '{"jsonrpc":"2.0","id":2,"method":"workspace/executeCommand","params":{"command":"crashlit.check",' \
        '"arguments":["file:///none/a.litmus"]}}'
    return b''.join(frame(part.encode()) for part in content)


def inputs(work):
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work + '/many')
    long = write(work + '/long.litmus', contended(8, 6))
    small = 'OPENCL small\n{ nvm x = 0; }\nP0 (global int* x) { *x = 1; }\ncrash exists (x = 1)\n'
    write(work + '/small.litmus', small)
    os.mkfifo(work + '/fifo')
    write(work + '/list', 'small.litmus\n' * 60000)
    for i in range(2000):
        write('%s/many/%d.litmus' % (work, i), small)
    write(work + '/known.csv', ''.join('many/%d.litmus,0\n' % i for i in range(2000)) + 'long.litmus,0\n')
    with open(long, encoding='utf-8') as file:
        write(work + '/blessed.litmus', file.read() + '\nexpect hrf-direct + epoch : violated\n')
    record = subprocess.run([CRASHLIT, 'check', '-m', 'sc', '-p', 'epoch', '--format', 'json', work + '/small.litmus'],
                            capture_output=True, text=True, check=False).stdout
    write(work + '/old.jsonl', ''.join(record.replace('small.litmus', '%d.litmus' % i) for i in range(60000)))
    write(work + '/new.jsonl', ''.join(record.replace('small.litmus', '%d.litmus' % i) for i in range(30000, 90000)))
    return long


def cases(work):
    """Command lines of each command, and what comes on standard input: bytes, then nothing more, and no end."""
    long, pair = inputs(work), ['-m', 'hrf-direct', '-p', 'epoch']
    stream = ''.join(contended(2, 1).replace('contended', 't%d' % i) for i in range(5000)).encode()
    slots = 'tests/bench/place/twelve-slots.litmus'
    return {
        'check': [(['-e', engine, '--states', *pair, long], b'') for engine in ('enum', 'smt', 'auto', 'all')] + [
            (['-e', 'machine', '--machine', 'nvw-fifo', long], b''), (['-j', '2', '@' + work + '/list'], b''), (['-'], b''),
            (['-'], stream), (['--format', 'html', work + '/many'], b''),
            (['--resume', work + '/old.jsonl', long], b''), (['/dev/stdin'], b''), (['@/dev/stdin'], b''),
            (['--resume', '/dev/stdin', long], b''), (['--format', 'json=' + work + '/fifo', long], b'')],
        'crosscheck': [([*pair, long], b''), (['-'], b'')],
        'explain': [([*pair, long], b''), (['-'], b'')],
        'refines': [([long, '--under', 'hrf-direct+epoch', '--under', 'hrf-direct+strict', long], b'')],
        'place': [(['--repair', *pair, long], b''), (['/dev/stdin'], b''), (['--cheapest', '--weights', '/dev/stdin', slots], b'')],
        'generate': [(['--bound', 'events=8,threads=3', '--vocabulary', 'spb'], b''),
                     (['--bound', 'events=8,threads=3', '--format', 'json', '-j', '2'], b''),
                     (['--comprehensive', 'hrf-direct+epoch', '--bound', 'events=7,threads=3', '-j', '2'], b''),
                     (['--shape-from', 'PodWW PodWR PodRW PodRR Rfe Fre Wse PBwg PBwi Crash', '--size', '9'], b''),
                     (['--shape-from', 'PodWW PodWR PodRW PodRR Rfe Fre Wse Crash', '--size', '7', '-o', work + '/suite'], b''),
                     (['--resume', '/dev/stdin', '--bound', 'events=2'], b'')],
        'compare': [(['--models', 'hrf-direct+epoch,sc+strict', '--states', long], b''), (['--models', 'sc+epoch,sc+strict', '-'], b'')],
        'distinguish': [(['--bound', 'events=8', '-j', '2', 'hrf-direct', 'hrf-indirect'], b''),
                        (['--bound', 'events=8', '-o', work + '/told', 'epoch', 'buffered-epoch'], b''),
                        (['--resume', '/dev/stdin', 'epoch', 'strict'], b'')],
        'lattice': [(['--bound', 'events=7', '-j', '2'], b''), (['--bound', 'events=7', 'epoch', 'strict'], b''),
                    (['--resume', '/dev/stdin', 'epoch', 'strict'], b'')],
        'mutate': [(['-m', 'hrf-direct', 'epoch', long], b''), (['-m', 'sc', 'epoch', '/dev/stdin'], b'')],
        'review': [(['-m', 'hrf-direct', 'epoch', 'strict', long], b''), (['-m', 'sc', 'epoch', 'strict', '/dev/stdin'], b'')],
        'hw': [(['run', '--launches', '100000', 'litmus/ptx/sb-membar.litmus'], b'')],
        'list': [(['@/dev/stdin'], b'')], 'bless': [(['--dry-run', work + '/blessed.litmus'], b'')],
        'report': [([work + '/old.jsonl'], b''), (['/dev/stdin'], b'')],
        'merge': [([work + '/old.jsonl', work + '/new.jsonl'], b''), (['/dev/stdin'], b''),
                  ([work + '/old.jsonl', '--manifest', '@/dev/stdin'], b'')],
        'diff': [([work + '/old.jsonl', work + '/new.jsonl'], b''), ([work + '/old.jsonl', '/dev/stdin'], b'')],
        'peers': [(['--expected', work + '/known.csv', '-e', 'smt', '-p', 'epoch', work], b''), (['--expected', '/dev/stdin', work], b'')],
        'models': [], 'cite': [], 'machines': [(['/dev/stdin'], b'')], 'mappings': [(['/dev/stdin'], b'')],
        'map': [(['/dev/stdin', long], b''), (['spb-gpm', '/dev/stdin'], b'')],
        'trace': [(['--machine', 'nvw-fifo', '--condition', '1', long], b'')],
        'lesson': [(['1', '/dev/stdin'], b'')],
        'lsp': [([], b''), ([], opened(contended(8, 6)))], 'help': [], 'version': [],
    }


def spoken(work):
    """A command line of each command that prints something at once."""
    some = ['-m', 'sc', '-p', 'epoch', work + '/small.litmus']
    records = [work + '/old.jsonl', work + '/new.jsonl']
    shape = ['--shape-from', 'PodWW PodWR PodRW PodRR Rfe Fre Wse Crash', '--size', '7']
    return {
        'check': [some, ['-j', '2', *some[:4], work + '/many'], ['--format', 'html', *some], ['--format', 'junit', *some[:4], work + '/many']],
        'crosscheck': [some], 'explain': [some], 'trace': [['--condition', '1', work + '/small.litmus']],
        'refines': [[work + '/small.litmus', '--under', 'sc+epoch', '--under', 'sc+strict', work + '/small.litmus']],
        'place': [['--narrow', 'litmus/spb/fig4.litmus', '-m', 'sc', '-p', 'epoch']],
        'generate': [['--bound', 'events=4'], ['--bound', 'events=6', '--format', 'json', '-j', '2'], shape],
        'compare': [['--models', 'sc+epoch,sc+strict', work + '/small.litmus']],
        'distinguish': [['epoch', 'strict'], ['--bound', 'events=6', '--format', 'json', 'epoch', 'buffered-epoch']],
        'lattice': [['--bound', 'events=2', 'epoch', 'strict'], ['--bound', 'events=6', '--format', 'json']],
        'mutate': [['-m', 'sc', 'buffered-strict', work + '/small.litmus']], 'list': [[work + '/many']],
        'review': [['-m', 'sc', '--bound', 'events=2', 'epoch', 'strict', work + '/small.litmus']],
        'hw': [['run', '--launches', '4', 'litmus/ptx/sb-membar.litmus']],
        'bless': [['--dry-run', *some]], 'report': [records[:1]], 'merge': [records[:1]], 'diff': [records], 'peers': [['--expected', work + '/known.csv', work]], 'models': [['-v']], 'cite': [['epoch']],
        'machines': [['-v']], 'mappings': [['-v']], 'map': [['spb-gpm', 'litmus/spb/fig4.litmus']], 'help': [[]],
        'version': [['-v']], 'lsp': [[]], 'lesson': [[]],
    }


def known_by_then(work):
    """A command line of each search that does not end, and what it has to say when it is ended, once it knows something. Under epoch
    x and y of one work-item are durable in any order, under strict in that of the program: a test of two operations tells that."""
    small, long, wide = work + '/small.litmus', work + '/long.litmus', ['--bound', 'events=8']
    open_end = 'did not come to its end'
    return {
        'distinguish': (['-j', '2', *wide, 'epoch', 'strict'], ['sc + epoch allows what sc + strict does not', open_end, '--from ']),
        'distinguish --format json': (['--format', 'json', *wide, 'epoch', 'strict'], ['"ended":false', '"found":"yes"']),
        'lattice': ([*wide, 'epoch', 'strict'], ['  1: x', open_end]),
        'mutate': (['-m', 'sc', *wide, 'epoch', small], ['Alive: ', 'the run was interrupted', 'Summary: ']),
        'mutate -j 2': (['-j', '2', '-m', 'sc', *wide, 'epoch', small], ['Alive: ', 'the run was interrupted', 'Summary: ']),
        'review': (['-m', 'sc', *wide, 'epoch', 'strict', small], ['sc + epoch allows what sc + strict does not', open_end]),
        'review of tests': (['-j', '2', '-m', 'sc', *wide, 'epoch', 'strict', small, long], ['of 1 verdict ', 'long.litmus: the run was interrupted', open_end]),
    }


def full_pipe():
    """Nobody reads it, and there is no room in it."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while True:
            os.write(writing, b'.' * 4096)
    except BlockingIOError:
        pass
    os.set_blocking(writing, True)
    return reading, writing


class Attempt:
    """A command that is started, gets a signal, and is looked at."""

    def __init__(self, line, given, out, number, delay):
        self.process = subprocess.Popen([CRASHLIT, *line], stdin=subprocess.PIPE, stdout=out[0], stderr=out[1],
                                        start_new_session=True)
        self.feed(given, delay)
        self.early = self.process.poll() is not None
        start = time.monotonic()
        self.process.send_signal(number)
        self.ended = self.wait(start)
        self.seconds = time.monotonic() - start
        self.alone = self.is_alone(start)
        self.process.stdin.close()
        self.status = self.process.returncode

    def feed(self, given, delay):
        end = time.monotonic() + delay
        os.set_blocking(self.process.stdin.fileno(), False)
        while time.monotonic() < end:
            try:
                given = given[os.write(self.process.stdin.fileno(), given):] if given else given
            except BlockingIOError:
                pass
            except BrokenPipeError:
                given = b''
            time.sleep(0.01)

    def wait(self, start):
        try:
            self.process.wait(LIMIT)
            return True
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return False

    def is_alone(self, start):
        while alive(self.process.pid) and time.monotonic() < start + LIMIT:
            time.sleep(0.01)
        left = alive(self.process.pid)
        for process in left:
            os.kill(process, signal.SIGKILL)
        return not left


class Signals:
    def __init__(self, count):
        self.tally, self.rng, self.count, self.longest = Tally(), random.Random(1), count, (0, '')

    def meet(self, line, given, out, number, delay):
        """The sooner, the oftener it had ended by itself: how long it takes is the machine's."""
        for _ in range(6):
            attempt = Attempt(line, given, out, number, delay)
            if not attempt.early:
                break
            delay /= 4
        return attempt

    def judge(self, line, given, out, what, lasting=True):
        """`lasting`: it does not end by itself."""
        met = False
        for _ in range(self.count):
            number = self.rng.choice((signal.SIGTERM, signal.SIGINT))
            attempt = self.meet(line, given, out, number, self.rng.uniform(0, 0.4 if lasting else 0.2))
            if attempt.early:
                continue
            met = True
            self.longest = max(self.longest, (attempt.seconds, what))
            self.tally.holds(attempt.ended, '%s: %s ends it within %d s' % (what, number.name, LIMIT))
            own = not lasting and 0 <= attempt.status < 128
            self.tally.holds(not attempt.ended or own or attempt.status in (-number, 128 + number),
                             '%s: %s shows in the status' % (what, number.name), attempt.status)
            self.tally.holds(attempt.alone or not attempt.ended, '%s: no process is left after %s' % (what, number.name))
        self.tally.holds(met or not lasting, '%s: it is still there at the signal' % what)


def tells(line, wanted, number, seconds):
    """What it printed, if it left as it should."""
    process = subprocess.Popen([CRASHLIT, *line], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(seconds)
    process.send_signal(number)
    out, err = process.communicate()
    return process.returncode in (-number, 128 + number) and 'interrupted; what was answered by then is printed' in err \
        and all(text in out for text in wanted), out[-300:] + err[-300:]


def judge_known(tally, work):
    """The later, the more is known: how soon that is is the machine's."""
    for number, (what, (arguments, wanted)) in enumerate(known_by_then(work).items()):
        signal_sent, good = (signal.SIGTERM, signal.SIGINT)[number % 2], False
        for seconds in (0.5, 1, 2, 4, 8, 16, 32):
            good, said = tells([what.split()[0], *arguments], wanted, signal_sent, seconds)
            if good:
                break
        tally.holds(good, '%s: what is known at %s is told' % (what, signal_sent.name), said)


def main(work, count):
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)  # in the background of a shell SIGINT is ignored, and what is started inherits that
    signals = Signals(count)
    known, said = cases(work), spoken(work)
    with open('src/ask/ask_commands.def') as file:
        commands = re.findall(r'^COMMAND\(\w+, "(\w+)"', file.read(), re.M)
    signals.tally.same(sorted(known), sorted(commands), 'each command has cases')
    signals.tally.same(sorted(said), sorted(commands), 'each command has a case of output that nobody reads')
    judge_known(signals.tally, work)
    reading, writing = full_pipe()
    for command in commands:
        for arguments, given in known.get(command, []):
            signals.judge([command, *arguments], given, (subprocess.DEVNULL, subprocess.DEVNULL), ' '.join([command, *arguments]))
        for arguments in said.get(command, []):
            given = opened('') if command == 'lsp' else b''
            for out, err, where in ((writing, subprocess.DEVNULL, '| nobody'), (subprocess.DEVNULL, writing, '2>&1 | nobody')):
                signals.judge([command, *arguments], given, (out, err), ' '.join([command, *arguments, where]), err is not writing)
    print('the longest that an end took: %.2f s (%s)' % (signals.longest[0], signals.longest[1].replace(work + '/', '')))
    signals.tally.end()


main(os.path.abspath(sys.argv[1]), int(sys.argv[2]))
