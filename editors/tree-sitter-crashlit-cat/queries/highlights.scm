; made by editors/grammars.py of src/lsp/lsp_words.def
(comment) @comment
(string) @string
(title) @title
(number) @number
(tag) @attribute
(operator) @operator
(check) @keyword
(keyword) @keyword
(let) @keyword
(definition "rec" @keyword)
(definition name: (identifier) @function)
(include "include" @keyword)
["(" ")" "[" "]" "{" "}"] @punctuation.bracket

((identifier) @variable.builtin
  (#any-of? @variable.builtin
    "A"
    "ACQ"
    "ACQ_REL"
    "ALIAS"
    "ALL"
    "ARRIVE"
    "ATOMIC"
    "B"
    "CM"
    "CON"
    "CTA"
    "DV"
    "F"
    "GEN"
    "GLOBAL"
    "GPU"
    "IW"
    "KR"
    "LOCAL"
    "M"
    "NA"
    "NAL"
    "NVM"
    "PB"
    "R"
    "REL"
    "RLX"
    "RMW"
    "SC"
    "SG"
    "SUR"
    "SYS"
    "TEX"
    "W"
    "WEAK"
    "WG"
    "WI"
    "addr"
    "amo"
    "co"
    "ctrl"
    "data"
    "ext"
    "fr"
    "id"
    "int"
    "line"
    "loc"
    "lxsx"
    "po"
    "rf"
    "rmw"
    "same-access"
    "same-unit"
    "scta"
    "sdv"
    "skr"
    "sr"
    "ssg"
    "ssys"
    "swg"
    "sync_fence"
    "syncbar"
    "syncpb"
    "token"
    "vloc"))
