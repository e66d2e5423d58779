(* One path for each work-item, with all that is fixed before rf and co: docs/models/semantics.md,
   "Events" (barriers), "What is undefined"; docs/models/cat.md, "Base sets", "Base relations". *)

open Value
open Program
open Run

type t = {
  n : int; starts : int64 array;                 (* memory at the start *)
  owner : int array; index : int array;          (* work-item, -1 of initial writes; place in its path *)
  event : event array; first : int array;        (* first event of each work-item *)
  chosen : path array;
  test : test; items : item array;
}

let place item w = Option.value (List.assoc_opt w item.places) ~default:0

(* In one instance of the scope: the groups around it count. *)
let together scope (a : item) (b : item) = match scope with
  | "wi" -> a.id = b.id
  | "all" -> true
  | _ ->
    let rec from = function w :: rest when w <> scope -> from rest | l -> l in
    List.for_all (fun w -> place a w = place b w) (from [ "sg"; "wg"; "kr"; "dev" ])

(* --- barriers --- *)

(* Barriers with a label are counted by it. *)
let key b = b.persist, (if b.label = "" then b.meet else ""), b.label, b.named

let members (items : item array) (item : item) b =
  let has (i : item) =
    Array.exists (function Barrier (c, _) -> key c = key b | _ -> false) i.code in
  List.filter (fun m -> together b.meet item m && (not b.named || has m)) (Array.to_list items)

(* How many of its kind are among the first events of a path. *)
let passed (path : path) upto b =
  let same i e = i < upto && match e.bar with Some c -> key c = key b | None -> false in
  List.length (List.filter Fun.id (List.mapi same (Array.to_list path.events)))
let executed (path : path) b = passed path (Array.length path.events) b

(* And how often it has come to one: passed it, or stands at it. *)
let came (path : path) b = executed path b + (match path.ending with
  | At_barrier c when key c = key b -> 1
  | _ -> 0)

(* Who waits at a barrier, and those of its scope instance who have not come. *)
let missing items (chosen : path array) (item : item) = match chosen.(item.id).ending with
  | At_barrier b ->
    let k = executed chosen.(item.id) b in
    Some (List.filter (fun (m : item) -> came chosen.(m.id) b <= k) (members items item b))
  | _ -> None

(* All who meet pass, or nobody; who stands at a barrier lacks somebody. least, most: how often a work-item comes to a
   barrier at least, and passes it at most. *)
let fits waits items ~least ~most (item : item) (path : path) =
  let meets i e = match e.bar with
    | Some b when waits item b e.attr ->
      let k = passed path i b in
      List.for_all (fun (m : item) -> most m.id b > k) (members items item b)
    | _ -> true in
  let stands = match path.ending with
    | At_barrier b ->
      let k = executed path b in
      List.exists (fun (m : item) -> least m.id b <= k) (members items item b)
    | _ -> true in
  stands && List.for_all Fun.id (List.mapi meets (Array.to_list path.events))

let can_meet waits (items : item array) (chosen : path array) =
  let least t b = came chosen.(t) b and most t b = executed chosen.(t) b in
  Array.for_all (fun (item : item) -> fits waits items ~least ~most item chosen.(item.id)) items

(* Without paths that fit with none of the others'. *)
let without_strays waits (items : item array) (paths : path list array) =
  let of_all choose count = memo (fun (t, b) -> choose (List.map (fun p -> count p b) paths.(t))) in
  let least = of_all (List.fold_left min max_int) came and most = of_all (List.fold_left max 0) executed in
  let least t b = least (t, b) and most t b = most (t, b) in
  Array.map (fun (item : item) -> List.filter (fits waits items ~least ~most item) paths.(item.id)) items

(* A work-item waits, and one that never comes is not excused by a bound or by a fault of its own. *)
let divergent items (chosen : path array) =
  let bounded = Array.exists (fun p -> p.ending = Bound) chosen in
  let rec excused seen (i : item) = match chosen.(i.id).ending with
    | Bound | Faulted _ -> true
    | Waits _ -> bounded
    | _ -> not (List.mem i.id seen) && (match missing items chosen i with
        | Some others -> List.for_all (excused (i.id :: seen)) others
        | None -> false) in
  let strays (i : item) = match missing items chosen i with
    | Some others -> not (List.for_all (excused [ i.id ]) others)
    | None -> false in
  Array.exists strays items

(* --- events --- *)

let make test (items : item array) starts (chosen : path array) =
  let of_path t (p : path) = List.mapi (fun i e -> t, i, e) (Array.to_list p.events) in
  let own = List.concat (List.mapi of_path (Array.to_list chosen)) in
  let locs = List.sort_uniq compare (List.map (fun (_, _, e) -> e.loc) own) in
  let initial loc = -1, 0, { (event W loc plain) with value = K starts.(loc) } in
  let all = Array.of_list (List.map initial (List.filter (fun l -> l >= 0) locs) @ own) in
  let n = Array.length all in
  if n > Rel.most then outside "more than %d events" Rel.most;
  let first = Array.make (Array.length items) (n - List.length own) in
  for t = 1 to Array.length items - 1 do
    first.(t) <- first.(t - 1) + Array.length chosen.(t - 1).events
  done;
  { n; starts; owner = Array.map (fun (t, _, _) -> t) all; index = Array.map (fun (_, i, _) -> i) all;
    event = Array.map (fun (_, _, e) -> e) all; first; chosen; test; items }

(* As certificates call it. *)
let event_name s i =
  if s.owner.(i) < 0 then "i:" ^ s.test.locs.(s.event.(i).loc).name
  else Printf.sprintf "%d.%d" s.owner.(i) s.index.(i)

(* --- base sets --- *)

(* What work-items say of a location: its own one of an event, and all. *)
let declared s i =
  let loc = s.event.(i).loc in
  let of_item (i : item) = List.filter_map (fun (l, d) -> if l = loc then Some d else None) i.declared in
  (if s.owner.(i) < 0 then [] else of_item s.items.(s.owner.(i))),
  List.concat_map of_item (Array.to_list s.items)

(* As its work-item declares the location; without a word of it as all do. *)
let is_nal s i =
  not s.test.locs.(s.event.(i).loc).atomic && (match declared s i with
    | (_, atomic) :: _, _ -> not atomic
    | [], all -> not (List.exists snd all))

let space s i = match declared s i with
  | (word, _) :: _, _ when word <> "" -> word
  | _, all -> if List.exists (fun (word, _) -> word = "local") all then "local" else "global"

let access e = e.kind = R || e.kind = W

let in_space name s i e =
  if access e || e.kind = CM then space s i = name
  else
    (* By their flags; without any a fence or an execution barrier is of both, a persist barrier of
       neither. *)
    let flags = match e.bar with Some b -> b.space | None -> e.attr.tags in
    match List.filter (fun t -> t = ".global" || t = ".local") flags with
    | [] -> e.kind <> PB
    | flags -> List.mem ("." ^ name) flags

let scopes = [ "WI", "wi"; "SG", "sg"; "WG", "wg"; "KR", "kr"; "DV", "dev"; "ALL", "all" ]
let orders = [ "RLX", "rlx"; "ACQ", "acq"; "REL", "rel"; "ACQ_REL", "acq_rel"; "SC", "sc" ]

let base_sets : (string * (t -> int -> event -> bool)) list =
  let each table holds = List.map (fun (name, x) -> name, fun _ _ e -> holds e x) table in
  let own s i = s.owner.(i) >= 0 in
  each kinds (fun e k -> e.kind = k)
  @ each scopes (fun e w -> e.attr.scope = w)
  @ each orders (fun e o -> e.attr.order = o)
  @ [ "_", (fun _ _ _ -> true);
      "M", (fun _ _ e -> access e);
      "IW", (fun s i _ -> not (own s i));
      "NVM", (fun s _ e -> e.loc >= 0 && s.test.locs.(e.loc).nvm);
      "ATOMIC", (fun _ _ e -> access e && e.attr.atomic);
      "RMW", (fun _ _ e -> e.in_rmw);
      "GLOBAL", in_space "global";
      "LOCAL", in_space "local";
      "NA", (fun s i e -> access e && own s i && not e.attr.atomic);
      "NAL", (fun s i e -> access e && is_nal s i);
      "GEN", (fun _ _ e -> access e || e.kind = F) ]
  @ List.map (fun name -> name, fun _ _ _ -> false) [ "ARRIVE"; "TEX"; "SUR"; "CON"; "ALIAS" ]

let by_name l = Hashtbl.find (Hashtbl.of_seq (List.to_seq l))
let base_set = by_name base_sets
let events_that s p = Rel.filter s.n (fun i -> p s i s.event.(i))
let set s name = events_that s (base_set name)

(* The events of a tag that is declared for some kinds. *)
let tagged s tag declared =
  let suits e = function
    | "M" -> access e
    | "RMW" -> e.in_rmw
    | "TX" -> e.kind = F
    | kind -> List.assoc_opt kind kinds = Some e.kind in
  events_that s (fun s i e ->
    (List.mem "LOC" declared && e.loc >= 0 && List.mem tag s.test.locs.(e.loc).loc_tags)
    || (List.mem "THREAD" declared && s.owner.(i) >= 0
        && List.mem tag s.items.(s.owner.(i)).item_tags)
    || (List.mem tag e.attr.tags && List.exists (suits e) declared))

(* --- base relations --- *)

let base_relations : (string * (t -> int -> int -> bool)) list =
  let item s i = s.items.(s.owner.(i)) in
  let inside s i j = s.owner.(i) >= 0 && s.owner.(j) >= 0 in
  let same_item s i j = s.owner.(i) = s.owner.(j) in
  let located f s i j =
    let a = s.event.(i).loc and b = s.event.(j).loc in a >= 0 && b >= 0 && f s a = f s b in
  let same scope s =
    let reach = Array.map (fun a -> Array.map (together scope a) s.items) s.items in
    fun i j -> inside s i j && reach.(s.owner.(i)).(s.owner.(j)) in
  let dependency of_event s i j = inside s i j && same_item s i j && s.event.(i).kind = R
    && List.mem s.index.(i) (of_event s.event.(j)) in
  let unsequenced a b =
    List.exists (fun (pair, entered, right) -> List.mem (pair, entered, not right) b.sides) a.sides in
  let meets persist s i j = match s.event.(i).bar, s.event.(j).bar with
    | Some c, Some d -> c.persist = persist && (i = j
      || (key c = key d && not (same_item s i j) && together c.meet (item s i) (item s j)
          && passed s.chosen.(s.owner.(i)) s.index.(i) c
             = passed s.chosen.(s.owner.(j)) s.index.(j) d))
    | _ -> false in
  let in_reach s i j =
    let scope = s.event.(i).attr.scope in scope <> "" && together scope (item s i) (item s j) in
  [ "id", (fun _ i j -> i = j);
    "po", (fun s i j -> i < j && inside s i j && same_item s i j
                        && not (unsequenced s.event.(i) s.event.(j)));
    "loc", located (fun _ l -> l);
    "line", located (fun s l -> s.test.locs.(l).of_line);
    (* Accesses that are wider than a location are outside, and so are tokens. *)
    "token", (fun _ _ _ -> false);
    "same-access", (fun _ _ _ -> false);
    "same-unit", (fun _ _ _ -> false);
    "int", same_item;
    "ext", (fun s i j -> not (same_item s i j));
    "rmw", (fun s i j -> s.event.(i).kind = R && same_item s i j
                         && s.event.(i).partner = s.index.(j) && s.event.(i).partner >= 0);
    "addr", dependency (fun e -> e.addr);
    "data", dependency (fun e -> if e.kind = W then e.data else []);
    "ctrl", dependency (fun e -> e.ctrl);
    "ssg", same "sg"; "swg", same "wg"; "skr", same "kr"; "sdv", same "dev"; "ssys", same "all";
    "sr", (fun s i j -> inside s i j && in_reach s i j && in_reach s j i);
    "syncbar", meets false;
    "syncpb", meets true;
    "lxsx", (fun _ _ _ -> false) ]

let base_relation = by_name base_relations
let relation s name = Rel.init s.n (base_relation name s)
