(* Crash states of an execution: docs/models/semantics.md, "Crash cuts". The rules are implications
   between "executed" and "durable"; a state is tried by what its last durable writes need. *)

open Value
open Program
open Run
open Skeleton

type needs = { exec : int; durable : int }
type t = {
  s : Skeleton.t;
  by_exec : needs array; by_durable : needs array;   (* what needs, directly *)
  cannot : int;                                      (* writes that never are durable *)
  later : Rel.t;                                     (* versions of a location, in the order in which they land *)
  base : needs;
}

exception Impossible

let close c ~forbidden from =
  let rec go done_ todo =
    let all = { exec = done_.exec lor todo.exec; durable = done_.durable lor todo.durable } in
    if all.durable land c.cannot <> 0 || all.exec land forbidden <> 0 then raise Impossible;
    let next = ref { exec = 0; durable = 0 } in
    let take n = next := { exec = !next.exec lor n.exec; durable = !next.durable lor n.durable } in
    Rel.iter (fun i -> take c.by_exec.(i)) (todo.exec land lnot done_.exec);
    Rel.iter (fun i -> take c.by_durable.(i)) (todo.durable land lnot done_.durable);
    if !next.exec land lnot all.exec = 0 && !next.durable land lnot all.durable = 0 then all else go all !next in
  go { exec = 0; durable = 0 } from

(* Of `lands-before` what counts: versions of one non-volatile location, the initial one first. *)
let landing s lands =
  let initial = Skeleton.set s "IW" and nvw = Skeleton.set s "NVM" land Skeleton.set s "W" in
  let first = Rel.product s.n (initial land nvw) (nvw land lnot initial) in
  let versions = Rel.inter (Skeleton.relation s "loc") (Rel.product s.n nvw nvw) in
  Rel.diff (Rel.inter (Rel.union lands first) versions) (Skeleton.relation s "id")

(* get: the contract's relations, at their lower bounds; can_persist at its upper one. *)
let make s ~get ~can_persist =
  let n = s.n in
  let initial = Skeleton.set s "IW" and nvw = Skeleton.set s "NVM" land Skeleton.set s "W" in
  let moving = nvw land lnot initial in
  let within a b r = Rel.inter r (Rel.product n a b) in
  let lands = landing s (get "lands-before") in
  let before = Rel.inverse (Rel.union (within nvw nvw (get "persist-before")) lands) in
  let classes = let a = within nvw nvw (get "persist-atomic") in Rel.closure (Rel.union a (Rel.inverse a)) in
  let executes = Rel.inverse (get "executes-before") in
  let durable_first = Rel.inverse (within moving (Rel.full n) (get "durable-before")) in
  let exec_first = Rel.inverse (within (Rel.full n) moving (get "durable-after")) in
  { s; cannot = moving land lnot can_persist; later = Rel.closure lands; base = { exec = initial; durable = initial land nvw };
    by_exec = Array.init n (fun i -> { exec = executes.(i); durable = durable_first.(i) });
    by_durable = Array.init n (fun i -> { exec = exec_first.(i) lor Rel.bit i; durable = before.(i) lor classes.(i) }) }

(* A work-item that stands at crash statements between two events has passed some of them: `passed`, of those
   behind `at` events. *)
type stand = { at : int; passed : int }
type mode = Anywhere | Point of int * stand | At_end

let most_cuts = 200000

(* Tells states: values of non-volatile locations, values of registers. A register has the last assignment that is
   there (docs, "Registers"); of each location the last durable write is tried. *)
let states c mode ~nvm ~registers ~value ~written tell =
  let s = c.s in
  let own t from upto = (* events of a work-item, by place *)
    let r = ref 0 in for i = from to upto - 1 do r := !r lor Rel.bit (s.first.(t) + i) done; !r in
  let length t = Array.length s.chosen.(t).events in
  let forbidden, wanted, stands = match mode with
    | Anywhere -> 0, 0, []
    | Point (t, st) -> own t st.at (length t), own t 0 st.at, [ t, st ]
    | At_end -> 0, Rel.full s.n, [] in
  let fixed = match mode with Point (t, _) -> t | _ -> -1 in
  let tried = ref 0 in
  (* Goes on where the cut can have this, too. *)
  let extend now ~exec ~durable go =
    incr tried;
    if !tried > most_cuts then outside "more than %d cuts of an execution" most_cuts;
    match close c ~forbidden { exec = now.exec lor exec; durable = now.durable lor durable } with
    | exception Impossible -> ()
    | next -> go next in
  let known = function Some v -> v | None -> raise Unknown_value in
  let needs_exec t = function
    | Loaded l -> List.fold_left (fun e k -> e lor Rel.bit (s.first.(t) + k)) 0 l
    | Computed (n, _) -> own t 0 n in
  (* Behind a crash statement: it is passed, or some later event has executed. *)
  let there now stands t a =
    now.exec land needs_exec t a = needs_exec t a
    && match a with
    | Loaded _ | Computed (_, 0) -> true
    | Computed (n, k) -> mode = At_end || now.exec land own t n (length t) <> 0
                         || (match List.assoc_opt t stands with Some st -> st.at = n && k <= st.passed | None -> false) in
  let assignments t r = List.filter (fun (q, _, _) -> q = r) s.chosen.(t).assigned in
  let last_there now stands chosen = List.for_all (fun (t, r, k) ->
    not (List.exists Fun.id (List.mapi (fun i (_, _, a) -> i > k && there now stands t a) (assignments t r)))) chosen in
  let rec locations now stands chosen regs picked values = function
    | [] -> tell (List.rev values, regs)
    | loc :: rest ->
      match Choice.writes s loc with
      | [] -> locations now stands chosen regs picked (s.starts.(loc) :: values) rest
      | ws -> List.iter (fun w -> extend now ~exec:0 ~durable:(Rel.bit w) (fun next ->
          let picked = w :: picked in
          if List.for_all (fun p -> c.later.(p) land next.durable land lnot (Rel.bit p) = 0) picked && last_there next stands chosen then
            locations next stands chosen regs picked (known (written w) :: values) rest)) ws in
  let rec registers_of now stands chosen regs = function
    | [] -> if last_there now stands chosen then locations now stands chosen (List.rev regs) [] [] nvm
    | (t, r) :: rest ->
      registers_of now stands ((t, r, -1) :: chosen) (List.assoc_opt r s.items.(t).starts :: regs) rest;
      List.iteri (fun k (_, e, a) ->
        (* Who may be anywhere may stand where this is there. *)
        let stands = match a with
          | Computed (n, p) when p > 0 && mode <> At_end && t <> fixed ->
            (match List.assoc_opt t stands with
             | Some st when st.at > n || (st.at = n && st.passed >= p) -> stands
             | _ -> (t, { at = n; passed = p }) :: List.remove_assoc t stands)
          | _ -> stands in
        extend now ~exec:(needs_exec t a) ~durable:0 (fun next ->
          if there next stands t a then registers_of next stands ((t, r, k) :: chosen) (Some (known (value t e)) :: regs) rest))
        (assignments t r) in
  extend c.base ~exec:wanted ~durable:0 (fun now -> registers_of now stands [] [] registers)

(* Where the crash may come, in an execution. *)
type crashes = Never | Everywhere | At_points | Behind_all
let places (chosen : path array) = function
  | Never -> []
  | Everywhere -> [ Anywhere ]
  | Behind_all -> if Array.exists (fun (p : path) -> p.ending = Bound) chosen then [] else [ At_end ]
  | At_points -> List.concat (Array.to_list (Array.mapi (fun t (p : path) ->
      List.mapi (fun i n -> Point (t, { at = n; passed = List.length (List.filter ((=) n) (List.filteri (fun j _ -> j < i) p.crashes)) })) p.crashes) chosen))
