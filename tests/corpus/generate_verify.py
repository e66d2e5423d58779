#!/usr/bin/env python3
"""generate_verify.py: are generated tests minimal?

Reads tests of `crashlit generate --comprehensive`, in OPENCL, with plain accesses and SPB's barriers. Of each
condition, and of each thing that could be less, it writes a test: a line gone, a barrier of the work-group that is
the work-item's, a location volatile, an atom of the condition gone. Works on lines of text alone and knows nothing of
how the tests were made. crashlit has to say of each that its condition is violated, or that it is undefined.

usage: generate_verify.py CRASHLIT TESTS FOLDER VISIBILITY PERSISTENCY   last line: N passed, N failed
"""
import os
import re
import subprocess
import sys


def read_tests(path):
    tests, lines = [], open(path).read().split('\n')
    for line in lines:
        if re.match(r'OPENCL \S+$', line):
            tests.append([])
        if tests:
            tests[-1].append(line)
    return tests


def owner_of(lines, at):
    """The work-item whose program has the line."""
    while not lines[at].startswith('P'):
        at -= 1
    return int(re.match(r'P(\d+)', lines[at]).group(1))


def is_statement(line):
    return line.startswith('  ')


def drop_atoms(condition, unwanted):
    head, atoms = re.match(r'(.*?) \((.*)\)$', condition).groups()
    kept = [atom for atom in atoms.split(' /\\ ') if not unwanted(atom)]
    return '%s (%s)' % (head, ' /\\ '.join(kept) or 'true')


def registers_of(lines, location):
    """Registers that are read from it, as conditions call them."""
    return ['%d:%s' % (owner_of(lines, i), m.group(1)) for i, line in enumerate(lines)
            for m in [re.match(r'  int (r\d+) = \*(\w+);$', line)] if m and m.group(2) == location]


def without(lines, at, condition):
    """The test without a statement; barriers of a group go for all who meet there."""
    gone, owner = [at], owner_of(lines, at)
    written, read = re.match(r'  \*(\w+) = (\d+);$', lines[at]), re.match(r'  int (r\d+) =', lines[at])
    if written:
        location, value = written.groups()
        names = registers_of(lines, location) + [location]
        condition = drop_atoms(condition, lambda atom: atom in ['%s = %s' % (n, value) for n in names])
    elif read:
        condition = drop_atoms(condition, lambda atom: atom.startswith('%d:%s =' % (owner, read.group(1))))
    elif 'wg' in lines[at]:
        gone = met(lines, at)
    # An end tells that what is before it was executed, where that is no access.
    for i, line in enumerate(lines):
        before = i - 1
        while before in gone:
            before -= 1
        if 'ended' in line and 'barrier' not in lines[before]:
            gone = gone + [i]
            owned = '%d:ended' % owner_of(lines, i)
            condition = drop_atoms(condition, lambda atom, owned=owned: atom.startswith(owned))
    kept = [line for i, line in enumerate(lines) if i not in gone]
    used = {w for line in kept if is_statement(line) for w in re.findall(r'\*(\w+)', line)}
    condition = drop_atoms(condition, lambda atom: ':' not in atom and atom.split()[0] not in used)
    return kept, condition


def met(lines, at):
    """The barriers with the same words that are as far on among those of their work-item."""
    same = [i for i, line in enumerate(lines) if line == lines[at]]
    turn = [i for i in same if owner_of(lines, i) == owner_of(lines, at)].index(at)
    owners = sorted({owner_of(lines, i) for i in same})
    return [[i for i in same if owner_of(lines, i) == o][turn] for o in owners]


def weaker_tests(lines, condition):
    """Program and condition of each."""
    for i, line in enumerate(lines):
        if not is_statement(line) or 'ended' in line:
            continue
        yield without(lines, i, condition)
        if 'p_barrier(wg_scope)' in line:
            group = met(lines, i)
            yield [other.replace('wg_scope', 'wi_scope') if j in group else other
                   for j, other in enumerate(lines)], condition
    for location in re.findall(r'nvm (\w+) = 0', '\n'.join(lines)):
        yield ([line.replace('nvm %s =' % location, '%s =' % location) for line in lines],
               drop_atoms(condition, lambda atom: atom.startswith(location + ' =')))
    for atom in re.match(r'.*? \((.*)\)$', condition).group(1).split(' /\\ '):
        yield lines, drop_atoms(condition, lambda a: a == atom)


def write_weaker(tests, folder):
    os.makedirs(folder, exist_ok=True)
    count = 0
    for lines in tests:
        conditions = [line for line in lines if line.startswith(('crash', 'final'))]
        program = [line for line in lines if line and line not in conditions and not line.startswith('expect')]
        for condition in conditions:
            for weaker, weaker_condition in weaker_tests(program, condition):
                # Nothing left to say: all of it is allowed.
                if not any(is_statement(line) for line in weaker):
                    continue
                count += 1
                name = '%s-w%05d' % (weaker[0].split()[1], count)
                text = ['OPENCL ' + name] + weaker[1:] + [weaker_condition, '']
                with open(os.path.join(folder, name + '.litmus'), 'w') as file:
                    file.write('\n'.join(text))
    return count


def main():
    crashlit, tests, folder, visibility, persistency = sys.argv[1:]
    count = write_weaker(read_tests(tests), folder)
    answer = subprocess.run([crashlit, 'check', '--format', 'herd', '-v', '-m', visibility, '-p', persistency, '-j', '2', folder],
                            stdout=subprocess.PIPE, text=True, check=False).stdout
    verdicts = re.findall(r'^Verdict (\S+) (\w+)', answer, re.M)
    wrong = [name for name, verdict in verdicts if verdict not in ('violated', 'undefined')]
    for name in wrong:
        print('%s/%s.litmus: expected violated or undefined' % (folder, name))
    failed = len(wrong) + count - len(verdicts)
    print('%d passed, %d failed' % (count - failed, failed))
    return failed > 0 or count == 0


sys.exit(main())
