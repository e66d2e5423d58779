# Completion of crashlit in bash. Options, their choices, models and machines are asked of the
# program, so that this file knows none of them.

# The words behind `--OPTION` in the help, one line each: the option, and its choices if it
# has some.
_crashlit_help() { # program
    "$1" --help 2>/dev/null | sed -n 's/^  \(-., \)\{0,1\}--/--/p'
}

_crashlit_options() { # program
    _crashlit_help "$1" | sed 's/[ =[].*//' | sort -u
    printf '%s\n' -m -p -I -e -f -j -v -h -V
}

_crashlit_choices() { # program, option
    _crashlit_help "$1" | sed -n "s/^$2 \([a-z|-]*[a-z]\) .*/\1/p" | tr '|' '\n'
}

_crashlit_commands() { # program
    "$1" --help 2>/dev/null | sed -n 's/^  crashlit \[*\([a-z][a-z]*\).*/\1/p'
}

# Has the option a closed list of values, so that no file may stand behind it?
_crashlit_closed() { # option, its values
    case $1 in
    -m | --model | -p | --persistency | --machine) false ;;
    *) [ -n "$2" ] ;;
    esac
}

# What may stand behind an option. Nothing printed: files.
_crashlit_values() { # program, option
    case $2 in
    -m | --model) "$1" models | sed -n 's/^visibility  *\([^ ]*\).*/\1/p' ;;
    -p | --persistency) "$1" models | sed -n 's/^persistency  *\([^ ]*\).*/\1/p' ;;
    --models) "$1" models | sed -n 's/^[a-z]*  *\([^ ]*\).*/\1/p' ;;
    --models+) _crashlit_values "$1" --persistency ;;
    --machine) "$1" machines | sed 's/ .*//' ;;
    --fault) "$1" machines -v | sed -n '/^Faults/,/^$/s/^  \([^ ]*\).*/\1/p' | sort -u ;;
    -f | --format)
        _crashlit_help "$1" | sed -n 's/^--format [^ ]*  *\([^;]*\);.*/\1/p' | sed 's/([a-z]*)//g' | tr -d ' ' | tr ',' '\n'
        ;;
    -e) _crashlit_choices "$1" --engine ;;
    --property) printf '%s\n' idempotent-recovery recovers-to condition race ;;
    --*) _crashlit_choices "$1" "$2" ;;
    esac
}

_crashlit() {
    local program=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]} before='' words='' files=yes
    local earlier='' # what stands before the last one of a list
    [ "$COMP_CWORD" -gt 0 ] && before=${COMP_WORDS[COMP_CWORD - 1]}
    # `--engine=smt` comes as three words.
    if [ "$current" = = ]; then
        current=''
    elif [ "$before" = = ] && [ "$COMP_CWORD" -gt 1 ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case $current in
    -*) words=$(_crashlit_options "$program") files='' ;;
    *)
        case $before in
        --models)
            earlier=${current%"${current##*[,+]}"}
            current=${current#"$earlier"}
            case $earlier in
            *+) words=$(_crashlit_values "$program" --models+) ;;
            *) words=$(_crashlit_values "$program" --models) ;;
            esac
            files=''
            ;;
        -*)
            words=$(_crashlit_values "$program" "$before")
            ! _crashlit_closed "$before" "$words" || files=''
            ;;
        models) words=$(_crashlit_values "$program" --models) ;;
        machines) words=$(_crashlit_values "$program" --machine) ;;
        *) [ "$COMP_CWORD" -ne 1 ] || words=$(_crashlit_commands "$program") ;;
        esac
        ;;
    esac
    COMPREPLY=()
    local word
    while IFS= read -r word; do
        COMPREPLY+=("$earlier$word")
    done < <(compgen -W "$words" -- "$current"; [ -z "$files" ] || compgen -f -- "$current")
}

complete -o filenames -F _crashlit crashlit
