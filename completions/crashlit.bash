# Completion of crashlit in bash. What may stand where is asked of the program (crashlit help --words), so
# that this file knows no option but those whose values are lists.

# One a line: commands; the options of a command; what may stand behind one of these, "/" for a path.
_crashlit_words() { # program, command, option
    local option=${3#-}
    "$1" help --words "${@:2:1}" ${3+"${option#-}"} 2>/dev/null
}

_crashlit() {
    local program=${COMP_WORDS[0]} command='' option='' before='' earlier='' words='' word i
    # A word with `=` comes as several; the last of them is what is completed.
    local -a line=()
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [ "$i" -gt 1 ] && { [ "$word" = = ] || [ "${COMP_WORDS[i - 1]}" = = ]; }; then
            line[${#line[@]} - 1]+=$word
        else
            line+=("$word")
        fi
    done
    local current=${line[${#line[@]} - 1]}
    for ((i = 0; i < ${#line[@]} - 1; i++)); do
        before=${line[i]}
        [ -n "$command" ] || ! _crashlit_words "$program" | grep -qx -e "$before" || command=$before
    done
    case $before in -*=*) ;; -*) option=$before ;; esac
    case $current in --*=*) option=${current%%=*} current=${current#*=} ;; esac

    case $option,$current in
    --models,*) # the last one of a list; behind a plus a persistency model
        earlier=${current%"${current##*[,+]}"} command=compare
        case $earlier in *+) option=--persistency ;; esac
        ;;&
    --under,*+*) earlier=${current%"${current##*+}"} option=--persistency ;;&
    -f,*=* | --format,*=*) words=/ current=${current#*=} ;;
    *,-*) words=$(_crashlit_words "$program" "${command:-check}") ;;
    *)
        [ -n "$command$option" ] || words=$(_crashlit_words "$program")
        words="$words
$(_crashlit_words "$program" "${command:-check}" "$option")"
        ;;
    esac
    current=${current#"$earlier"}
    COMPREPLY=()
    while IFS= read -r word; do
        COMPREPLY+=("$earlier$word")
    done < <(
        compgen -W "${words//\//}" -- "$current"
        case $words in */*) compgen -f -- "$current" ;; esac
    )
}

complete -o filenames -F _crashlit crashlit
