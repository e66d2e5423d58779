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
  base : (string, int) Hashtbl.t; relations : (string, Rel.t) Hashtbl.t;
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
  let has (i : item) = Array.exists (function Barrier (c, _) -> key c = key b | _ -> false) i.code in
  List.filter (fun (m : item) -> together b.meet item m && (not b.named || has m)) (Array.to_list items)

(* How many of its kind are among the first events of a path. *)
let passed (path : path) upto b =
  let n = ref 0 in
  for i = 0 to upto - 1 do match path.events.(i).bar with Some c when key c = key b -> incr n | _ -> () done; !n
let executed (path : path) b = passed path (Array.length path.events) b

let arrived (path : path) b k =
  executed path b > k || (match path.ending with At_barrier c -> key c = key b && executed path b = k | _ -> false)

(* Who waits at a barrier, and those of its scope instance who have not come. *)
let missing items (chosen : path array) (item : item) = match chosen.(item.id).ending with
  | At_barrier b ->
    let k = executed chosen.(item.id) b in
    Some (List.filter (fun (m : item) -> not (arrived chosen.(m.id) b k)) (members items item b))
  | _ -> None

(* All who meet pass, or nobody; who stands at a barrier lacks somebody. *)
let can_meet waits (items : item array) (chosen : path array) =
  let meets (item : item) i e = match e.bar with
    | Some b when waits item b e.attr ->
      let k = passed chosen.(item.id) i b in
      List.for_all (fun (m : item) -> executed chosen.(m.id) b > k) (members items item b)
    | _ -> true in
  Array.for_all (fun (item : item) ->
    missing items chosen item <> Some []
    && Array.for_all Fun.id (Array.mapi (meets item) chosen.(item.id).events)) items

(* A work-item waits, and one that never comes is not excused by a bound. *)
let divergent items (chosen : path array) =
  let bounded = Array.exists (fun p -> p.ending = Bound) chosen in
  let rec excused seen (i : item) = match chosen.(i.id).ending with
    | Bound -> true
    | Waits _ -> bounded
    | At_barrier _ -> not (List.mem i.id seen)
      && (match missing items chosen i with Some l -> List.for_all (excused (i.id :: seen)) l | None -> false)
    | _ -> false in
  Array.exists (fun (i : item) -> match missing items chosen i with
    | Some l -> List.exists (fun m -> not (excused [ i.id ] m)) l
    | None -> false) items

(* --- base sets and relations --- *)

let scopes = [ "WI", "wi"; "SG", "sg"; "WG", "wg"; "KR", "kr"; "DV", "dev"; "ALL", "all" ]
let orders = [ "RLX", "rlx"; "ACQ", "acq"; "REL", "rel"; "ACQ_REL", "acq_rel"; "SC", "sc" ]
let access e = e.kind = R || e.kind = W

let make test (items : item array) starts (chosen : path array) =
  let all = List.concat (Array.to_list (Array.mapi (fun t (p : path) -> List.mapi (fun i e -> t, i, e) (Array.to_list p.events)) chosen)) in
  let locs = List.sort_uniq compare (List.filter_map (fun (_, _, e) -> if e.loc >= 0 then Some e.loc else None) all) in
  let initial loc = { kind = W; loc; attr = plain; value = K starts.(loc); line = 0; bar = None; partner = -1; in_rmw = false; addr = []; data = []; ctrl = []; sides = [] } in
  let all = Array.of_list (List.map (fun l -> -1, 0, initial l) locs @ all) in
  let n = Array.length all in
  if n > Rel.most then outside "more than %d events" Rel.most;
  let event = Array.map (fun (_, _, e) -> e) all and owner = Array.map (fun (t, _, _) -> t) all in
  let first = Array.make (Array.length items) (List.length locs) in
  for t = 1 to Array.length items - 1 do first.(t) <- first.(t - 1) + Array.length chosen.(t - 1).events done;
  { n; starts; owner; index = Array.map (fun (_, i, _) -> i) all; event; first; chosen; base = Hashtbl.create 31; relations = Hashtbl.create 31; test; items }

let declarations s loc = List.concat_map (fun (i : item) -> List.filter (fun (l, _) -> l = loc) i.declared) (Array.to_list s.items)

(* As its work-item declares the location; without a word of it as all do. *)
let is_nal s i =
  let loc = s.event.(i).loc in
  let initially = s.test.locs.(loc).atomic in
  let own = if s.owner.(i) < 0 then None else List.assoc_opt loc s.items.(s.owner.(i)).declared in
  not initially && (match own with
    | Some (_, atomic) -> not atomic
    | None -> not (List.exists (fun (_, (_, atomic)) -> atomic) (declarations s loc)))

let space s i =
  let loc = s.event.(i).loc in
  let own = if s.owner.(i) < 0 then "" else match List.assoc_opt loc s.items.(s.owner.(i)).declared with Some (w, _) -> w | None -> "" in
  if own <> "" then own
  else if List.exists (fun (_, (w, _)) -> w = "local") (declarations s loc) then "local" else "global"

let in_space s name i =
  let e = s.event.(i) in
  if access e || e.kind = CM then space s i = name
  else
    (* By their flags; without any a fence or an execution barrier is of both, a persist barrier of neither. *)
    let flags = List.filter (fun t -> t = ".global" || t = ".local") (match e.bar with Some b -> b.space | None -> e.attr.tags) in
    if flags = [] then e.kind <> PB else List.mem ("." ^ name) flags

let set s name : int =
  let of_events p = Rel.filter s.n (fun i -> p i s.event.(i)) in
  let kind k = of_events (fun _ e -> e.kind = k) in
  match name with
  | "_" -> Rel.full s.n
  | "R" -> kind R | "W" -> kind W | "F" -> kind F | "CM" -> kind CM | "B" -> kind B | "PB" -> kind PB
  | "M" -> of_events (fun _ e -> access e)
  | "IW" -> of_events (fun i _ -> s.owner.(i) < 0)
  | "NVM" -> of_events (fun _ e -> e.loc >= 0 && s.test.locs.(e.loc).nvm)
  | "ATOMIC" -> of_events (fun _ e -> access e && e.attr.atomic)
  | "RMW" -> of_events (fun _ e -> e.in_rmw)
  | "GLOBAL" -> of_events (fun i _ -> in_space s "global" i)
  | "LOCAL" -> of_events (fun i _ -> in_space s "local" i)
  | "NA" -> of_events (fun i e -> access e && s.owner.(i) >= 0 && not e.attr.atomic)
  | "NAL" -> of_events (fun i e -> access e && is_nal s i)
  | "GEN" -> of_events (fun _ e -> access e || e.kind = F)
  | "ARRIVE" | "TEX" | "SUR" | "CON" | "ALIAS" -> 0
  | _ ->
    match List.assoc_opt name orders, List.assoc_opt name scopes with
    | Some o, _ -> of_events (fun _ e -> e.attr.order = o)
    | _, Some c -> of_events (fun _ e -> e.attr.scope = c)
    | _ -> fault "there is no base set %s" name

let tagged s tag kinds =
  let suits i e = function
    | "R" -> e.kind = R | "W" -> e.kind = W | "M" -> access e | "F" | "TX" -> e.kind = F | "CM" -> e.kind = CM
    | "RMW" -> e.in_rmw | "B" -> e.kind = B | "PB" -> e.kind = PB | _ -> ignore i; false in
  Rel.filter s.n (fun i ->
    let e = s.event.(i) in
    (List.mem "LOC" kinds && e.loc >= 0 && List.mem tag s.test.locs.(e.loc).loc_tags)
    || (List.mem "THREAD" kinds && s.owner.(i) >= 0 && List.mem tag s.items.(s.owner.(i)).item_tags)
    || (List.mem tag e.attr.tags && List.exists (suits i e) kinds))

let unsequenced a b = List.exists (fun (p, when_, right) -> List.mem (p, when_, not right) b.sides) a.sides

let relation s name : Rel.t =
  let pairs p = Rel.init s.n (fun i j -> p i j s.event.(i) s.event.(j)) in
  let item i = s.items.(s.owner.(i)) in
  let inside i j = s.owner.(i) >= 0 && s.owner.(j) >= 0 in
  let same scope = pairs (fun i j _ _ -> inside i j && together scope (item i) (item j)) in
  let from deps = pairs (fun i j a b -> s.owner.(i) >= 0 && s.owner.(i) = s.owner.(j) && a.kind = R && List.mem s.index.(i) (deps b)) in
  let meets persist = pairs (fun i j a b -> match a.bar, b.bar with
    | Some c, Some d -> i = j && c.persist = persist
      || (c.persist = persist && key c = key d && s.owner.(i) <> s.owner.(j) && together c.meet (item i) (item j) && passed s.chosen.(s.owner.(i)) s.index.(i) c = passed s.chosen.(s.owner.(j)) s.index.(j) d)
    | _ -> false) in
  match name with
  | "id" -> Rel.identity s.n (Rel.full s.n)
  | "po" -> pairs (fun i j a b -> inside i j && s.owner.(i) = s.owner.(j) && i < j && not (unsequenced a b))
  | "loc" -> pairs (fun _ _ a b -> a.loc >= 0 && a.loc = b.loc)
  | "line" -> pairs (fun _ _ a b -> a.loc >= 0 && b.loc >= 0 && s.test.locs.(a.loc).of_line = s.test.locs.(b.loc).of_line)
  | "int" -> pairs (fun i j _ _ -> s.owner.(i) = s.owner.(j))
  | "ext" -> pairs (fun i j _ _ -> s.owner.(i) <> s.owner.(j))
  | "rmw" -> pairs (fun i j a _ -> a.kind = R && s.owner.(i) = s.owner.(j) && a.partner = s.index.(j) && a.partner >= 0)
  | "addr" -> from (fun e -> e.addr)
  | "data" -> from (fun e -> if e.kind = W then e.data else [])
  | "ctrl" -> from (fun e -> e.ctrl)
  | "ssg" -> same "sg" | "swg" -> same "wg" | "skr" -> same "kr" | "sdv" -> same "dev" | "ssys" -> same "all"
  | "sr" -> pairs (fun i j a b -> inside i j && a.attr.scope <> "" && b.attr.scope <> ""
                                  && together a.attr.scope (item i) (item j) && together b.attr.scope (item i) (item j))
  | "syncbar" -> meets false
  | "syncpb" -> meets true
  | "lxsx" -> Rel.empty s.n
  | _ -> fault "there is no base relation %s" name
