# published.awk (after draw.awk and tags.awk) -v seed=N -v tag_names=NAMES: a random persistency file that adds
# to happens-before, or nothing. The rest of a contract is the random model's.
BEGIN {
    start_drawing(seed)
    print "\"published " seed "\""
    has_tags = other(3)
    declare_tags()
    if (other(2))
        print "let adds-to-hb = " rel_by_tag(other_pick("([PB];po;[W];rf;[R]) (po;[PB];syncpb;[PB];po) (rf&ext) " \
                                                         "(co&ext) (fr&ext) ([W];po;[R]) (po&line) (po;[F];po)"))
}
