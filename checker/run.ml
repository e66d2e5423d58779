(* The paths of one work-item, as lines `path` of a certificate name them: docs/models/semantics.md, "Events" (dependencies), "Complete and stuck
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
  sides : (int * int * bool) list;                 (* operands it is in: pair, when entered, right one *)
}
let kinds = [ "R", R; "W", W; "F", F; "CM", CM; "B", B; "PB", PB ]
let event kind loc attr =
  { kind; loc; attr; value = K 0L; line = 0; bar = None; partner = -1; in_rmw = false;
    addr = []; data = []; ctrl = []; sides = [] }

(* When an assignment is there: when events are executed; or all up to a count, behind so many crash
   statements. *)
type needs = Loaded of int list | Computed of int * int
type ending =
  | Ended
  | Waits of sym list * (int * int) list           (* constraints on the latest values; read, location *)
  | At_barrier of barrier
  | Bound
  | Faulted of string

type path = {
  number : int;                                    (* among those of its work-item *)
  shown : string;                                  (* as certificates show it *)
  events : event array; ending : ending; constraints : sym list; extra : bool;
  crashes : int list;                              (* events before each crash statement *)
  final : string -> sym; assigned : (string * sym * needs) list; (* oldest first *)
}

(* --- the code as a graph --- *)

let successors code i = match code.(i) with
  | If (_, t, _) -> [ i + 1; t ]
  | Goto t | Case t -> [ t ]
  | Stop -> []
  | _ -> [ i + 1 ]

(* Looks at all instructions, the last first, until nothing is new; look says whether something is. *)
let rec settle n look =
  let news = List.filter look (List.init n (fun i -> n - 1 - i)) in
  if news <> [] then settle n look

let replace table i v = table.(i) <> v && (table.(i) <- v; true)

(* Of each instruction the next that comes whatever its branches decide; -1 for none. *)
let meeting_places code =
  let n = Array.length code in
  let all = Ints.of_list (List.init n Fun.id) in
  let behind = Array.make n all in                 (* itself, and what always comes behind it *)
  settle n (fun i ->
    let next = List.map (fun j -> behind.(j)) (successors code i) in
    let common = if next = [] then Ints.empty else List.fold_left Ints.inter all next in
    let now = Ints.add i common in
    not (Ints.equal now behind.(i)) && (behind.(i) <- now; true));
  let size j = Ints.cardinal behind.(j) in
  Array.init n (fun i -> Ints.fold (fun j best ->
    if j <> i && (best < 0 || size j > size best) then j else best) behind.(i) (-1))

(* What a branch decides: what is between it and the place where its ways meet again. *)
let region code meet i =
  let rec go seen j = if j = meet.(i) || Ints.mem j seen then seen
    else List.fold_left go (Ints.add j seen) (successors code j) in
  List.fold_left go Ints.empty (successors code i)

let addr_vars a = List.concat_map (fun (e, _, _) -> vars e) a.dims
let uses = function
  | Set (_, e, extra) -> List.concat_map vars (e :: extra)
  | Load (_, a, _) | Maintain (a, _) -> addr_vars a
  | Store (a, e, _) -> addr_vars a @ vars e
  | Update u -> addr_vars u.addr @ List.concat_map vars (Option.to_list u.test @ [ u.value ])
  | If (e, _, _) -> vars e
  | _ -> []
let assigns = function
  | Set (r, _, _) | Load (r, _, _) -> [ r ]
  | Update u -> [ u.old; u.ok ]
  | _ -> []
let own = function Update u -> [ u.old ] | _ -> []   (* has a value before the rest is computed *)
let rec divides = function
  | Bin (o, _, a, b) -> o = "/" || o = "%" || divides a || divides b
  | Conv (_, e) -> divides e
  | Num _ | Var _ -> false

(* Where jumps back lead to, and where they stand. *)
let jumps_back code =
  let of_place i = match code.(i) with
    | Case _ -> []
    | _ -> List.filter_map (fun j -> if j <= i then Some (j, i) else None) (successors code i) in
  List.concat_map of_place (List.init (Array.length code) Fun.id)
let within jumps i = List.exists (fun (head, back) -> i >= head && i <= back) jumps

(* A set of registers that grows; whether one is new. *)
let also set names =
  let fresh = List.filter (fun r -> not (Hashtbl.mem set r)) names in
  List.iter (fun r -> Hashtbl.replace set r ()) fresh; fresh <> []

(* Registers, branches and loops that depend on no read and that nothing uses are left out of loops ("a back-off's
   counter"), but for what divides. *)
let without_idle code wanted =
  let n = Array.length code in
  let meet = meeting_places code and jumps = jumps_back code in
  let decides = Array.mapi (fun i -> function If _ -> region code meet i | _ -> Ints.empty) code in
  let read = Hashtbl.create 16 and used = Hashtbl.create 16 in
  let is_read r = Hashtbl.mem read r in
  settle n (fun i -> match code.(i) with
    | Set _ when not (List.exists is_read (uses code.(i))) -> false
    | ins -> also read (assigns ins));
  let stays i = function
    | Goto _ | Case _ -> false
    | Set (_, e, _) -> divides e || not (within jumps i)
    | If (e, _, _) -> divides e || not (within jumps i) || List.exists is_read (vars e)
    | _ -> true in
  let needed = Array.mapi stays code in
  ignore (also used wanted);
  settle n (fun i ->
    let decides_needed () = Ints.exists (fun j -> needed.(j) && j <> i) decides.(i) in
    if needed.(i) then also used (uses code.(i))
    else
      (List.exists (Hashtbl.mem used) (assigns code.(i)) || decides_needed ())
      && (needed.(i) <- true; true));
  Array.mapi (fun i ins -> match ins with
    | If _ when not needed.(i) && meet.(i) >= 0 -> Goto meet.(i)
    | Set _ when not needed.(i) -> Goto (i + 1)
    | _ -> ins) code

type graph = {
  code : instr array; meet : int array;
  live : string list array;                        (* registers that are still read from here on *)
  loops : (int * int) list;                        (* where each begins and ends *)
  in_loop : int -> bool;
  decide : int -> string list;                     (* registers that decide whether a loop goes on *)
}

let graph code wanted =
  if Array.length code > 500 then outside "more than 500 instructions of a work-item";
  let code = without_idle code wanted in
  let n = Array.length code in
  let places = List.init n Fun.id in
  let meet = meeting_places code in
  let live = Array.make n [] in
  settle n (fun i ->
    let after = if code.(i) = Stop then wanted
      else List.concat_map (fun j -> live.(j)) (successors code i) in
    let but l = List.filter (fun r -> not (List.mem r l)) in
    replace live i (List.sort_uniq compare
      (but (assigns code.(i)) after @ but (own code.(i)) (uses code.(i)))));
  let backward = jumps_back code in
  let last head = List.fold_left (fun m (h, b) -> if h = head then max m b else m) head backward in
  let loops = List.map (fun h -> h, last h) (List.sort_uniq compare (List.map fst backward)) in
  let decide head =
    let inside i = i >= head && i <= last head in
    let body = List.filter inside places in
    let guards i = List.filter (fun j -> match code.(j) with
      | If _ -> Ints.mem i (region code meet j)
      | _ -> false) body in
    let from i = List.concat_map (fun j -> uses code.(j)) (i :: guards i) in
    let leaves i = List.exists (fun j -> not (inside j)) (successors code i) in
    let rec close found = function
      | [] -> found
      | r :: rest when List.mem r found -> close found rest
      | r :: rest ->
        let sets = List.filter (fun i -> List.mem r (assigns code.(i))) body in
        close (r :: found) (List.concat_map from sets @ rest) in
    close [] (List.concat_map from (List.filter leaves body)) in
  { code; meet; live; loops; decide = memo decide;
    in_loop = within backward }

(* --- running --- *)

type world = {
  ptx : bool; unroll : int; racy : bool;           (* racy: failing iterations matter *)
  waits : barrier -> attr -> bool;
  ineffective : int -> bool;                       (* who writes there what he has read has only read *)
  wanted : string list; crash_wanted : string list;
  others_write : int -> int;                       (* how often the code of others writes a location *)
}
let most_paths = 4000
let most_retries = 8

type state = {
  pc : int; regs : (sym * int list) Smap.t; events : event list; n : int; cons : sym list;
  deps : (int * int list) list;                    (* branches: where their ways meet, what was read *)
  arrivals : state list Imap.t; kept : int Imap.t;
  is_extra : bool; branches : int; others : int; steps : int;
  crash_at : int list; set : (string * sym * needs) list; entered : (int * int) list;
  turns : state list Imap.t;                       (* when a loop's condition, a read, has said "go on" *)
  stuck : stuck option;
  retried : int;                                   (* where in this iteration a compare-exchange has failed
                                                      that expected what was read last there; or -1 *)
}
(* At the bound of a loop, from where to where; all that may still come is that it waits. *)
and stuck = { from : int; upto : int; there : state; mutable told : bool }

exception Divides of sym

let merged l = List.sort_uniq compare l
let at_key k map ~default = Option.value (Imap.find_opt k map) ~default
(* What a list that grows at its front has got since it was another one. *)
let newer l old = let n = List.length l - List.length old in List.filteri (fun i _ -> i < n) l

let ending_name = function
  | Ended -> "end"
  | Waits _ -> "await"
  | At_barrier _ -> "barrier"
  | Bound -> "bound"
  | Faulted _ -> "fault"

let paths w (item : item) =
  let g = graph item.code (w.wanted @ w.crash_wanted) in
  let found = ref [] in
  let reg st r = match Smap.find_opt r st.regs with
    | Some v -> v
    | None -> K (Option.value (List.assoc_opt r item.starts) ~default:0L), [] in
  let rec finish st ending = match st.stuck with
    | Some { told = true; _ } -> ()
    | Some s -> s.told <- true; finish { s.there with stuck = None } Bound
    | None ->
      if List.length !found >= most_paths then outside "more than %d paths of a work-item" most_paths;
      let events = List.rev st.events in
      let show e = Printf.sprintf "%s:%d" (fst (List.find (fun (_, k) -> k = e.kind) kinds)) e.line in
      found := { number = List.length !found; shown = String.concat " " (List.map show events @ [ ending_name ending ]);
                 events = Array.of_list events; ending; constraints = List.rev st.cons; extra = st.is_extra;
                 crashes = List.rev st.crash_at; final = (fun r -> fst (reg st r));
                 assigned = List.rev st.set } :: !found in
  let negate c = op "==" int64 c (K 0L) in
  let is_true v = op "!=" int64 v (K 0L) in
  (* With the constraint, or not at all where it is known to be false. *)
  let assume st c k = match c with
    | K 0L -> ()
    | K _ -> k st
    | _ when List.mem c st.cons -> k st
    | _ when List.mem (negate c) st.cons -> ()
    | _ -> k { st with cons = c :: st.cons } in
  let either st c yes no = assume st c yes; assume st (negate c) no in
  let rec sym st = function
    | Num v -> K v
    | Var r -> fst (reg st r)
    | Conv (ty, e) -> convert ty (sym st e)
    | Bin (o, ty, a, b) ->
      let x = sym st a and y = sym st b in
      let divides = match y with K v -> v = 0L | _ -> not (List.mem (is_true y) st.cons) in
      if (o = "/" || o = "%") && divides then raise (Divides y);
      op o ty x y in
  let dependencies st e = merged (List.concat_map (fun r -> snd (reg st r)) (vars e)) in
  let rec value st e k = match sym st e with
    | v -> k st v (dependencies st e)
    | exception Divides y ->
      assume st (op "==" int64 y (K 0L)) (fun st -> finish st (Faulted "division by zero"));
      (match y with K _ -> () | _ -> assume st (is_true y) (fun st -> value st e k)) in
  let locate st (a : addr) k =
    let rec go st base deps = function
      | [] -> k st base (merged deps)
      | (e, stride, bound) :: rest ->
        value st e (fun st v d ->
          let compared mark n = op mark int64 v (K (Int64.of_int n)) in
          let outer = op "||" int64 (compared "<" 0) (compared ">=" bound) in
          assume st outer (fun st -> finish st (Faulted "index outside of its array"));
          for i = 0 to bound - 1 do
            assume st (compared "==" i) (fun st ->
              go st (base + (i * stride)) (d @ deps) rest)
          done) in
    go st a.base [] a.dims in
  let add st ev =
    let sides = List.filter_map (fun (i, entered) ->
      let a, b, c = List.nth item.unsequenced i in
      if st.pc >= a && st.pc < c then Some (i, entered, st.pc >= b) else None) st.entered in
    let ctrl = merged (List.concat_map snd st.deps) in
    { st with events = { ev with ctrl; sides; line = item.lines.(st.pc) } :: st.events; n = st.n + 1 } in
  let assign st r v needs =
    let st = { st with regs = Smap.add r v st.regs } in
    if List.mem r w.crash_wanted then { st with set = (r, fst v, needs) :: st.set } else st in
  (* What an instruction gives to its own register; temporaries keep it for the register behind. *)
  let loaded st r v events =
    let st = assign st r v (Loaded events) in
    if r.[0] <> '.' || w.crash_wanted = [] then st
    else { st with set = (r, fst v, Loaded events) :: st.set } in
  let computed st = Computed (st.n, List.length (List.filter (fun n -> n = st.n) st.crash_at)) in
  (* Constants say the same of what decides. *)
  let alike head st s =
    let known s r = match reg s r with K v, [] -> Some v | _ -> None in
    let asked = List.filter (fun r -> List.mem r g.live.(head)) (g.decide head) in
    List.for_all (fun r -> known s r = known st r) asked in
  (* docs, "Retries" *)
  let limit st = if st.retried < 0 then w.unroll
    else max w.unroll (min most_retries (w.others_write st.retried)) in

  let rec continue st pc = if pc <= st.pc then again st pc else enter { st with pc }
  and enter st = match List.assoc_opt st.pc g.loops with
    | None -> step st
    | Some last ->
      step { st with arrivals = Imap.add st.pc [ st ] st.arrivals; kept = Imap.remove st.pc st.kept;
                     turns = Imap.filter (fun pc _ -> pc < st.pc || pc > last) st.turns }
  (* A jump backwards: an iteration has ended. *)
  and again st head =
    let here = { st with pc = head } in
    let before = at_key head st.arrivals ~default:[] in
    let last = match before with s :: _ -> s | [] -> outside "a jump into a loop" in
    (* Each register that is still read has the value it had. *)
    let kept r = op "==" int64 (fst (reg st r)) (fst (reg last r)) in
    let kept = List.map kept g.live.(head) in
    let same = List.fold_left (op "&&" int64) (K 1L) (List.filter (fun c -> c <> K 1L) kept) in
    let changed = List.exists (fun c -> List.mem (negate c) st.cons) kept in
    let next st = step { st with retried = -1; arrivals = Imap.add head (st :: before) st.arrivals } in
    if st.others <> last.others || changed then counted here before next
    else begin
      if st.n = last.n && st.cons == last.cons && same = K 1L then outside "a loop that nothing ends";
      either here same (fun here -> unchanged here before next) (fun here -> counted here before next)
    end
  and unchanged st before next =
    let head = st.pc and last = List.hd before in
    let hides r = List.mem r w.crash_wanted && not (List.mem r g.live.(head)) in
    let hidden = merged (List.filter hides (List.map (fun (r, _, _) -> r) (newer st.set last.set))) in
    let kept = at_key head st.kept ~default:0 in
    if kept < min 2 (List.length hidden) then next { st with kept = Imap.add head (kept + 1) st.kept }
    else begin
      let look i (e : event) = if e.kind = R then [ st.n - 1 - i, e.loc ] else [] in
      let looked = List.concat (List.mapi look (newer st.events last.events)) in
      finish last (Waits (newer st.cons last.cons, looked));
      (* It does not count against the bound. *)
      if w.racy && not st.is_extra then
        let st = { st with is_extra = true; turns = last.turns; stuck = last.stuck; retried = -1 } in
        step { st with arrivals = Imap.add head (st :: List.tl before) st.arrivals }
    end
  and counted st before next =
    let earlier = List.filter (fun s -> s.branches < st.branches && alike st.pc st s) before in
    if List.length earlier > limit st || st.stuck <> None then finish st Bound else next st
  (* The condition of a loop, which a read decides, says "go on". *)
  and goes_on st out k =
    let leaves (head, last) = head <= st.pc && st.pc <= last && out > last in
    match List.rev (List.filter leaves g.loops) with
    | [] -> k st
    | (head, last) :: _ ->
      let before = at_key st.pc st.turns ~default:[] in
      if List.length (List.filter (alike head st) before) < limit st then
        k { st with turns = Imap.add st.pc (st :: before) st.turns }
      else if st.stuck <> None then k st
      else k { st with stuck = Some { from = head; upto = last; there = st; told = false } }
  and step st = match st.stuck with
    | Some s when st.pc < s.from || st.pc > s.upto -> finish st Bound
    | _ ->
      let steps = st.steps + 1 in
      if steps > 100000 || st.n > 400 then outside "a run that is too long";
      let entered = List.concat (List.mapi (fun i (a, _, c) ->
        if st.pc = a then [ i, steps ]
        else match List.assoc_opt i st.entered with
          | Some s when st.pc < c && st.pc >= a -> [ i, s ]
          | _ -> []) item.unsequenced) in
      let deps = if w.ptx then st.deps else List.filter (fun (meet, _) -> meet <> st.pc) st.deps in
      execute { st with steps; entered; deps } g.code.(st.pc)
  and execute st ins =
    let on st = continue st (st.pc + 1) in
    let acted st = on { st with others = st.others + 1 } in
    match ins with
    | Stop -> finish st Ended
    | Goto t -> continue st t
    | Case t -> enter { st with pc = t }
    | Crash -> acted { st with crash_at = st.n :: st.crash_at }
    | Set (r, e, extra) ->
      value st e (fun st v deps ->
        let deps = merged (deps @ List.concat_map (dependencies st) extra) in
        (* A register that takes over just what an instruction gave is there with that instruction. *)
        let needs = match e with
          | (Var q | Conv (_, Var q)) when q.[0] = '.' && extra = [] ->
            (match List.find_opt (fun (t, _, _) -> t = q) st.set with
             | Some (_, _, n) -> n
             | None -> computed st)
          | _ -> computed st in
        on (assign st r (v, deps) needs))
    | If (e, t, own) ->
      value st e (fun st v deps ->
        let st = if deps = [] then st
          else { st with branches = st.branches + 1; deps = (g.meet.(st.pc), deps) :: st.deps } in
        either st (is_true v)
          (fun st -> if own && deps <> [] then goes_on st t on else on st)
          (fun st -> continue st t))
    | Load (r, a, attr) ->
      locate st a (fun st loc addr ->
        on (loaded (add st { (event R loc attr) with addr }) r (Read st.n, [ st.n ]) [ st.n ]))
    | Store (a, e, attr) ->
      locate st a (fun st loc addr ->
        value st e (fun st v data ->
          acted (add st { (event W loc attr) with addr; data; value = v })))
    | Maintain (a, attr) ->
      locate st a (fun st loc addr -> acted (add st { (event CM loc attr) with addr }))
    | Fence attr -> acted (add st (event F (-1) attr))
    | Barrier (b, attr) ->
      if w.waits b attr then finish st (At_barrier b);
      acted (add st { (event (if b.persist then PB else B) (-1) attr) with bar = Some b })
    | Update { addr; attr; failed; test; value; old; ok } ->
      locate st addr (fun st loc addr -> update st loc addr attr failed test value old ok)
  and update st loc addr attr failed test result old ok =
    let k = st.n in
    (* In PTX each half has its share of the order. *)
    let half mine = if not w.ptx || attr.order = "sc" then attr
      else { attr with order = if attr.order = mine || attr.order = "acq_rel" then mine else "rlx" } in
    let with_old = { st with regs = Smap.add old (Read k, [ k ]) st.regs } in
    let read st attr partner = add st { (event R loc attr) with addr; in_rmw = true; partner } in
    let gives st wrote =
      let events = if wrote then [ k; k + 1 ] else [ k ] in
      let st = loaded (loaded st old (Read k, [ k ]) events) ok (K (truth wrote), [ k ]) events in
      continue st (st.pc + 1) in
    let writes st =
      value { st with regs = with_old.regs } result (fun st v data ->
        let write = { (event W loc (half "rel")) with addr; data; value = v; in_rmw = true; partner = k } in
        let quiet st = gives (add (read st (half "acq") (k + 1)) write) true in
        let acts st = quiet { st with others = st.others + 1 } in
        if w.ineffective loc && g.in_loop st.pc then either st (op "==" int64 v (Read k)) quiet acts
        else acts st) in
    match test with
    | None -> writes st
    | Some t ->
      value with_old t (fun _ v _ ->
        let here = List.filter (fun (_, (e : event)) -> e.kind = R && e.loc = loc)
            (List.mapi (fun i e -> st.n - 1 - i, e) st.events) in
        let rec expects = function
          | Op ("==", _, _, e) | To (_, e) -> expects e
          | Read j -> (match here with (last, _) :: _ -> last = j | [] -> false)
          | _ -> false in
        let retried = if expects v then loc else st.retried in
        either st (is_true v) writes (fun st -> gives (read { st with retried } failed (-1)) false)) in
  enter { pc = 0; regs = Smap.empty; events = []; n = 0; cons = []; deps = []; arrivals = Imap.empty;
          kept = Imap.empty; is_extra = false; branches = 0; others = 0; steps = 0; crash_at = [];
          set = []; entered = []; turns = Imap.empty; stuck = None; retried = -1 };
  List.rev !found
