(* The paths of one work-item: docs/models/semantics.md, "Events" (dependencies), "Complete and stuck
   executions" (bounds, awaits), "What is undefined" (faults). *)

open Value
open Program

module Ints = Set.Make (Int)
module Imap = Map.Make (Int)
module Smap = Map.Make (String)

type kind = R | W | F | CM | B | PB
type event = {
  kind : kind; loc : int; attr : attr; value : sym; line : int; bar : barrier option;
  partner : int; in_rmw : bool;                    (* the other half, or -1 *)
  addr : int list; data : int list; ctrl : int list;
  sides : (int * int * bool) list;                 (* operands it stands in: pair, when entered, on the right *)
}

(* When an assignment is there: when events are executed; or all up to a count, behind so many crash statements. *)
type needs = Loaded of int list | Computed of int * int
type ending =
  | Ended
  | Waits of sym list * (int * int) list           (* constraints on the latest values; read, location *)
  | At_barrier of barrier
  | Bound
  | Faulted of string

type path = {
  shown : string list;                             (* kind and line of each event, and the ending, for certificates *)
  events : event array; ending : ending; constraints : sym list; extra : bool;
  crashes : int list;                              (* events before each crash statement *)
  final : string -> sym; assigned : (string * sym * needs) list; (* oldest first *)
}

(* --- the code as a graph --- *)

let successors code i = match code.(i) with If (_, t, _) -> [ i + 1; t ] | Goto t | Case t -> [ t ] | Stop -> [] | _ -> [ i + 1 ]

let postdominators code =
  let n = Array.length code in
  let all = Ints.of_list (List.init n Fun.id) in
  let d = Array.init n (fun i -> if code.(i) = Stop then Ints.singleton i else all) in
  let changed = ref true in
  while !changed do
    changed := false;
    for i = n - 1 downto 0 do
      match successors code i with
      | [] -> ()
      | s :: rest ->
        let now = Ints.add i (List.fold_left (fun a j -> Ints.inter a d.(j)) d.(s) rest) in
        if not (Ints.equal now d.(i)) then (d.(i) <- now; changed := true)
    done
  done;
  Array.init n (fun i -> Ints.fold (fun j best ->
    if j = i then best else if best < 0 || Ints.cardinal d.(j) > Ints.cardinal d.(best) then j else best) d.(i) (-1))

(* What a branch decides: what is between it and the place where its ways meet again. *)
let region code meet i =
  let rec go seen j = if j = meet.(i) || Ints.mem j seen then seen else List.fold_left go (Ints.add j seen) (successors code j) in
  List.fold_left go Ints.empty (successors code i)

let addr_vars a = List.concat_map (fun (e, _, _) -> vars e) a.dims
let uses = function
  | Set (_, _, e, extra) -> vars e @ List.concat_map vars extra
  | Load (_, a, _) | Maintain (a, _) -> addr_vars a
  | Store (a, e, _) -> addr_vars a @ vars e
  | Update u -> addr_vars u.addr @ (match u.test with Some t -> vars t | None -> []) @ vars u.value
  | If (e, _, _) -> vars e
  | _ -> []
let assigns = function Set (r, _, _, _) | Load (r, _, _) -> [ r ] | Update u -> [ u.old; u.ok ] | _ -> []
let own = function Update u -> [ u.old ] | _ -> []   (* given a value before the rest of the instruction uses it *)
let acts = function Set _ | If _ | Goto _ | Case _ -> false | _ -> true

type graph = {
  code : instr array; meet : int array; live : string list array; in_loop : int -> bool;
  loops : (int * int) list;                        (* where each begins and ends *)
  decide : int -> string list;                     (* registers that decide whether the loop goes on *)
}

(* Registers, branches and loops that nothing uses are left out ("a back-off's counter"). *)
let without_idle code wanted =
  let meet = postdominators code in
  let regions = Array.mapi (fun i ins -> match ins with If _ -> region code meet i | _ -> Ints.empty) code in
  let needed = Array.map acts code and used = Hashtbl.create 16 in
  List.iter (fun r -> Hashtbl.replace used r ()) wanted;
  let changed = ref true in
  let need i = if not needed.(i) then (needed.(i) <- true; changed := true) in
  while !changed do
    changed := false;
    Array.iteri (fun i ins -> 
      if needed.(i) then List.iter (fun r -> if not (Hashtbl.mem used r) then (Hashtbl.replace used r (); changed := true)) (uses ins)) code;
    Array.iteri (fun i ins ->
      if List.exists (Hashtbl.mem used) (assigns ins) then need i;
      if Ints.exists (fun j -> needed.(j) && j <> i) regions.(i) then need i) code
  done;
  Array.mapi (fun i ins -> match ins with
    | If _ when not needed.(i) && meet.(i) >= 0 -> Goto meet.(i)
    | Set _ when not needed.(i) -> Goto (i + 1)
    | _ -> ins) code

let graph code wanted =
  if Array.length code > 500 then outside "more than 500 instructions of a work-item";
  let code = without_idle code wanted in
  let n = Array.length code in
  let meet = postdominators code in
  let live = Array.make n [] in
  let changed = ref true in
  while !changed do
    changed := false;
    for i = n - 1 downto 0 do
      let after = if code.(i) = Stop then wanted else List.concat_map (fun j -> live.(j)) (successors code i) in
      let now = List.sort_uniq compare
          (List.filter (fun r -> not (List.mem r (assigns code.(i)))) after
           @ List.filter (fun r -> not (List.mem r (own code.(i)))) (uses code.(i))) in
      if now <> live.(i) then (live.(i) <- now; changed := true)
    done
  done;
  let backward = List.concat (List.init n (fun i -> match code.(i) with
    | Case _ -> []
    | _ -> List.filter_map (fun j -> if j <= i then Some (j, i) else None) (successors code i))) in
  let loops = List.map (fun h -> h, List.fold_left (fun m (k, b) -> if k = h then max m b else m) h backward)
      (List.sort_uniq compare (List.map fst backward)) in
  let decide head =
    let last = List.assoc head loops in
    let inside i = i >= head && i <= last in
    let guards i = List.filter (fun j -> inside j && (match code.(j) with If _ -> Ints.mem i (region code meet j) | _ -> false)) (List.init n Fun.id) in
    let leaves i = inside i && List.exists (fun j -> not (inside j)) (successors code i) in
    let from_branch j = uses code.(j) in
    let exits = List.filter leaves (List.init n Fun.id) in
    let start = List.concat_map (fun i -> from_branch i @ List.concat_map from_branch (guards i)) exits in
    let rec close found = function
      | [] -> found
      | r :: rest when List.mem r found -> close found rest
      | r :: rest ->
        let sets = List.filter (fun i -> inside i && List.mem r (assigns code.(i))) (List.init n Fun.id) in
        close (r :: found) (List.concat_map (fun i -> uses code.(i) @ List.concat_map from_branch (guards i)) sets @ rest) in
    close [] start in
  let table = Hashtbl.create 7 in
  let decide h = match Hashtbl.find_opt table h with Some d -> d | None -> let d = decide h in Hashtbl.replace table h d; d in
  { code; meet; live; loops; decide;
    in_loop = (fun i -> List.exists (fun (h, b) -> i >= h && i <= b) backward) }

(* --- running --- *)

type world = {
  ptx : bool; unroll : int; racy : bool;           (* racy: failing iterations matter *)
  waits : barrier -> attr -> bool;
  ineffective : int -> bool;                       (* a read-modify-write there that writes what it read counts as a read *)
  wanted : string list; crash_wanted : string list;
  most_paths : int;
  others_write : int -> int;                       (* a location: how often the code of other work-items does *)
}
let most_retries = 8

type state = {
  pc : int; regs : (sym * int list) Smap.t; events : event list; n : int; cons : sym list;
  deps : (int * int list) list;                    (* branches: where their ways meet, what they have read *)
  arrivals : state list Imap.t; kept : int Imap.t;
  is_extra : bool; branches : int; others : int; steps : int;
  crash_at : int list; set : (string * sym * needs) list; entered : (int * int) list;
  turns : state list Imap.t;                       (* when the condition of a loop, a read, has said "go on" *)
  stuck : stuck option;
  retried : int;                                   (* in this iteration a compare-exchange has failed that expected what was read last there *)
}
(* At the bound of a loop, from where to where; all that may still come is that it waits. *)
and stuck = { from : int; upto : int; there : state; mutable told : bool }

exception Divides of sym

let unite a b = List.sort_uniq compare (a @ b)

let paths w (item : item) =
  let g = graph item.code (w.wanted @ w.crash_wanted) in
  let found = ref [] and count = ref 0 in
  let start r = match List.assoc_opt r item.starts with Some v -> K v | None -> K 0L in
  let reg st r = match Smap.find_opt r st.regs with Some v -> v | None -> start r, [] in
  let rec finish st ending = match st.stuck with
    | Some s -> if not s.told then (s.told <- true; finish { s.there with stuck = None } Bound)
    | None ->
    incr count;
    if !count > w.most_paths then outside "more than %d paths of a work-item" w.most_paths;
    let kind e = match e.kind with R -> "R" | W -> "W" | F -> "F" | CM -> "CM" | B -> "B" | PB -> "PB" in
    let ends = match ending with Ended -> "end" | Waits _ -> "await" | At_barrier _ -> "barrier" | Bound -> "bound" | Faulted _ -> "fault" in
    let shown = List.rev (ends :: List.map (fun e -> Printf.sprintf "%s:%d" (kind e) e.line) st.events) in
    found := { shown; events = Array.of_list (List.rev st.events); ending; constraints = List.rev st.cons; extra = st.is_extra;
               crashes = List.rev st.crash_at; final = (fun r -> fst (reg st r)); assigned = List.rev st.set } :: !found in
  let negate c = op "==" int64 c (K 0L) in
  (* With the constraint, or not at all where it is known to be false. *)
  let assume st c k = match c with
    | K 0L -> ()
    | K _ -> k st
    | _ when List.mem c st.cons -> k st
    | _ when List.mem (negate c) st.cons -> ()
    | _ -> k { st with cons = c :: st.cons } in
  let rec sym st e = match e with
    | Num v -> K v
    | Var r -> fst (reg st r)
    | Conv (ty, e) -> convert ty (sym st e)
    | Bin (o, ty, a, b) ->
      let x = sym st a and y = sym st b in
      if (o = "/" || o = "%") && (match y with K v -> v = 0L | _ -> not (List.mem (op "!=" int64 y (K 0L)) st.cons)) then raise (Divides y);
      op o ty x y in
  let dependencies st e = List.concat_map (fun r -> snd (reg st r)) (vars e) in
  let rec value st e k = match sym st e with
    | v -> k st v (List.sort_uniq compare (dependencies st e))
    | exception Divides y ->
      assume st (op "==" int64 y (K 0L)) (fun st -> finish st (Faulted "division by zero"));
      (match y with K _ -> () | _ -> assume st (op "!=" int64 y (K 0L)) (fun st -> value st e k)) in
  let locate st (a : addr) k =
    let rec go st base deps = function
      | [] -> k st base (List.sort_uniq compare deps)
      | (e, stride, bound) :: rest ->
        value st e (fun st v d ->
          let deps = d @ deps and limit = K (Int64.of_int bound) in
          assume st (op "||" int64 (op "<" int64 v (K 0L)) (op ">=" int64 v limit)) (fun st -> finish st (Faulted "index outside of its array"));
          match v with
          | K i when i >= 0L && i < Int64.of_int bound -> go st (base + (Int64.to_int i * stride)) deps rest
          | K _ -> ()
          | _ -> for i = 0 to bound - 1 do
              assume st (op "==" int64 v (K (Int64.of_int i))) (fun st -> go st (base + (i * stride)) deps rest)
            done) in
    go st a.base [] a.dims in
  let add st ev =
    let sides = List.filter_map (fun (i, when_) ->
      let a, b, c = List.nth item.unsequenced i in
      if st.pc >= a && st.pc < c then Some (i, when_, st.pc >= b) else None) st.entered in
    let ctrl = List.sort_uniq compare (List.concat_map snd st.deps) in
    { st with events = { ev with ctrl; sides; line = item.lines.(st.pc) } :: st.events; n = st.n + 1 } in
  let event kind loc attr = { kind; loc; attr; value = K 0L; line = 0; bar = None; partner = -1; in_rmw = false; addr = []; data = []; ctrl = []; sides = [] } in
  let assign st r v needs =
    let st = { st with regs = Smap.add r v st.regs } in
    if List.mem r w.crash_wanted then { st with set = (r, fst v, needs) :: st.set } else st in
  let crashes_here st = List.length (List.filter (fun n -> n = st.n) st.crash_at) in
  let computed st = Computed (st.n, crashes_here st) in
  let rec continue st pc = if pc <= st.pc then again st pc else enter { st with pc }
  and enter st = match List.assoc_opt st.pc g.loops with
    | None -> step st
    | Some last ->
      step { st with arrivals = Imap.add st.pc [ st ] st.arrivals; kept = Imap.remove st.pc st.kept;
                     turns = Imap.filter (fun pc _ -> pc < st.pc || pc > last) st.turns }
  (* A jump backwards: an iteration has ended. *)
  and again st head =
    let here = { st with pc = head } in
    let before = Option.value (Imap.find_opt head st.arrivals) ~default:[] in
    let last = match before with s :: _ -> s | [] -> outside "a jump into a loop" in
    (* Each register that is still read has the value it had. *)
    let same = List.fold_left (fun c r ->
      let now = fst (reg st r) and then_ = fst (reg last r) in
      if now = then_ then c else op "&&" int64 c (op "==" int64 now then_)) (K 1L) g.live.(head) in
    let next st = step { st with retried = -1; arrivals = Imap.add head (st :: before) st.arrivals } in
    if st.others <> last.others then counted here before next
    else begin
      if st.n = last.n && st.cons == last.cons && same = K 1L then outside "a loop that nothing ends";
      assume here same (fun here -> unchanged here last next);
      assume here (negate same) (fun here -> counted here before next)
    end
  and unchanged st last next =
    let head = st.pc in
    let rec newer l n = if n = 0 then [] else List.hd l :: newer (List.tl l) (n - 1) in
    let fresh = newer st.set (List.length st.set - List.length last.set) in
    let hidden = List.sort_uniq compare (List.filter (fun r -> List.mem r w.crash_wanted && not (List.mem r g.live.(head))) (List.map (fun (r, _, _) -> r) fresh)) in
    let kept = Option.value (Imap.find_opt head st.kept) ~default:0 in
    if kept < min 2 (List.length hidden) then next { st with kept = Imap.add head (kept + 1) st.kept }
    else begin
      let wait = newer st.cons (List.length st.cons - List.length last.cons) in
      let looked = List.mapi (fun i (e : event) -> st.n - 1 - i, e) (newer st.events (st.n - last.n)) in
      let looked = List.filter_map (fun (i, e) -> if e.kind = R then Some (i, e.loc) else None) looked in
      finish last (Waits (wait, looked));
      if w.racy && not st.is_extra then next { st with is_extra = true; turns = last.turns; stuck = last.stuck }
    end
  (* Constants say the same of what decides. *)
  and alike head st s =
    let known s r = match reg s r with K v, [] -> Some v | _ -> None in
    List.for_all (fun r -> known s r = known st r) (List.filter (fun r -> List.mem r g.live.(head)) (g.decide head))
  (* docs, "Retries" *)
  and limit st = if st.retried < 0 then w.unroll else max w.unroll (min most_retries (w.others_write st.retried))
  and counted st before next =
    let earlier = List.filter (fun s -> s.branches < st.branches && alike st.pc st s) before in
    if List.length earlier > limit st || st.stuck <> None then finish st Bound else next st
  (* The condition of a loop, which a read decides, says "go on". *)
  and goes_on st out k = match List.filter (fun (h, last) -> h <= st.pc && st.pc <= last && out > last) g.loops with
    | [] -> k st
    | loops ->
      let head, last = List.nth loops (List.length loops - 1) in
      let before = Option.value (Imap.find_opt st.pc st.turns) ~default:[] in
      if List.length (List.filter (alike head st) before) < limit st then k { st with turns = Imap.add st.pc (st :: before) st.turns }
      else k { st with stuck = (if st.stuck = None then Some { from = head; upto = last; there = st; told = false } else st.stuck) }
  and step st = match st.stuck with
    | Some s when st.pc < s.from || st.pc > s.upto -> finish st Bound
    | _ -> go st
  and go st =
    let st = { st with steps = st.steps + 1;
      deps = if w.ptx then st.deps else List.filter (fun (meet, _) -> meet <> st.pc) st.deps } in
    if st.steps > 100000 || st.n > 400 then outside "a run that is too long";
    let st = { st with entered =
      List.concat (List.mapi (fun i (a, _, c) ->
        if st.pc = a then [ i, st.steps ]
        else match List.assoc_opt i st.entered with Some s when st.pc < c && st.pc >= a -> [ i, s ] | _ -> []) item.unsequenced) } in
    let on st = continue st (st.pc + 1) in
    match g.code.(st.pc) with
    | Stop -> finish st Ended
    | Goto t -> continue st t
    | Case t -> enter { st with pc = t }
    | Crash -> on { st with crash_at = st.n :: st.crash_at; others = st.others + 1 }
    | Set (r, ty, e, extra) ->
      value st e (fun st v deps ->
        let deps = unite deps (List.concat_map (dependencies st) extra) in
        (* A register that takes over just what an instruction gave is there with that instruction. *)
        let needs = match e with
          | (Var q | Conv (_, Var q)) when q.[0] = '.' && extra = [] ->
            (match List.find_opt (fun (t, _, _) -> t = q) st.set with Some (_, _, n) -> n | None -> computed st)
          | _ -> computed st in
        on (assign st r (convert ty v, deps) needs))
    | If (e, t, own) ->
      value st e (fun st v deps ->
        let st = if deps = [] then st else { st with branches = st.branches + 1; deps = (g.meet.(st.pc), deps) :: st.deps } in
        assume st (op "!=" int64 v (K 0L)) (fun st ->
          let on st = continue st (st.pc + 1) in
          if own && deps <> [] then goes_on st t on else on st);
        assume st (negate (op "!=" int64 v (K 0L))) (fun st -> continue st t))
    | Load (r, a, attr) ->
      locate st a (fun st loc addr ->
        let k = st.n in
        let st = add st { (event R loc attr) with addr } in
        on (loaded st r (Read k, [ k ]) [ k ]))
    | Store (a, e, attr) ->
      locate st a (fun st loc addr ->
        value st e (fun st v data ->
          on { (add st { (event W loc attr) with addr; data; value = v }) with others = st.others + 1 }))
    | Maintain (a, attr) ->
      locate st a (fun st loc addr -> on { (add st { (event CM loc attr) with addr }) with others = st.others + 1 })
    | Fence attr -> on { (add st (event F (-1) attr)) with others = st.others + 1 }
    | Barrier (b, attr) ->
      if w.waits b attr then finish st (At_barrier b);
      on { (add st { (event (if b.persist then PB else B) (-1) attr) with bar = Some b }) with others = st.others + 1 }
    | Update u ->
      locate st u.addr (fun st loc addr ->
        let k = st.n in
        let half first = if not w.ptx then u.attr else
            { u.attr with order = match first, u.attr.order with
                | true, ("acq" | "acq_rel") -> "acq" | false, ("rel" | "acq_rel") -> "rel" | _, "sc" -> "sc" | _ -> "rlx" } in
        let with_old = { st with regs = Smap.add u.old (Read k, [ k ]) st.regs } in
        let result st wrote =
          let events = if wrote then [ k; k + 1 ] else [ k ] in
          let st = loaded st u.old (Read k, [ k ]) events in
          on (loaded st u.ok (K (truth wrote), [ k ]) events) in
        let read st attr wrote = add st { (event R loc attr) with addr; in_rmw = true; partner = if wrote then k + 1 else -1 } in
        let write st =
          value { st with regs = with_old.regs } u.value (fun st v data ->
            let both st = add (read st (half true) true) { (event W loc (half false)) with addr; data; value = v; in_rmw = true; partner = k } in
            let same = op "==" int64 v (Read k) in
            if v = Read k || (w.ineffective loc && g.in_loop st.pc) then begin
              let same = if v = Read k then K 1L else same in
              assume st same (fun st -> result (both st) true);
              assume st (negate same) (fun st -> result { (both st) with others = st.others + 1 } true)
            end else result { (both st) with others = st.others + 1 } true) in
        match u.test with
        | None -> write st
        | Some t ->
          value with_old t (fun _ v _ ->
            assume st (op "!=" int64 v (K 0L)) write;
            let last = List.find_opt (fun (_, (e : event)) -> e.kind = R && e.loc = loc) (List.mapi (fun i e -> st.n - 1 - i, e) st.events) in
            let rec expects = function Op ("==", _, _, e) -> expects e | To (_, e) -> expects e | Read j -> Option.map fst last = Some j | _ -> false in
            let retried = if expects v then loc else st.retried in
            assume st (negate (op "!=" int64 v (K 0L))) (fun st -> result (read { st with retried } u.failed false) false)))
  (* What an instruction gives to its own register; temporaries keep it for the register behind. *)
  and loaded st r v events =
    let st = assign st r v (Loaded events) in
    if r.[0] = '.' && w.crash_wanted <> [] then { st with set = (r, fst v, Loaded events) :: st.set } else st in
  enter { pc = 0; regs = Smap.empty; events = []; n = 0; cons = []; deps = []; arrivals = Imap.empty; kept = Imap.empty;
          is_extra = false; branches = 0; others = 0; steps = 0; crash_at = []; set = []; entered = []; turns = Imap.empty; stuck = None; retried = -1 };
  List.rev !found
