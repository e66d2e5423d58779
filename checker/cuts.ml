(* Crash states of an execution: docs/models/semantics.md, "Crash cuts". The rules are implications
   between "executed" and "durable"; a state is tried by what its last durable writes need. With bounds more
   cuts keep the rules than in any execution: docs/inside/certificates.md, "Why it is enough", 3. *)

open Value
open Program
open Run
open Skeleton
open Choice

type needs = { exec : Rel.set; durable : Rel.set }
let nothing = { exec = 0; durable = 0 }
let join a b = { exec = a.exec lor b.exec; durable = a.durable lor b.durable }

type t = {
  v : view;
  by_exec : needs array; by_durable : needs array;   (* what an event needs, directly *)
  cannot : Rel.set;                                  (* writes that never are durable *)
  later : Rel.t;                                     (* the versions that land behind one *)
  base : needs;
}

exception Impossible

(* All that there is where something comes to what was there before, which has all that it needs. *)
let close c ~forbidden there more =
  let rec go there fresh =
    if fresh.durable land c.cannot <> 0 || fresh.exec land forbidden <> 0 then raise Impossible;
    let next = ref nothing in
    Rel.iter (fun i -> next := join !next c.by_exec.(i)) fresh.exec;
    Rel.iter (fun i -> next := join !next c.by_durable.(i)) fresh.durable;
    grow there !next
  and grow there next =
    let exec = next.exec land lnot there.exec and durable = next.durable land lnot there.durable in
    let fresh = { exec; durable } in
    if fresh = nothing then there else go (join there fresh) fresh in
  grow there more

let durable_writes s = Skeleton.set s "NVM" land Skeleton.set s "W"

(* Of `lands-before` what counts: versions of one non-volatile location, the initial one first. *)
let landing s lands =
  let initial = Skeleton.set s "IW" and nvw = durable_writes s in
  let first = Rel.product s.n (initial land nvw) (nvw land lnot initial) in
  let versions = Rel.inter (Skeleton.relation s "loc") (Rel.product s.n nvw nvw) in
  Rel.diff (Rel.inter (Rel.union lands first) versions) (Skeleton.relation s "id")

(* Writes of two classes may become durable only together (docs/models/cat.md, "The persistency contract"). *)
let persist_cycle v =
  let s = v.p.s in
  let bound side name = Bounds.rel v.known (Bounds.bound v.known side name) in
  let nvw = durable_writes s in
  let before = Rel.inter (bound High "persist-before") (Rel.product s.n nvw nvw) in
  let before = Rel.closure (Rel.union before (landing s (bound High "lands-before"))) in
  let together = bound Low "persist-atomic" in
  let classes = Rel.closure (Rel.reflexive (Rel.union together (Rel.inverse together))) in
  not (Rel.is_empty (Rel.diff (Rel.inter before (Rel.inverse before)) classes))

(* Of the contract's relations lower bounds, of `can-persist` the upper one. *)
let make v =
  let s = v.p.s in
  let get name = Bounds.rel v.known (Bounds.bound v.known Low name) in
  let all = Rel.full s.n and initial = Skeleton.set s "IW" and nvw = durable_writes s in
  let moving = nvw land lnot initial in
  let within a b name = Rel.inter (get name) (Rel.product s.n a b) in
  let lands = landing s (get "lands-before") in
  let before = Rel.inverse (Rel.union (within nvw nvw "persist-before") lands) in
  let together = within nvw nvw "persist-atomic" in
  let classes = Rel.union together (Rel.inverse together) in
  let executes = Rel.inverse (get "executes-before") in
  let durable_first = Rel.inverse (within moving all "durable-before") in
  let exec_first = Rel.inverse (within all moving "durable-after") in
  let can_persist = Bounds.set (Bounds.bound v.known High "can-persist") in
  { v; cannot = moving land lnot can_persist; later = lands;
    base = { exec = initial; durable = initial land nvw };
    by_exec = Array.init s.n (fun i -> { exec = executes.(i); durable = durable_first.(i) });
    by_durable = Array.init s.n (fun i ->
      { exec = exec_first.(i) lor Rel.bit i; durable = before.(i) lor classes.(i) }) }

(* A work-item that stands at crash statements between two events has passed some of them: `passed`,
   of those behind `at` events. *)
type stand = { at : int; passed : int }
type mode = Anywhere | Point of int * stand | At_end

(* What is tried: a cut that has what was chosen so far, where work-items stand, the assignments that
   registers have (work-item, register, which one; -1 for none), the last versions of locations. *)
type partial = {
  now : needs; stands : (int * stand) list; given : (int * string * int) list; versions : int list;
}

let most_cuts = 200000

(* Tells states: values of non-volatile locations, values of registers. A register has the last
   assignment that is there (docs, "Registers"); of each location the last durable write is tried. *)
let states c mode ~nvm ~registers tell =
  let v = c.v in
  let s = v.p.s in
  let length t = Array.length s.chosen.(t).events in
  let events t from upto = Rel.filter s.n (fun i -> i >= s.first.(t) + from && i < s.first.(t) + upto) in
  let forbidden, wanted, stands = match mode with
    | Anywhere -> 0, 0, []
    | Point (t, st) -> events t st.at (length t), events t 0 st.at, [ t, st ]
    | At_end -> 0, Rel.full s.n, [] in
  let tried = ref 0 in
  (* Goes on where the cut can have this, too. *)
  let extend partial ~exec ~durable go =
    incr tried;
    if !tried > most_cuts then outside "more than %d cuts of an execution" most_cuts;
    match close c ~forbidden partial.now { exec; durable } with
    | exception Impossible -> ()
    | now -> go { partial with now } in
  let known = function Some v -> v | None -> raise Unknown_value in
  let needed t = function
    | Loaded l -> Rel.of_list (List.map (fun k -> s.first.(t) + k) l)
    | Computed (n, _) -> events t 0 n in
  (* Behind a crash statement: it is passed, or some later event has executed. *)
  let there { now; stands; _ } t needs =
    now.exec land needed t needs = needed t needs
    && match needs with
    | Loaded _ | Computed (_, 0) -> true
    | Computed (n, k) ->
      mode = At_end || now.exec land events t n (length t) <> 0
      || (match List.assoc_opt t stands with Some st -> st.at = n && k <= st.passed | None -> false) in
  (* Who may be anywhere may stand where this is there. *)
  let standing t needs stands = match needs, mode, List.assoc_opt t stands with
    | (Loaded _ | Computed (_, 0)), _, _ | _, At_end, _ -> stands
    | _, Point (u, _), _ when u = t -> stands
    | Computed (n, k), _, Some st when st.at > n || (st.at = n && st.passed >= k) -> stands
    | Computed (n, k), _, _ -> (t, { at = n; passed = k }) :: List.remove_assoc t stands in
  let assignments t r = List.filter (fun (q, _, _) -> q = r) s.chosen.(t).assigned in
  let last_there partial = List.for_all (fun (t, r, k) ->
    let later i (_, _, needs) = i > k && there partial t needs in
    not (List.mem true (List.mapi later (assignments t r)))) partial.given in
  let is_last partial w = c.later.(w) land partial.now.durable land lnot (Rel.bit w) = 0 in
  let rec locations partial regs mem = function
    | [] -> tell (List.rev mem, regs)
    | loc :: rest when v.p.writes.(loc) = [] -> locations partial regs (s.starts.(loc) :: mem) rest
    | loc :: rest ->
      let version w = extend partial ~exec:0 ~durable:(Rel.bit w) (fun next ->
        let next = { next with versions = w :: partial.versions } in
        if List.for_all (is_last next) next.versions && last_there next then
          locations next regs (known (v.written w) :: mem) rest) in
      List.iter version v.p.writes.(loc) in
  let rec all_registers partial regs = function
    | [] -> if last_there partial then locations partial (List.rev regs) [] nvm
    | (t, r) :: rest ->
      let give k partial value =
        all_registers { partial with given = (t, r, k) :: partial.given } (value :: regs) rest in
      give (-1) partial (List.assoc_opt r s.items.(t).starts);
      List.iteri (fun k (_, e, needs) ->
        let partial = { partial with stands = standing t needs partial.stands } in
        extend partial ~exec:(needed t needs) ~durable:0 (fun next ->
          if there next t needs then give k next (Some (known (v.value t e))))) (assignments t r) in
  let nothing_yet = { now = nothing; stands; given = []; versions = [] } in
  extend nothing_yet ~exec:(c.base.exec lor wanted) ~durable:c.base.durable (fun partial ->
    all_registers partial [] registers)

(* Where the crash may come, in an execution. *)
type crashes = Never | Everywhere | At_points | Behind_all
let places (chosen : path array) =
  let points t (p : path) = List.mapi (fun i at ->
    let passed = List.length (List.filteri (fun j n -> j < i && n = at) p.crashes) in
    Point (t, { at; passed })) p.crashes in
  function
  | Never -> []
  | Everywhere -> [ Anywhere ]
  | Behind_all -> if Array.exists (fun (p : path) -> p.ending = Bound) chosen then [] else [ At_end ]
  | At_points -> List.concat (List.mapi points (Array.to_list chosen))
