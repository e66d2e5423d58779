"""trees.py PARSERS WORK: the tree-sitter grammars, as generated in PARSERS (editors/tree-sitter.sh), compiled in WORK with Debian's
library: all tests and models have no node that is an error, and the trees of test/corpus are as they are told there."""
import glob
import os
import re
import subprocess
import sys

parsers, work = sys.argv[1:]
passed = failed = 0


def squeeze(tree):
    """Without blanks that mean nothing, and without names of fields."""
    tree = re.sub(r'\b[a-z_]+: ', '', re.sub(r'\s+', ' ', tree)).strip()
    return re.sub(r' \)', ')', tree)


def cases(path):
    """(name, text, tree), as tree-sitter writes its tests: a name between lines of '=', a text, '---', a tree."""
    with open(path) as file:
        parts = re.split(r'^=+\n(.*)\n=+\n', file.read(), flags=re.M)[1:]
    for name, body in zip(parts[::2], parts[1::2]):
        text, _, tree = body.partition('\n---\n')
        yield name, text.lstrip('\n') + '\n', tree


def holds(right, what):
    global passed, failed
    passed += right
    failed += not right
    if not right:
        print('failed:', what)


FILES = {'litmus': ['litmus/*/*.litmus', 'models/definitions/*.def', 'litmus/*/*.def'],
         'cat': ['models/*.cat', 'models/*/*.cat', 'litmus/*/*.cat', 'litmus/*/*.bell']}
for name, patterns in FILES.items():
    program = os.path.join(work, 'tree-' + name)
    source = os.path.join(parsers, name, 'src')
    subprocess.run(['cc', '-O1', '-DLANGUAGE=tree_sitter_crashlit_' + name, '-I', source, '-o', program,
                    'tests/editors/tree.c', os.path.join(source, 'parser.c'), '-ltree-sitter'], check=True)
    files = sorted(sum((glob.glob(p) for p in patterns), []))
    ended = subprocess.run([program] + files, stdout=subprocess.PIPE, text=True)
    *said, last = ended.stdout.splitlines()
    good, bad = re.fullmatch(r'(\d+) passed, (\d+) failed', last).groups()
    passed, failed = passed + int(good), failed + int(bad)
    print('\n'.join(said), end='\n' if said else '')
    holds(len(files) > 20, 'there are files for %s' % name)
    # What is no test is no tree without faults.
    broken = subprocess.run([program, '-'], input='{ ( ]', stdout=subprocess.PIPE, text=True).stdout
    holds('ERROR' in broken or 'MISSING' in broken, '%s: brackets that do not match are a fault' % name)
    for corpus in sorted(glob.glob('editors/tree-sitter-crashlit-%s/test/corpus/*.txt' % name)):
        for case, text, tree in cases(corpus):
            found = subprocess.run([program, '-'], input=text, stdout=subprocess.PIPE, text=True).stdout
            holds(squeeze(found) == squeeze(tree), '%s: %s: found %s, expected %s' % (name, case, squeeze(found), squeeze(tree)))
print('%d passed, %d failed' % (passed, failed))
sys.exit(failed > 0)
