#!/usr/bin/env python3
"""tex.py CRASHLIT WORK: what --format tex writes, read by a reader of its own and, where there is pdflatex, by that.

The reader knows the part of LaTeX that crashlit writes: groups, environments, commands by name, nodes and paths of
TikZ, rows of tables. It refuses anything else, so a sign of a test that LaTeX would take for itself is refused.
Last line: N passed, N failed.
"""
import os
import re
import shutil
import subprocess
import sys

import tex_back

CRASHLIT, WORK = os.path.abspath(sys.argv[1]), sys.argv[2]
COMMANDS = set('''\\ { } $ & # _ % ( ) ttfamily char textasciigrave textquotesingle surd bullet times node path
    begin end crashlitend ifdefined else fi raggedright crashlittitles textbf texttt small item subsection mbox frenchspacing toprule
    midrule bottomrule crashlitfit allowbreak
    multicolumn hline def arraystretch wedge vee neg exists forall
    crashlitsection label ref medskip noindent par footnote crashlitname crashlitset cup cap mathbin setminus emptyset
    mathcal mathrm'''.split()) | {' ', '-', ',', '!'}
TOKEN = re.compile(r'\\(?:[A-Za-z]+\*?|.)|.', re.S)
passed = failed = 0


def verdict(good, what):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print(f'FAILED: {what}')


class Fault(Exception):
    pass


def head_of(text):
    """What stands before the contents: its styles. The rest follows."""
    styles = {}
    lines = text.split('\n')
    begun = False
    if '\n\\binoppenalty' in text:
        return styles, text.split('\n\\binoppenalty', 1)[1].split('\n', 1)[1]
    for number, line in enumerate(lines):
        found = re.fullmatch(r'\\crashlitstyle\{([^}]*)\}\{(.*)\}', line)
        if found:
            styles[found[1]] = found[2]
        elif begun and not line.startswith('\\def\\crashlit'):
            return styles, '\n'.join(lines[number:])
        begun |= line.startswith('\\def\\crashlitfit')
    raise Fault('no contents')


def check_styles(names, styles):
    for name in re.findall(r'crashlit ([a-z0-9 -]+)', names):
        if name.strip() not in styles:
            raise Fault(f'no style {name}')


def read(text):
    """Facts of a document: how often each style is a path's, the titles, the rows of tables. Raises Fault."""
    if not text.endswith('\\crashlitend\n'):
        raise Fault('it does not end')
    styles, body = head_of(text)
    paths, rows, open_ones, groups, cells = {}, [], [], 0, None
    for found in re.finditer(r'\\(path|node)\[([^\]]*)\]', body):
        check_styles(found[2], styles)
        first = re.match(r'crashlit ([a-z0-9 -]+)', found[2])[1]
        for name in re.findall(r'crashlit ([a-z0-9 -]+)', found[2]) if found[1] == 'path' else [first]:
            paths[name.strip()] = paths.get(name.strip(), 0) + 1
    for found in re.finditer(r'\\(begin|end)\{([a-z]+)\}', body):
        if found[1] == 'begin':
            open_ones.append(found[2])
        elif not open_ones or open_ones.pop() != found[2]:
            raise Fault(f'end of {found[2]} in another')
    if open_ones:
        raise Fault(f'{open_ones[-1]} does not end')
    tables = re.findall(r'\\begin\{tabular\}\{([l|]+)\}(.*?)\\end\{tabular\}', body, re.S)
    body = re.sub(r'\\begin\{tabular\}\{[l|]+\}', r'\\begin{tabular}', body)
    tabular = formula = False
    for found in TOKEN.finditer(body):
        token = found[0]
        tabular = body.startswith('\\begin{tabular}', found.start()) or (
            tabular and not body.startswith('\\end{tabular}', found.start()))
        formula = token == '\\(' or formula and token != '\\)'
        if token == '{':
            groups += 1
        elif token == '}':
            groups -= 1
            if groups < 0:
                raise Fault('a brace too many')
        elif token.startswith('\\') and len(token) > 1:
            if token[1:].rstrip('*') not in COMMANDS:
                raise Fault(f'{token} is no command here')
        elif token in '$#%^_~"<>|' and not (formula and body.startswith('^{', found.start())) or token == '&' and not tabular or ord(token) >= 0x180:
            raise Fault(f'{token!r} stands by itself')
        elif token < ' ' and token != '\n':
            raise Fault('a control character')
    if groups:
        raise Fault('a brace too few')
    for table in tables:
        for line in table[1].split('\\\\\n'):
            line = re.sub(r'^(\\(toprule|midrule|bottomrule|hline|fi|ifdefined\\crashlittitles)\n)*', '', line.lstrip('\n'))
            if line.strip():
                rows.append([re.sub(r'\\textbf|\\small|[{}]', '', cell) for cell in line.split(' & ')])
                if len(rows[-1]) > table[0].count('l'):
                    raise Fault('a row is longer than its table')
    return paths, rows


def written(*words, statuses=(0, 1, 3)):
    done = subprocess.run([CRASHLIT, *words], capture_output=True)
    verdict(done.returncode in statuses, f'{" ".join(words)}: status {done.returncode}: {done.stderr[:200]}')
    return done.stdout.decode()


def compiles(name, text, narrow=False):
    """`narrow`: nothing is wider than the page."""
    if not shutil.which('pdflatex'):
        return
    folder = os.path.join(WORK, 'pdf')
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name + '.tex'), 'w') as out:
        out.write(text)
    for _ in range(2):
        done = subprocess.run(['timeout', '60', 'pdflatex', '-interaction=nonstopmode', '-halt-on-error', name + '.tex'],
                              cwd=folder, capture_output=True)
        log = done.stdout.decode('latin-1')
        if 'Rerun' not in log:
            break
    verdict(done.returncode == 0, f'pdflatex reads {name}: {log[-400:]}')
    verdict('Warning' not in log, f'pdflatex warns of {name}: {log[-400:]}')
    verdict(not narrow or 'Overfull' not in log, f'{name} fits: {log[-400:]}')


def facts_of(name, text):
    try:
        facts = read(text)
    except Fault as fault:
        facts = {}, []
        verdict(False, f'{name}: {fault}')
    else:
        verdict(True, name)
    if len(text) < 200000:
        compiles(name, text)
    return facts


def write(name, text):
    path = os.path.join(WORK, name)
    with open(path, 'w', encoding='utf-8') as out:
        out.write(text)
    return path


def pictures():
    # Two writes to NVRAM and no barrier: the first is lost, the second durable, as both initial writes are. One po.
    paths, _ = facts_of('lost', written('-m', 'sc', '-p', 'none', '-f', 'tex', 'litmus/spb/kv-insert-bare.litmus'))
    verdict({name: paths.get(name) for name in ('event', 'lost', 'durable', 'nvm', 'po', 'cut', 'rf')} ==
            {'event': 4, 'lost': 1, 'durable': 3, 'nvm': 4, 'po': 1, 'cut': 1, 'rf': None}, f'facts of lost: {paths}')
    # The near miss of `explain`: the lost write had to be durable before the other, under either rule.
    paths, _ = facts_of('miss', written('explain', '-m', 'sc', '-p', 'strict', '-f', 'tex',
                                        'litmus/spb/kv-insert-bare.litmus'))
    verdict(paths.get('halo', 0) == 2, f'two events are marked: {paths}')
    # A run: two stores, the second leaves L1, then L2, then is durable: five rows behind the start. Parts that change: two
    # caches, a FIFO of the scope, one beside each cache, what is under way, and NVRAM, which alone survives.
    paths, _ = facts_of('run', written('trace', '-f', 'tex', '--machine', 'nvw-fifo', 'litmus/spb/kv-insert-bare.litmus'))
    verdict({name: paths.get(name) for name in ('what', 'lane', 'survives', 'cut')} ==
            {'what': 6, 'lane': 7, 'survives': 1, 'cut': 1}, f'facts of a run: {paths}')
    # Nothing can be added to the one store that makes it durable before it is: words of several lines, which in a paper are
    # its own, each line one, and are no wider than a page.
    text = written('explain', '-m', 'sc', '-p', 'none', '-f', 'tex', 'litmus/spb/kv-insert-bare.litmus')
    facts_of('words', text)
    own = re.search(r'\\else\n\\par(.*?)\n\\fi\n', text, re.S)
    verdict(own and own[1].count('\\\\{}') > 1 and 'tikzpicture' not in own[1], f'words of a paper: {text[-900:]}')
    compiles('paper-words', '\\documentclass{article}\\usepackage{tikz}\\begin{document}\n' + text + '\\end{document}\n', narrow=True)
    facts_of('never', written('trace', '-f', 'tex', '--machine', 'nvw-fifo', 'litmus/spb/kv-insert.litmus'))
    facts_of('spb', written('-f', 'tex', '--filter', 'fig4*', '--filter', 'btree-alg1*', 'litmus/spb'))
    facts_of('recovery', written('-f', 'tex', '--filter', 'log-*', 'litmus/recovery'))


def hostile():
    # Every sign that LaTeX knows, in a name and where only a comment may have it; a name and a location too long.
    signs = ('OPENCL odd-$&#_%^~<>|{}\\--\'`é✓\n{ nvm x_1 = 0; nvm y = 0; }\n'
             'P0@wg 0 (global int* x_1, global int* y) { *x_1 = 1; *y = 1 /* 50% $5 #1 ~^\\ & {} */; }\n'
             'crash ~exists (x_1 = 0 /\\ y = 1)\n')
    facts_of('signs', written('-m', 'sc', '-p', 'none', '-f', 'tex', write('signs.litmus', signs), statuses=(0, 1, 2)))
    long = 'n' * 40000
    test = 'OPENCL {0}\n{{ nvm {1} = 0; }}\nP0 (global int* {1}) {{ *{1} = 1; }}\ncrash exists ({1} = 1)\n'
    facts_of('long', written('-f', 'tex', write('long.litmus', test.format(long, 'x'))))
    paths, _ = facts_of('wide', written('-f', 'tex', write('wide.litmus', test.format('wide', long[:4000]))))
    verdict('event' not in paths, 'what is too large for LaTeX is told in words')


def documents():
    # Rows: a head and two tests, a pair a column.
    _, rows = facts_of('compare', written('compare', '--models', 'epoch,buffered-epoch', '-f', 'tex',
                                          'litmus/spb/kv-insert.litmus', 'litmus/spb/fig4-collective-released.litmus'))
    verdict([len(row) for row in rows] == [3, 3, 3] and rows[1][0] == 'kv-insert',
            f'rows of compare: {rows}')
    paths, rows = facts_of('lattice', written('lattice', '-f', 'tex', 'epoch', 'buffered-epoch', 'none'))
    verdict([len(row) for row in rows] == [4, 4, 4, 4], f'rows of lattice: {rows}')
    # To buffer only adds states; a barrier that not all come to is undefined under both, and none knows no barrier.
    verdict([paths.get(name) for name in ('class', 'order', 'open order', 'label')] == [3, 1, None, 1],
            f'the picture of a lattice: {paths}')
    paths, _ = facts_of('open', written('lattice', '-f', 'tex', '--timeout', '0.001', 'epoch', 'buffered-epoch'))
    facts_of('distinguish', written('distinguish', '-f', 'tex', 'buffered-epoch', 'none'))
    facts_of('repair', written('place', '--repair', '-m', 'hrf-direct', '-p', 'epoch', '-f', 'tex',
                               'litmus/spb/kv-insert-bare.litmus'))


def listings():
    # Name, title and initial state; heads; of P0 five statements, two of them on one line of the file; two conditions.
    _, rows = facts_of('listing', written('list', '-f', 'tex', 'litmus/spb/fig4.litmus'))
    verdict([len(row) for row in rows] == [1] * 3 + [3] * 6 + [1] * 2 and rows[5][0].endswith('*Y\\ =\\ 1;') and
            '\\(\\neg\\exists\\)\\,(Y=0)' in rows[10][0], f'rows of a listing: {rows}')
    # A row of a table for each of its own; of compiled code the file, the initial state, and the launch in one column.
    _, rows = facts_of('columns', written('list', '-f', 'tex', 'litmus/ptx/atom-count.litmus'))
    verdict([len(row) for row in rows] == [1] * 3 + [2] * 2 + [1], f'rows of a table of instructions: {rows}')
    _, rows = facts_of('launch', written('list', '-f', 'tex', 'litmus/cuda/bars.litmus'))
    verdict([len(row) for row in rows] == [1] * 7 and 'bars' in rows[5][0] and 'hand/memory' in rows[2][0],
            f'rows of a launch: {rows}')
    # Five work-items: four side by side, one below; comments and what they hold are left out, strings stay.
    odd = ('OPENCL odd_%$&#\n"50% {\\"\n{ nvm x = 0; /* } */ }\n' +
           ''.join(f'P{i} {{ /* \\end{{tabular}} & */ *x = {i + 1}; crash "a // b & % $ # \\ ✓"; // }}\n}}\n' for i in range(5)) +
           'crash ~exists (x = 7 /\\ ~(x = 3 \\/ x = 4))\n')
    text = written('list', '-f', 'tex', write('odd.litmus', odd))
    _, rows = facts_of('odd', text)
    verdict([len(row) for row in rows] == [1] * 3 + [4] * 6 + [1] and 'end' not in str(rows) and 'a\\ //\\ b' in rows[5][0],
            f'rows of an odd listing: {rows}')
    facts_of('none', written('list', '-f', 'tex', write('bad.litmus', 'OPENCL bad\n{'), statuses=(2,)))
    text = written('list', '-f', 'tex', '--filter', 'fig*', 'litmus/spb')
    facts_of('listings', text)
    # Within a paper, which has its own head.
    compiles('paper', '\\documentclass{article}\\usepackage{graphicx}\\begin{document}\n' + text + '\\end{document}\n')


def count(text, *what):
    return [text.count(word) for word in what]


DEFINITION, AXIOM, SECTION = '\\begin{crashlitdefinition}', '\\begin{crashlitaxiom}', '\n\\crashlitsection{'


def models():
    # Of epoch 2, of what it includes 10 and a check, and 10 names of the contract that neither says anything about.
    text = written('models', '-f', 'tex', 'epoch')
    facts_of('epoch', text)
    verdict(count(text, DEFINITION, AXIOM, SECTION) == [22, 1, 3], f'epoch: {count(text, DEFINITION, AXIOM, SECTION)}')
    verdict('\\(\\crashlitname{pmo} = (\\crashlitname{barrier-{}order} \\cup \\crashlitname{rf} \\cup \\crashlitname{co} \\cup '
            '\\crashlitname{fr} \\cap \\crashlitname{execution-{}order} \\cup [\\crashlitset{B}] \\mathbin{;} '
            '\\crashlitname{syncbar} \\mathbin{;} [\\crashlitset{B}])^{+}\\)' in text, 'a closure of a union in signs')
    verdict('\\label{crashlit:epoch:persist-before}' in text, 'a definition has a label')
    # What binds otherwise than readers may think has parentheses; the same name again has another label; odd signs.
    odd = ('odd "50% of a_b & c"\n(* 100% {\\\\end} ✓ $x^2$ *)\nlet a_b\' = po & loc; rf \\ co | ~(po | rf)\n'
           'let f(x, y) = [x]; po?; [domain(y)]  (* beside \\it *)\nlet a_b\' = (W * R) & (po^-1)+ \\ id\n'
           'let rec r = po | (r; r) and s = r\nif "v" let v = 0 else flag ~empty po as told end\n'
           'procedure p(x) = acyclic x end\ncall p(po) as called\nlet g = fun x -> x\n~irreflexive po;po as odd\n'
           'instructions F[\'mine || \'other]\n(* the end *)')
    text = written('models', '-f', 'tex', write('odd_%.cat', odd), statuses=(0, 2))
    facts_of('odd-model', text)
    for sign in ('(\\crashlitname{po} \\cap \\crashlitname{loc}) \\mathbin{;} (\\crashlitname{rf} \\setminus \\crashlitname{co}) '
                 '\\cup \\neg (\\crashlitname{po} \\cup \\crashlitname{rf})',
                 '((\\crashlitset{W} \\times \\crashlitset{R}) \\cap (\\crashlitname{po}^{-1})^{+}) \\setminus \\crashlitname{id}',
                 '\\label{crashlit:odd--:a-b-:2}', 'is not irreflexive', 'The least with', '\\footnote{beside ', 'the end',
                 'Tags of fences: \\(\\texttt{mine}\\), \\(\\texttt{other}\\).'):
        verdict(sign in text, f'{sign} in {text[1500:]}')
    text = written('models', '-f', 'tex')
    facts_of('models', text)
    compiles('paper-models', '\\documentclass[twocolumn]{article}\\usepackage{graphicx,amsthm}\\newtheorem{crashlitdefinition}{Rule}\n'
             '\\newtheorem{crashlitaxiom}{Law}\\begin{document}\n' + written('models', '-f', 'tex', 'sbrp') + '\\end{document}\n')


def read_back():
    for folder in ('spb', 'recovery', 'values'):
        paths = written('list', f'litmus/{folder}').split()
        listings = written('list', '-f', 'tex', f'litmus/{folder}').split('\\begin{tabular}')[1:]
        sources = [open(path, encoding='utf-8').read() for path in paths]
        wrong = [path for path, source, listing in zip(paths, sources, listings) if not source.startswith('PTX') and
                 tex_back.columns(listing) != tex_back.bodies(source)]
        verdict(len(paths) == len(listings) > 10 and not wrong, f'listings of litmus/{folder} are the tests: {wrong[:5]}')
    test, path = 'litmus/spb/def1.litmus', os.path.join(WORK, 'back.cat')
    for line in written('models').split('\n'):
        kind, name = (line.split() + ['', ''])[:2]
        if kind not in ('visibility', 'persistency'):
            continue
        write('back.cat', tex_back.model(written('models', '-f', 'tex', name)))
        dumps = [written('--dump-ir', *(('-m', asked, '-p', 'none') if kind == 'visibility' else ('-m', 'sc', '-p', asked)), test)
                 for asked in (name, path)]
        said = [tex_back.meaning(dump) for dump in dumps]
        verdict(len(said[0]) > 8 and said[0] == said[1], f'{name} is what its formulas say: {said}')


def titles():
    # Pictures call a model by the name at its head, and a file that has a built-in's there by its own name; never by
    # a path, unless two would be called the same.
    hops, near = write('hops.cat', 'HOPS "ordered"\nlet durable-before = 0\n'), write('near.cat', 'Epoch\nlet durable-before = 0\n')
    twin = write('twin.cat', 'HOPS\nlet durable-before = 0\n')
    test = 'litmus/spb/kv-insert-bare.litmus'
    for words in (['-f', 'tex'], ['-f', 'dot'], ['-f', 'svg'], ['-f', 'svg', '--layout', 'slide']):
        for path, name in ((hops, 'HOPS'), (near, 'near.cat')):
            text = written('-m', 'sc', '-p', path, *words, test)
            verdict(f'SC + {name}' in text and WORK not in text, f'{words}: {path} is called {name}')
    for words in (['-f', 'svg'], ['-f', 'svg', '--layout', 'slide']):
        text = written('compare', '--models', f'sc+none,sc+{hops}', *words, test)
        verdict('SC + HOPS' in text and WORK not in text, f'compare {words} calls HOPS so')
        text = written('lattice', 'none', hops, 'epoch', *words)
        verdict('>HOPS<' in text and WORK not in text, f'lattice {words} calls HOPS so')
    text = written('compare', '--models', f'sc+{hops},sc+{twin}', '-f', 'svg', test)
    verdict(f'sc + {hops}' in text and f'sc + {twin}' in text, 'two of one name have their paths')


def refused():
    good = written('-m', 'sc', '-p', 'none', '-f', 'tex', 'litmus/spb/kv-insert-bare.litmus')
    for name, spoilt in (('a sign', good.replace('crashlit text] at', 'crashlit text] % at', 1)),
                         ('a brace', good.replace('{P0}', '{P0', 1)),
                         ('a style', good.replace('crashlit cut]', 'crashlit cat]', 1)),
                         ('an environment', good.replace('\\end{tikzpicture}', '', 1)),
                         ('a command', good.replace('{P0}', '{\\P0}', 1)),
                         ('an end', good.replace('\\crashlitend\n', ''))):
        try:
            read(spoilt)
            verdict(False, f'{name} that is spoilt is read')
        except Fault:
            verdict(spoilt != good, f'{name} is spoilt')


def main():
    os.makedirs(WORK, exist_ok=True)
    pictures()
    hostile()
    documents()
    listings()
    models()
    read_back()
    titles()
    refused()
    if not shutil.which('pdflatex'):
        print('pdflatex is not here: what it reads is left out')
    print(f'{passed} passed, {failed} failed')
    return failed > 0


sys.exit(main())
