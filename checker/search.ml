(* The executions of a skeleton: sources of reads, coherence and the model's own orders, chosen one
   after the other; docs/models/semantics.md, "Complete and stuck executions"; docs/models/cat.md, "Choices". *)

open Value
open Run
open Skeleton
open Bounds

(* An order that is being chosen: pairs that are decided (closed), pairs that it may not have, its events' pairs. *)
type order = { yes : Rel.t; no : Rel.t; may : Rel.t }
(* own: by `with`; ready when what they contain is known. *)
type choice = { source : int array; co : order; fences : order; own : order array; ready : bool }

let event_id s t k = s.first.(t) + k
let is_read s i = s.event.(i).kind = R

(* The writes that a read may return: of its location, not the other half of its read-modify-write. *)
let sources s i =
  let e = s.event.(i) in
  List.filter (fun j -> s.event.(j).kind = W && s.event.(j).loc = e.loc
                        && not (s.owner.(j) = s.owner.(i) && e.partner >= 0 && s.index.(j) = e.partner))
    (List.init s.n Fun.id)

(* Values along rf; None: not known, as a source is not chosen or the value goes round in a circle. *)
let rec value s choice depth t e =
  if depth > s.n then None else
  Value.eval (fun k ->
    let source = choice.source.(event_id s t k) in
    if source < 0 then None else written s choice (depth + 1) source) e
and written s choice depth i =
  if s.owner.(i) < 0 then (match s.event.(i).value with K v -> Some v | _ -> None)
  else Option.map (wrap s.test.locs.(s.event.(i).loc).ty) (value s choice depth s.owner.(i) s.event.(i).value)

(* What a path has assumed is false by the values that are known. *)
let contradicts s choice =
  let false_ t c = value s choice 0 t c = Some 0L in
  let bad t (p : path) = List.exists (false_ t) p.constraints in
  Array.exists Fun.id (Array.mapi bad s.chosen)

(* The writes of a location that may be the latest. *)
let latest s choice loc =
  List.filter (fun i -> s.event.(i).kind = W && s.event.(i).loc = loc && choice.co.yes.(i) = 0) (List.init s.n Fun.id)

(* All ways to take one element of each list. *)
let rec ways = function
  | [] -> [ [] ]
  | l :: rest -> let tails = ways rest in List.concat_map (fun x -> List.map (fun t -> x :: t) tails) l

let latest_values s choice locs =
  ways (List.map (fun loc -> match latest s choice loc with
    | [] -> [ Some s.starts.(loc) ]
    | l -> List.map (written s choice 0) l) locs)

(* The latest values keep everybody waiting who waits. *)
let keeps_waiting s choice =
  let waiting t (p : path) = match p.ending with
    | Waits (constraints, looked) ->
      let locs = List.sort_uniq compare (List.map snd looked) in
      List.exists (fun values ->
        let table = List.combine locs values in
        let read k = match List.assoc_opt k looked with
          | Some loc -> List.assoc loc table
          | None -> value s choice 0 t (Read k) in
        List.for_all (fun c -> match Value.eval read c with Some v -> v <> 0L | None -> true) constraints)
        (latest_values s choice locs)
    | _ -> true in
  Array.for_all Fun.id (Array.mapi waiting s.chosen)

(* --- what is known of a choice --- *)

let high o = Rel.diff o.may (Rel.union (Rel.inverse o.yes) o.no)
let decided o = Rel.is_empty (Rel.diff o.may (Rel.union o.yes (Rel.union (Rel.inverse o.yes) o.no)))
let bounds_of o = if decided o then (let v = Rel o.yes in v, v) else Rel o.yes, Rel (high o)

let known s model fixed choice =
  let rf_low = Rel.empty s.n and rf_high = Rel.empty s.n in
  let complete = ref true in
  for i = 0 to s.n - 1 do
    if is_read s i then
      if choice.source.(i) >= 0 then begin
        let w = choice.source.(i) in
        rf_low.(w) <- rf_low.(w) lor Rel.bit i; rf_high.(w) <- rf_high.(w) lor Rel.bit i
      end else begin
        complete := false;
        List.iter (fun w -> rf_high.(w) <- rf_high.(w) lor Rel.bit i) (sources s i)
      end
  done;
  let rf = if !complete then (let v = Rel rf_low in v, v) else Rel rf_low, Rel rf_high in
  let co = bounds_of choice.co in
  let fr = two (fun rf co -> match rf, co with
    | Rel rf, Rel co -> Rel (Rel.compose (Rel.inverse rf) co) | _ -> assert false) rf co in
  { skeleton = s; model; fixed; moving = [ "rf", rf; "co", co; "fr", fr; "sync_fence", bounds_of choice.fences ];
    choices = Array.map bounds_of choice.own; cache = Hashtbl.create 97; vars = [] }

(* SC fences and SC accesses that sync_fence orders: in each other's scope; of one work-item in the order of the text. *)
let fence_order s =
  let takes i = let e = s.event.(i) in e.attr.order = "sc" && s.owner.(i) >= 0
    && (e.kind = F || e.kind = R || (e.kind = W && not e.in_rmw)) in
  let sr = Skeleton.relation s "sr" in
  let may = Rel.init s.n (fun i j -> i <> j && takes i && takes j && (Rel.mem j sr.(i) || s.owner.(i) = s.owner.(j))) in
  let yes = Rel.init s.n (fun i j -> takes i && takes j && s.owner.(i) = s.owner.(j) && i < j) in
  { yes; no = Rel.empty s.n; may }

let start s model =
  let write i = s.event.(i).kind = W in
  let may = Rel.init s.n (fun i j -> i <> j && write i && write j && s.event.(i).loc = s.event.(j).loc) in
  let yes = Rel.init s.n (fun i j -> Rel.mem j may.(i) && s.owner.(i) < 0) in
  let none = { yes = Rel.empty s.n; no = Rel.empty s.n; may = Rel.empty s.n } in
  { source = Array.make s.n (-1); co = { yes; no = Rel.empty s.n; may };
    fences = (if Hashtbl.mem model.Cat.nodes ("base", [], [ "sync_fence" ]) then fence_order s else none);
    own = Array.of_list (List.map (fun _ -> { none with may = Rel.diff (Rel.complement none.may) (Skeleton.relation s "id") }) model.Cat.choices);
    ready = model.Cat.choices = [] }

let undecided o =
  let left = Rel.diff o.may (Rel.union o.yes (Rel.union (Rel.inverse o.yes) o.no)) in
  let rec find i = if i >= Array.length left then None
    else if left.(i) <> 0 then Some (i, List.hd (Rel.elements left.(i))) else find (i + 1) in
  find 0

(* The order with a pair, closed; None where that is none. *)
let put o i j =
  let yes = Rel.closure (Rel.init (Array.length o.yes) (fun a b -> Rel.mem b o.yes.(a) || (a = i && b = j))) in
  if Rel.is_irreflexive yes && Rel.is_empty (Rel.inter yes o.no) then Some { o with yes } else None
let leave_open o i j =
  let no = Array.copy o.no in
  no.(i) <- no.(i) lor Rel.bit j; no.(j) <- no.(j) lor Rel.bit i;
  if Rel.is_empty (Rel.inter o.yes no) then Some { o with no } else None

(* What is chosen next, and its values. *)
type split =
  | Source of int * int list
  | Pair of string * int * int * int * string list  (* which order, its number, two events; < > | *)
  | Ready                                           (* for the orders by `with` *)
  | Whole

let with_source choice i w = { choice with source = Array.mapi (fun k x -> if k = i then w else x) choice.source }

(* The read with the fewest sources that values admit; all its sources are values of the choice. *)
let next s choice =
  let open_reads = List.filter (fun i -> is_read s i && choice.source.(i) < 0) (List.init s.n Fun.id) in
  let admitted i = List.length (List.filter (fun w -> not (contradicts s (with_source choice i w))) (sources s i)) in
  let rec fewest best n = function
    | [] -> best
    | i :: rest -> let k = admitted i in if k = 0 then i else if k < n then fewest i k rest else fewest best n rest in
  match open_reads with
  | i :: rest -> let i = if rest = [] then i else fewest i max_int open_reads in Source (i, sources s i)
  | [] ->
    match undecided choice.co, undecided choice.fences with
    | Some (i, j), _ -> Pair ("o", 0, i, j, if s.test.ptx then [ "<"; ">"; "|" ] else [ "<"; ">" ])
    | None, Some (i, j) -> Pair ("f", 0, i, j, [ "<"; ">" ])
    | None, None ->
      if not choice.ready then Ready else
      let rec own k = if k >= Array.length choice.own then Whole else
        match undecided choice.own.(k) with
        | Some (i, j) -> Pair ("w", k, i, j, [ "<"; ">" ])
        | None -> own (k + 1) in
      own 0

let with_pair choice which k i j value =
  let o = match which with "o" -> choice.co | "f" -> choice.fences | _ -> choice.own.(k) in
  let o = match value with "<" -> put o i j | ">" -> put o j i | _ -> leave_open o i j in
  Option.map (fun o -> match which with
    | "o" -> { choice with co = o }
    | "f" -> { choice with fences = o }
    | _ -> { choice with own = Array.mapi (fun n x -> if n = k then o else x) choice.own }) o

(* The orders of `with x from linearisations(S, r)` are chosen when rf and co are: on S, containing r+. *)
let ready_orders s model fixed choice =
  let k = known s model fixed choice in
  let rec go own = function
    | [] -> Some { choice with own = Array.of_list (List.rev own); ready = true }
    | (set_node, rel_node) :: rest ->
      let k = { k with choices = Array.of_list (List.rev_map bounds_of own); cache = Hashtbl.create 31 } in
      let on = Bounds.set (fst (eval k set_node)) in
      let r = Rel.closure (Bounds.rel k (fst (eval k rel_node))) in
      let pairs = Rel.product s.n on on in
      let yes = Rel.inter r pairs in
      if not (Rel.is_irreflexive yes) then None
      else go ({ yes; no = Rel.empty s.n; may = Rel.diff pairs (Rel.identity s.n on) } :: own) rest in
  go [] model.Cat.choices
