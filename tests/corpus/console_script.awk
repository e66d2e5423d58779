# Turns a console block into a shell script that prints each command as the block
# shows it and then runs it. The status of a command is left for the next one.
/^\$ / {
    shown = $0
    gsub(/'/, "'\\''", shown)
    print "status=$?"
    print "printf '%s\\n' '" shown "'"
    print "(exit $status)"
    print substr($0, 3)
}
