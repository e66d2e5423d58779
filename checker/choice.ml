(* A partial choice: sources of reads, coherence, the model's own orders; and what is known under it: the
   first rows of the table in docs/inside/certificates.md, "Why it is enough", and its "Values".
   docs/models/semantics.md, "Complete and stuck executions"; docs/models/cat.md, "Choices". *)

open Value
open Run
open Skeleton
open Bounds

(* One combination of paths, with what is the same in all its choices. *)
type place = {
  s : Skeleton.t; model : Cat.model; fixed : Bounds.value Table.t;
  name : string array; named : (string, int) Hashtbl.t;  (* of events, as certificates call them *)
  writes : int list array;                     (* of a location *)
  reads : int list;
  sources : int list array;                    (* the writes that a read may return *)
}

(* An order that is being chosen: the pairs that it has, closed; those that it is not to have; those
   that are to be decided; and all that it may have. *)
type order = { yes : Rel.t; no : Rel.t; may : Rel.t; room : Rel.t }

(* orders: coherence, SC fences, and one for each choice by `with`; of these nothing is known until
   the choice is ready, for what they are to contain depends on all others. *)
type choice = { source : int array; orders : order array; ready : bool }
let names = [ "co"; "sync_fence" ]
let is_with which = which >= List.length names

let put a i x = let a = Array.copy a in a.(i) <- x; a
let with_source c i w = { c with source = put c.source i w }

(* The choice with a pair, one way ('<', '>') or open ('|'); None where that is no order. *)
let with_pair c which i j way =
  let o = c.orders.(which) in
  let o = match way with
    | "<" -> { o with yes = Rel.extend o.yes i j }
    | ">" -> { o with yes = Rel.extend o.yes j i }
    | _ -> { o with no = put (put o.no i (o.no.(i) lor Rel.bit j)) j (o.no.(j) lor Rel.bit i) } in
  let is_order = Rel.is_irreflexive o.yes && Rel.is_empty (Rel.inter o.yes o.no) in
  if is_order then Some { c with orders = put c.orders which o } else None

let undecided o = Rel.diff o.may (Rel.union o.yes (Rel.union (Rel.inverse o.yes) o.no))
let decided o = Rel.is_empty (undecided o)

let open_reads p c = List.filter (fun i -> c.source.(i) < 0) p.reads
(* All but the orders by `with` is chosen; all is. *)
let almost_whole p c = open_reads p c = [] && decided c.orders.(0) && decided c.orders.(1)
let whole p c = c.ready && open_reads p c = [] && Array.for_all decided c.orders

let place fixed (model : Cat.model) (s : Skeleton.t) =
  let events holds = List.filter (fun i -> holds i s.event.(i)) (List.init s.n Fun.id) in
  let writes_of loc = events (fun _ e -> e.kind = W && e.loc = loc) in
  let writes = Array.init (Array.length s.test.locs) writes_of in
  let reads = events (fun _ e -> e.kind = R) in
  (* Of its location, not the other half of its read-modify-write. *)
  let sources i = match s.event.(i) with
    | { kind = R; loc; partner; _ } ->
      List.filter (fun j -> s.owner.(j) <> s.owner.(i) || s.index.(j) <> partner) writes.(loc)
    | _ -> [] in
  let name = Array.init s.n (event_name s) in
  { s; model; fixed; writes; reads; sources = Array.init s.n sources; name;
    named = Hashtbl.of_seq (Seq.map (fun i -> name.(i), i) (List.to_seq (List.init s.n Fun.id))) }

let start { s; model; _ } =
  let empty = Rel.empty s.n in
  let pairs p = Rel.init s.n (fun i j -> i <> j && p i j s.event.(i) s.event.(j)) in
  let order ~yes may = { yes; no = empty; may; room = may } in
  let versions = pairs (fun _ _ a b -> a.kind = W && b.kind = W && a.loc = b.loc) in
  let initial_first = pairs (fun i j a b ->
    s.owner.(i) < 0 && b.kind = W && a.loc = b.loc && s.owner.(j) >= 0) in
  (* SC fences and SC accesses: in each other's scope; of one work-item in the order of the text. *)
  let fence e = e.attr.order = "sc" && (e.kind = F || e.kind = R || (e.kind = W && not e.in_rmw)) in
  let fences () =
    let all = pairs (fun _ _ a b -> fence a && fence b) in
    let own = pairs (fun i j a b -> fence a && fence b && s.owner.(i) = s.owner.(j) && i < j) in
    { (order ~yes:own all) with may = Rel.inter all (Skeleton.relation s "sr") } in
  let asked = Hashtbl.mem model.nodes ("base", [], [ "sync_fence" ]) in
  let any _ = order ~yes:empty (pairs (fun _ _ _ _ -> true)) in
  { source = Array.make s.n (-1); ready = model.choices = [];
    orders = Array.of_list (order ~yes:initial_first versions
                            :: (if asked then fences () else order ~yes:empty empty)
                            :: List.map any model.choices) }

(* --- what is known --- *)

type view = {
  p : place; choice : choice; known : Bounds.known;
  value : int -> sym -> int64 option;          (* of an expression of a work-item *)
  written : int -> int64 option;               (* by a write *)
}

type mark = Unseen | Entered | Seen of int64 option

(* Values along rf. None: not known, as a source is not chosen or the value goes round in a circle. *)
let values (s : Skeleton.t) choice =
  let marks = Array.make s.n Unseen in
  let rec value t e =
    Value.eval (fun k -> match choice.source.(s.first.(t) + k) with -1 -> None | w -> written w) e
  and written i = match marks.(i) with
    | Seen v -> v
    | Entered -> None
    | Unseen ->
      marks.(i) <- Entered;
      let e = s.event.(i) in
      let v = Option.map (wrap s.test.locs.(e.loc).ty) (value s.owner.(i) e.value) in
      marks.(i) <- Seen v; v in
  value, written

let bound_of_order side o =
  if side = Low || decided o then o.yes
  else Rel.diff o.room (Rel.union (Rel.inverse o.yes) o.no)

let bound_of_rf p c side =
  let rf = Rel.empty p.s.n in
  let add i w = rf.(w) <- rf.(w) lor Rel.bit i in
  List.iter (fun i -> match c.source.(i), side with
    | -1, High -> List.iter (add i) p.sources.(i)
    | -1, Low -> ()
    | w, _ -> add i w) p.reads;
  rf

let view p choice =
  let value, written = values p.s choice in
  let order side name =
    let with_ w = String.sub w 1 (String.length w - 1) in
    let which = match name with "co" -> 0 | "sync_fence" -> 1 | w -> 2 + int_of_string (with_ w) in
    bound_of_order side choice.orders.(which) in
  let rf_low = lazy (bound_of_rf p choice Low) and rf_high = lazy (bound_of_rf p choice High) in
  let rf = function Low -> Lazy.force rf_low | High -> Lazy.force rf_high in
  let moving side = function
    | "rf" -> rf side
    | "fr" -> Rel.compose (Rel.inverse (rf side)) (order side "co")
    | name -> order side name in
  let low = Table.create 97 in
  { p; choice; value; written;
    known = { skeleton = p.s; model = p.model; moving; fixed = p.fixed; low;
              high = if whole p choice then low else Table.create 97; vars = []; within = low } }

(* The orders of `with x from linearisations(S, r)`, once S and r are known: on S, containing r+. *)
let ready p c =
  let known = (view p c).known in
  let sure n =
    let low = eval known Low n in
    if low <> eval known High n then outside "a choice by `with` that depends on another"; low in
  let order (set_node, rel_node) =
    let on = set (sure set_node) in
    let pairs = Rel.diff (Rel.product p.s.n on on) (Rel.identity p.s.n on) in
    let yes = Rel.inter (Rel.closure (rel known (sure rel_node))) (Rel.product p.s.n on on) in
    { yes; no = Rel.empty p.s.n; may = pairs; room = pairs } in
  let own = List.map order p.model.choices in
  if List.for_all (fun o -> Rel.is_irreflexive o.yes) own then
    Some { c with orders = Array.append (Array.sub c.orders 0 2) (Array.of_list own); ready = true }
  else None

(* With the orders by `with`, as soon as they can be chosen; None where they cannot be. *)
let prepared p c = if not c.ready && almost_whole p c then ready p c else Some c

(* Each write's value is known, so none justifies itself. *)
let all_known v = List.for_all (List.for_all (fun w -> v.written w <> None)) (Array.to_list v.p.writes)

(* Some expression that its path assumed is false; each holds. *)
let possible = function Some 0L -> false | _ -> true
let certain = function Some 0L | None -> false | _ -> true
let assumed v fits = List.for_all Fun.id (List.mapi (fun t (path : path) ->
  List.for_all (fun c -> fits (v.value t c)) path.constraints) (Array.to_list v.p.s.chosen))

(* All ways to take one element of each list. *)
let ways lists =
  let number = List.fold_left (fun n l -> min 10000 (n * List.length l)) 1 lists in
  if number >= 10000 then outside "too many latest writes";
  let before l tails = List.concat_map (fun x -> List.map (fun t -> x :: t) tails) l in
  List.fold_right before lists [ [] ]

(* The values that the latest writes of locations may have, each way with the locations. *)
let latest v locs =
  let last i = v.choice.orders.(0).yes.(i) = 0 in
  let values loc = match List.filter last v.p.writes.(loc) with
    | [] -> [ loc, Some v.p.s.starts.(loc) ]
    | l -> List.map (fun i -> loc, v.written i) l in
  ways (List.map values locs)

(* The latest values keep everybody waiting who waits. *)
let keeps_waiting v fits =
  let waiting t (path : path) = match path.ending with
    | Waits (constraints, looked) ->
      let keeps latest =
        let read k = match List.assoc_opt k looked with
          | Some loc -> List.assoc loc latest
          | None -> v.value t (Read k) in
        List.for_all (fun c -> fits (Value.eval read c)) constraints in
      List.exists keeps (latest v (List.sort_uniq compare (List.map snd looked)))
    | _ -> true in
  List.for_all Fun.id (List.mapi waiting (Array.to_list v.p.s.chosen))

let possible_so_far v = assumed v possible && keeps_waiting v possible
let certain_at_last v = assumed v certain && keeps_waiting v certain
