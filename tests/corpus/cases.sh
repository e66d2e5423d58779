# cases.sh: what scripts that try the program as a command share; they read `passed` and `failed`
# at their end, and those that use more than `verdict` set `work`, a folder of their own.
# shellcheck shell=sh disable=SC2034,SC2154
passed=0 failed=0

verdict() { # status, what was checked
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        echo "failed: $2"
        failed=$((failed + 1))
    fi
}
# Runs the program and holds its status against the wanted one.
leaves() { # wanted status, arguments
    wanted=$1
    shift
    timeout 600 "$CRASHLIT" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ "$status" -eq "$wanted" ]
    verdict $? "\`crashlit $*\` leaves with $wanted (it was $status)"
}
out_has() { grep -q -e "$1" "$work/out"; verdict $? "its output has a line with $1"; }
err_has() { grep -q -e "$1" "$work/err"; verdict $? "its errors have a line with $1"; }
out_lines() { # pattern, how many lines
    count=$(grep -c -e "$1" "$work/out")
    [ "$count" -eq "$2" ]
    verdict $? "its output has $2 lines with $1 (there were $count)"
}

# Waits until something is so; a wait in vain is a failure that says for what it was.
await() { # what for, command
    awaited=$1 tries=1200
    shift
    until "$@" || [ "$tries" -eq 0 ]; do sleep 0.05; tries=$((tries - 1)); done
    [ "$tries" -gt 0 ]
    verdict $? "$awaited, within a minute"
}
# The processes that one has started and that run, from Linux's /proc: what procps tells is not on every machine.
children() { # process
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v parent="$1" '
        { id = $1; sub(/.*\) /, "") } # the name can hold blanks; behind it stand state and parent
        $1 !~ /[ZX]/ && $2 == parent { print id }'
}

# Runs a program whose last line has the sum of what it did; sets `status`, and `numbers` to those of the sum.
summed() { # title, program, arguments
    summed_title=$1
    shift
    "$@" >"$work/out" 2>&1
    status=$?
    sum=$(tail -n 1 "$work/out")
    echo "$summed_title: $sum"
    numbers=$(echo "$sum" | sed 's/[^0-9 ]//g')
}

# A test of so many work-items and locations that all of them may use, called as its file; a work-item does
# what the body, of awk, prints for t.
write_crowd() { # file, how many, condition, body
    awk -v name="$(basename "$1" .litmus)" -v n="$2" -v condition="$3" 'BEGIN {
        for (i = 0; i < n; i++) {
            initial = initial " x" i " = 0;"
            parameters = parameters (i ? ", " : "") "atomic_int* x" i
        }
        printf "C %s\n{%s }\n", name, initial
        for (t = 0; t < n; t++) {
            printf "P%d (%s) {\n", t, parameters
            '"$4"'
            print "}"
        }
        print condition
    }' >"$1"
}
# One that takes minutes: two formulas of 16 work-items with 60 accesses each.
write_long_test() { # file
    # shellcheck disable=SC2016 # awk's own words
    write_crowd "$1" 16 'exists (0:r0 = 3)' 'for (k = 0; k < 30; k++) {
        printf "  atomic_store_explicit(x%d, %d, memory_order_relaxed);\n", (t + k) % n, k
        printf "  int r%d = atomic_load_explicit(x%d, memory_order_relaxed);\n", k, (t + k + 1) % n
    }'
}

# Built-in machines that are pipelines, and the folders of litmus/ with the tests of each one's mechanism, its own first.
pipelines() { grep -l '^machine *= *pipeline' models/machines/*.machine | sed 's|.*/||; s|\.machine$||'; }
folders_of() { # pipeline
    case $1 in
    gpm*) echo gpm published ;;
    lin-*) echo lin ;;
    kiln*) echo kiln helper-warps ;;
    chen-*) echo helper-warps kiln ;;
    px86*) echo px86 ;;
    strand*) echo strand ;;
    spb-pipeline) echo spb acknowledged launch ;;
    *) echo "$1" ;;
    esac
}
