(* A partial choice: sources of reads, coherence, the model's own orders; and what is known under it.
   docs/models/semantics.md, "Complete and stuck executions"; docs/models/cat.md, "Choices". *)

open Value
open Run
open Skeleton
open Bounds

(* An order that is being chosen: the pairs that it has, closed; those it is not to have; those that are to be
   decided; and all that it can have. *)
type order = { yes : Rel.t; no : Rel.t; may : Rel.t; room : Rel.t }
type which = Coherence | Fences | Own of int   (* the last: the K-th choice by `with` *)

(* ready: what the orders by `with` contain is known. *)
type choice = { source : int array; co : order; fences : order; own : order array; ready : bool }

let order c = function Coherence -> c.co | Fences -> c.fences | Own k -> c.own.(k)
let events s p = List.filter p (List.init s.n Fun.id)
let is_read s i = s.event.(i).kind = R
let writes s loc = events s (fun i -> s.event.(i).kind = W && s.event.(i).loc = loc)

(* The writes that a read may return: of its location, not the other half of its read-modify-write. *)
let sources s i =
  let own j = s.owner.(j) = s.owner.(i) && s.event.(i).partner >= 0 && s.index.(j) = s.event.(i).partner in
  List.filter (fun j -> not (own j)) (writes s s.event.(i).loc)

let with_source c i w = let source = Array.copy c.source in source.(i) <- w; { c with source }

(* The choice with a pair, one way ('<', '>') or open ('|'); None where that is no order. *)
let with_pair c which i j way =
  let o = order c which in
  let put i j =
    let yes = Array.copy o.yes in
    yes.(i) <- yes.(i) lor Rel.bit j;
    { o with yes = Rel.closure yes } in
  let o = match way with
    | "<" -> put i j
    | ">" -> put j i
    | _ -> { o with no = Rel.init (Array.length o.no) (fun a b -> Rel.mem b o.no.(a) || (a, b) = (i, j) || (a, b) = (j, i)) } in
  if not (Rel.is_irreflexive o.yes && Rel.is_empty (Rel.inter o.yes o.no)) then None
  else Some (match which with
    | Coherence -> { c with co = o }
    | Fences -> { c with fences = o }
    | Own k -> { c with own = Array.mapi (fun n x -> if n = k then o else x) c.own })

let undecided o = Rel.diff o.may (Rel.union o.yes (Rel.union (Rel.inverse o.yes) o.no))
let decided o = Rel.is_empty (undecided o)

(* All but the orders by `with` is chosen; all is. *)
let almost_whole s c = decided c.co && decided c.fences && events s (fun i -> is_read s i && c.source.(i) < 0) = []
let whole s c = c.ready && Array.for_all decided c.own && almost_whole s c

(* SC fences and SC accesses: in each other's scope; of one work-item in the order of the text. *)
let fence_order s =
  let takes i = let e = s.event.(i) in e.attr.order = "sc" && s.owner.(i) >= 0
    && (e.kind = F || e.kind = R || (e.kind = W && not e.in_rmw)) in
  let sr = Skeleton.relation s "sr" in
  let pairs p = Rel.init s.n (fun i j -> i <> j && takes i && takes j && p i j) in
  { yes = pairs (fun i j -> s.owner.(i) = s.owner.(j) && i < j); no = Rel.empty s.n;
    may = pairs (fun i j -> Rel.mem j sr.(i) || s.owner.(i) = s.owner.(j)); room = pairs (fun _ _ -> true) }

let start s (model : Cat.model) =
  let empty = Rel.empty s.n in
  let write i = s.event.(i).kind = W in
  let may = Rel.init s.n (fun i j -> i <> j && write i && write j && s.event.(i).loc = s.event.(j).loc) in
  let none = { yes = empty; no = empty; may = empty; room = empty } in
  let any = { none with room = Rel.complement (Skeleton.relation s "id") } in
  { source = Array.make s.n (-1);
    co = { none with yes = Rel.init s.n (fun i j -> Rel.mem j may.(i) && s.owner.(i) < 0); may; room = may };
    fences = (if Hashtbl.mem model.nodes ("base", [], [ "sync_fence" ]) then fence_order s else none);
    own = Array.of_list (List.map (fun _ -> any) model.choices); ready = model.choices = [] }

(* --- what is known --- *)

type view = {
  s : Skeleton.t; choice : choice; known : Bounds.known;
  value : int -> sym -> int64 option;          (* of an expression of a work-item *)
  written : int -> int64 option;               (* by a write *)
}

type mark = Unseen | Entered | Seen of int64 option

(* Values along rf. None: not known, as a source is not chosen or the value goes round in a circle. *)
let values s choice =
  let marks = Array.make s.n Unseen in
  let rec value t e = Value.eval (fun k -> match choice.source.(s.first.(t) + k) with -1 -> None | w -> written w) e
  and written i = match marks.(i) with
    | Seen v -> v
    | Entered -> None
    | Unseen ->
      marks.(i) <- Entered;
      let e = s.event.(i) in
      let v = Option.map (wrap s.test.locs.(e.loc).ty) (value s.owner.(i) e.value) in
      marks.(i) <- Seen v; v in
  value, written

let bounds_of o =
  if decided o then (let v = Rel o.yes in v, v)
  else Rel o.yes, Rel (Rel.diff o.room (Rel.union (Rel.inverse o.yes) o.no))

let view (model : Cat.model) s fixed choice =
  let low = Rel.empty s.n and high = Rel.empty s.n in
  let add r i w = r.(w) <- r.(w) lor Rel.bit i in
  List.iter (fun i -> match choice.source.(i) with
    | -1 -> List.iter (add high i) (sources s i)
    | w -> add low i w; add high i w) (events s (is_read s));
  let rf = if low = high then (let v = Rel low in v, v) else Rel low, Rel high in
  let co = bounds_of choice.co in
  let fr = two (fun rf co -> match rf, co with
    | Rel rf, Rel co -> Rel (Rel.compose (Rel.inverse rf) co) | _ -> assert false) rf co in
  let value, written = values s choice in
  { s; choice; value; written;
    known = { skeleton = s; model; fixed; moving = [ "rf", rf; "co", co; "fr", fr; "sync_fence", bounds_of choice.fences ];
              choices = Array.map bounds_of choice.own; cache = Hashtbl.create 97; vars = [] } }

(* The orders of `with x from linearisations(S, r)`, once S and r are known: on S, containing r+. *)
let ready_orders model s fixed choice =
  let known = (view model s fixed choice).known in
  let sure (low, high) = if low = high then low else outside "a choice by `with` that depends on another" in
  let rec go own = function
    | [] -> Some { choice with own = Array.of_list (List.rev own); ready = true }
    | (set_node, rel_node) :: rest ->
      let k = { known with choices = Array.of_list (List.rev_map bounds_of own); cache = Hashtbl.create 31 } in
      let on = Bounds.set (sure (eval k set_node)) in
      let pairs = Rel.diff (Rel.product s.n on on) (Rel.identity s.n on) in
      let r = Rel.closure (Bounds.rel k (sure (eval k rel_node))) in
      let yes = Rel.inter r (Rel.product s.n on on) in
      if Rel.is_irreflexive yes then go ({ yes; no = Rel.empty s.n; may = pairs; room = pairs } :: own) rest else None in
  go [] model.Cat.choices

(* Some expression that its path assumed is false; each holds. *)
let possible = function Some 0L -> false | _ -> true
let certain = function Some 0L | None -> false | _ -> true
let assumed v fits = Array.for_all Fun.id (Array.mapi (fun t (p : path) ->
  List.for_all (fun c -> fits (v.value t c)) p.constraints) v.s.chosen)

(* All ways to take one element of each list. *)
let ways lists =
  if List.fold_left (fun n l -> min 10000 (n * List.length l)) 1 lists >= 10000 then outside "too many latest writes";
  List.fold_right (fun l tails -> List.concat_map (fun x -> List.map (fun t -> x :: t) tails) l) lists [ [] ]

(* The values that the latest writes of locations may have. *)
let latest v locs =
  ways (List.map (fun loc -> match List.filter (fun i -> v.choice.co.yes.(i) = 0) (writes v.s loc) with
    | [] -> [ Some v.s.starts.(loc) ]
    | l -> List.map v.written l) locs)

(* The latest values keep everybody waiting who waits. *)
let keeps_waiting v fits =
  let waiting t (p : path) = match p.ending with
    | Waits (constraints, looked) ->
      let locs = List.sort_uniq compare (List.map snd looked) in
      List.exists (fun values ->
        let read k = match List.assoc_opt k looked with
          | Some loc -> List.assoc loc (List.combine locs values)
          | None -> v.value t (Read k) in
        List.for_all (fun c -> fits (Value.eval read c)) constraints) (latest v locs)
    | _ -> true in
  Array.for_all Fun.id (Array.mapi waiting v.s.chosen)
