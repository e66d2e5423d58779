"""pipeline_description: what a file of `machine = pipeline` says (docs/models/machines.md), read for pipeline.py."""
import re
from collections import namedtuple

from pipeline_program import Unknown

Match = namedtuple("Match", "kinds tag order scope by at inside")  # by and at: (tag, wanted)
Stage = namedtuple("Stage", "name per order attributes when")
KINDS = {"load": ("LOAD",), "store": ("STORE",), "rmw": ("RMW", "CAS"), "fence": ("FENCE",), "cm": ("CM",),
         "p_barrier": ("PBARRIER",), "barrier": ("BARRIER",)}
ORDERS = {"na": "NA", "rlx": "RLX", "acq": "ACQ", "rel": "REL", "acq_rel": "ACQ_REL", "sc": "SC"}
SCOPES = {"wi": "WI", "sg": "SG", "wg": "WG", "kr": "KR", "dev": "DV", "dv": "DV", "all": "ALL"}


def match_of(words):
    said = dict(kinds=None, tag=None, order=None, scope=None, by=None, at=None, inside=None)
    wanted = True
    words = list(words)
    while words:
        word = words.pop(0)
        if word == "not":
            wanted = False
            continue
        if word in ("by", "at"):
            said[word] = (words.pop(0), wanted)
        elif word.startswith("'"):
            said["tag"] = word[1:]
        elif word in ("inside", "outside"):
            said["inside"] = word == "inside"
        elif word in KINDS:
            said["kinds"] = KINDS[word]
        elif word in ORDERS:
            said["order"] = ORDERS[word]
        elif word in SCOPES:
            said["scope"] = SCOPES[word]
        else:
            said["tag"] = word
        wanted = True
    return Match(**said)


class Description:
    """A file of the form that docs/models/machines.md says."""

    def __init__(self, text):
        self.stages, self.rules, self.bypasses, self.views = [], [], [], []
        self.names, self.choices = [], []
        self.durable, self.isolate, self.entries, self.units, self.placement, self.promises = None, False, 16, 2, "in-turn", ""
        self.redo, self.aborts_alone = False, False
        for line in text.splitlines():
            line = line.split("#")[0].strip()
            if line:
                self.statement(line)
        if self.durable is None:
            self.durable = len(self.stages)

    def statement(self, line):
        word, rest = (line.split(None, 1) + [""])[:2]
        if word == "stage":
            self.stage(rest.split())
        elif word == "durable":
            self.durable = len(self.stages)
        elif word == "isolate":
            self.isolate, self.aborts_alone = True, rest == "aborts"
        elif word == "redo":
            self.redo = True
        elif word == "bypass":
            self.bypasses.append((self.number(rest.split()[0]), match_of(rest.split()[1:])))
        elif word == "view":
            self.views.append((self.number(rest.split()[0]), match_of(rest.split()[1:])))
        elif word == "on":
            match, operations = rest.split(":", 1)
            self.rules.append((match_of(match.split()), [self.operation(o.split()) for o in operations.split(";") if o.strip()]))
        elif word == "variable":
            name, values = rest.split("=")
            self.names.append(name.strip())
            self.choices.append([value.strip() for value in values.split("|")])
        else:
            self.key(*[part.strip() for part in line.split("=", 1)])

    def key(self, name, value):
        if name in ("entries", "units"):
            setattr(self, name, int(value))
        elif name in ("placement", "promises"):
            setattr(self, name, value)
        elif name != "machine" or value != "pipeline":
            raise Unknown("key %s = %s" % (name, value))

    def number(self, name):
        names = [stage.name for stage in self.stages]
        if name == "medium" and name not in names:
            return len(names)
        return names.index(name)

    def stage(self, words):
        name, per, order, attributes, when = words.pop(0), None, None, set(), None
        while words:
            word = words.pop(0)
            if word == "per":
                per = words.pop(0)
            elif word == "order":
                order = words.pop(0)
            elif word == "when":
                variable, _, value = [words.pop(0) for _ in range(3)] if "=" not in words[0] else words.pop(0).partition("=")
                when = self.setting(variable, value)
            elif word in ("merge", "group", "hold", "apart", "lines", "joint"):
                attributes.add(word)
            else:
                raise Unknown("stage's %s" % word)
        self.stages.append(Stage(name, per, order, frozenset(attributes), when))

    def setting(self, variable, value):
        at = self.names.index(variable)
        return at, self.choices[at].index(value)

    def operation(self, words):
        if words[0] == "mark":
            return words[0], words[1], self.number(words[2])
        if words[0] in ("move", "drain"):  # which, of which stage, and which stage they have to have left
            return words[0], words[1], self.number(words[2]), self.number(words[-1])
        if words[0] == "await":
            return words[0], SCOPES[words[1]] if len(words) > 1 else "WI"
        if words[0] == "set":
            return ("set",) + self.setting(*re.split(r"\s*=\s*", " ".join(words[1:])))
        return (words[0],)
