(* What is asked of a test, what executions show of it, and the verdict: docs/models/semantics.md,
   "What is undefined", "Verdicts", "Recovery". *)

open Value
open Program
open Run
open Choice

(* A final state has what is listed of it (docs, "Which states are listed"), a crash state non-volatile locations and registers. *)
type seen =
  | Final of int64 list
  | Crashed of int64 list * int64 option list
  | Flag of string
  | Undefined of string
  | Bounded                                 (* a loop met its bound *)
type found = (seen, unit) Hashtbl.t

let has (found : found) x = Hashtbl.mem found x
let add (found : found) x = Hashtbl.replace found x ()
let all (found : found) f = List.sort compare (List.filter_map f (List.of_seq (Hashtbl.to_seq_keys found)))
let finals found = all found (function Final l -> Some l | _ -> None)
let crashed found = all found (function Crashed (m, r) -> Some (m, r) | _ -> None)
let undefined found = List.nth_opt (all found (function Undefined why -> Some why | _ -> None)) 0

(* A program, on whatever memory, with all that is asked of it. *)
type job = {
  test : test; model : Cat.model; items : item array; paths : path list array;
  listed : term list; asked_at_crash : (int * string) list;  (* of final states; registers *)
  filter : prop option; crashes : Cuts.crashes;
}

(* Launches have locations that no test can name. *)
let named test l = test.locs.(l).name.[0] <> '.'
let nvm_of test = List.filter (fun i -> test.locs.(i).nvm) (List.init (Array.length test.locs) Fun.id)
let registers props = List.sort_uniq compare (List.filter_map (function Register (t, r) -> Some (t, r) | _ -> None) (List.concat_map terms props))

(* --- paths and their combinations --- *)

(* What the code of a work-item may access: locations, orders and scopes, and whether it may write. *)
let accesses (item : item) =
  let reach (a : addr) = List.fold_left (fun bases (_, stride, n) ->
    List.concat_map (fun b -> List.init n (fun i -> b + (i * stride))) bases) [ a.base ] a.dims in
  List.concat_map (fun ins ->
    let at a attrs writes = List.map (fun l -> l, attrs, writes) (reach a) in
    match ins with
    | Load (_, a, attr) -> at a [ attr ] false
    | Store (a, _, attr) -> at a [ attr ] true
    | Update { addr; attr; failed; _ } -> at addr [ attr; failed ] true
    | _ -> []) (Array.to_list item.code)

(* docs, "Read-modify-writes that change nothing". *)
let ineffective test model items =
  let everywhere = List.concat_map (fun (item : item) -> List.map (fun (l, attrs, _) -> l, item, attrs) (accesses item)) (Array.to_list items) in
  let coherence = Cat.named model "lands-before" == Cat.named model "co" in
  let table = Array.init (Array.length test.locs) (fun loc ->
    let here = List.filter (fun (l, _, _) -> l = loc) everywhere in
    let fits item (attr : attr) = attr.atomic && List.for_all (fun (_, other, _) -> Skeleton.together attr.scope item other) here in
    (coherence || not test.locs.(loc).nvm) && List.for_all (fun (_, item, attrs) -> List.for_all (fits item) attrs) here) in
  fun loc -> table.(loc)

let others_write items (item : item) loc =
  let writes (i : item) = if i.id = item.id then [] else List.filter (fun (l, _, writes) -> writes && l = loc) (accesses i) in
  List.length (List.concat_map writes (Array.to_list items))

(* Base sets and set operators alone: docs/models/cat.md, "The persistency contract" (waits). *)
let rec in_waits (n : Cat.node) (b : barrier) (attr : attr) : bool =
  let at n = in_waits n b attr in
  match n.desc with
  | Cat.Union (x, y) -> at x || at y
  | Inter (x, y) -> at x && at y
  | Diff (x, y) -> at x && not (at y)
  | Not x -> not (at x)
  | Empty -> false
  | Base "_" -> true
  | Base "B" -> not b.persist
  | Base "PB" -> b.persist
  | Base s -> (match List.assoc_opt s Skeleton.scopes with Some c -> attr.scope = c | None -> false)
  | _ -> outside "waits of this form"

let waits model items (item : item) b attr =
  (not b.persist || in_waits (Cat.named model "waits") b attr) && List.length (Skeleton.members items item b) > 1

let prepare test model (items : item array) ~listed ~crash_props ~filter ~crashes ~unroll =
  let is_mark = function Fence a -> List.exists (fun t -> List.mem t [ "tx_begin"; "tx_end"; "tx_abort" ]) a.tags | _ -> false in
  if Array.exists (fun (i : item) -> Array.exists is_mark i.code) items then outside "transactions";
  let racy = List.exists (fun (c : Cat.check) -> c.effect = Cat.Undefined) model.Cat.checks in
  let quiet = ineffective test model items and asked_at_crash = registers crash_props in
  let wanted = registers (Option.to_list filter @ List.map (fun t -> Cmp ("==", t, t)) listed) in
  let of_item (item : item) =
    let names = List.filter_map (fun (t, r) -> if t = item.id then Some r else None) in
    Run.paths { ptx = test.ptx; unroll; racy; ineffective = quiet; most_paths = 4000; others_write = others_write items item;
                waits = waits model items item; wanted = names wanted; crash_wanted = names asked_at_crash } item in
  { test; model; items; listed; asked_at_crash; filter; crashes; paths = Array.map of_item items }

(* What a write stores that is known before anything is chosen. *)
let constant job (e : event) = match e.value with K v -> Some (wrap job.test.locs.(e.loc).ty v) | _ -> None
(* A path does not go on as it does where its K-th event reads this. *)
let ends (p : path) k v = List.exists (fun c -> Value.eval (fun j -> if j = k then v else None) c = Some 0L) p.constraints

(* Without paths that go on as no value of any write, of any path, would let them. *)
let rec possible_paths job (starts : int64 array) =
  let stored = Hashtbl.create 31 in
  Array.iter (List.iter (fun (p : path) -> Array.iter (fun (e : event) ->
    if e.kind = W then Hashtbl.replace stored (e.loc, constant job e) ()) p.events)) job.paths;
  Array.iteri (fun loc v -> Hashtbl.replace stored (loc, Some v) ()) starts;
  let values = Array.make (Array.length starts) [] in
  Hashtbl.iter (fun (loc, v) () -> values.(loc) <- v :: values.(loc)) stored;
  let lives (p : path) = not (List.exists (fun k -> p.events.(k).kind = R && List.for_all (ends p k) values.(p.events.(k).loc))
    (List.init (Array.length p.events) Fun.id)) in
  let paths = Array.map (List.filter lives) job.paths in
  if Array.map List.length paths = Array.map List.length job.paths then job else possible_paths { job with paths } starts

let most_combinations = 100000

(* One path of each work-item; of one at most an extra iteration. drop: some of the first paths go with no others. *)
let combinations job ~drop =
  let count = ref 0 in
  let rec from t chosen extra =
    incr count;
    if !count > most_combinations then outside "more than %d combinations of paths" most_combinations;
    if t = Array.length job.items then [ Array.of_list (List.rev chosen) ]
    else List.concat_map (fun (p : path) ->
      if (p.extra && extra) || drop (p :: chosen) then [] else from (t + 1) (p :: chosen) (extra || p.extra)) job.paths.(t) in
  List.filter (Skeleton.can_meet (waits job.model job.items) job.items) (from 0 [] false)

(* --- what executions show --- *)

let truth job values = holds (function Int v -> Some v | t -> List.assoc_opt t (List.combine job.listed values))

(* Tells all that an execution may show that agrees with the choice; of one that is whole, what it shows. *)
let shows job v tell =
  let s = v.s in
  let known = function Some v -> v | None -> raise Unknown_value in
  let checks effect f = List.iter (fun (c : Cat.check) -> if c.effect = effect && not (Bounds.kept v.known c) then f c.name) job.model.checks in
  let complete = Array.for_all (fun (p : path) -> p.ending = Ended) s.chosen in
  let finals = if not complete then [] else
    let asked = List.sort_uniq compare (job.listed @ List.concat_map terms (Option.to_list job.filter)) in
    let locs = List.filter_map (function Loc l -> Some l | _ -> None) asked in
    let state values =
      let of_term = function
        | Int v -> v
        | Loc l -> known (List.assoc l (List.combine locs values))
        | Register (t, r) -> known (v.value t (s.chosen.(t).final r)) in
      match job.filter with
      | Some q when not (holds (fun t -> Some (of_term t)) q) -> None
      | _ -> Some (Final (List.map of_term job.listed)) in
    List.filter_map state (latest v locs) in
  (* What a filter takes out of sight takes this along. *)
  let visible = not complete || finals <> [] in
  let extra = Array.exists (fun (p : path) -> p.extra) s.chosen in
  let bounds n = Bounds.eval v.known (Cat.named job.model n) in
  let low n = Bounds.rel v.known (fst (bounds n)) in
  if visible then begin
    checks Cat.Undefined (fun name -> tell (Undefined name));
    if Array.length job.items > 1 && Skeleton.divergent job.items s.chosen then tell (Undefined "barrier-divergence");
    Array.iter (fun (p : path) -> match p.ending with Faulted why -> tell (Undefined why) | _ -> ()) s.chosen;
    if not extra && Cat.named job.model "lands-before" != Cat.named job.model "co"
       && not (Rel.is_acyclic (Cuts.landing s (Bounds.rel v.known (snd (bounds "lands-before"))))) then tell (Undefined "lands-before-cycle")
  end;
  if not extra then begin
    if Array.exists (fun (p : path) -> p.ending = Bound) s.chosen then tell Bounded;
    List.iter tell finals;
    if visible then checks Cat.Flag (fun name -> tell (Flag name));
    let places = Cuts.places s.chosen job.crashes in
    if places <> [] then
      let cuts = Cuts.make s ~get:low ~can_persist:(Bounds.set (snd (bounds "can-persist"))) in
      List.iter (fun place ->
        Cuts.states cuts place ~nvm:(nvm_of job.test) ~registers:job.asked_at_crash ~value:v.value ~written:v.written
          (fun (mem, regs) -> tell (Crashed (mem, regs)))) places
  end

(* --- verdicts --- *)

(* What may be said otherwise than by the test. *)
type options = { unroll : int; crash : Cuts.crashes option }

let jobs (test : test) model { unroll; crash } =
  let props states = List.filter_map (fun c -> if c.states = states then Some c.prop else None) test.conditions in
  let mentioned l = List.filter (function Int _ -> false | _ -> true) (List.sort_uniq compare l) in
  let conditions states = List.concat_map terms (props states) in
  let nvm = List.map (fun l -> Loc l) (nvm_of test) in
  let listed = match mentioned (conditions Final @ test.shown) with
    | [] -> List.filter_map (fun l -> if named test l then Some (Loc l) else None) (List.init (Array.length test.locs) Fun.id)
    | l -> l in
  let points = Array.exists (fun (i : item) -> Array.mem Crash i.code) test.items in
  let crashes = match crash with
    | Some Cuts.At_points when not points -> Cuts.Everywhere
    | Some c -> c
    | None -> if points then Cuts.At_points else Cuts.Everywhere in
  let recovery items again = Some (prepare test model items ~listed:(mentioned (nvm @ conditions Recovered)) ~crash_props:[] ~filter:None
    ~crashes:(if again then Cuts.Everywhere else Cuts.Never) ~unroll) in
  prepare test model test.items ~listed ~crash_props:(props After_crash) ~filter:test.filter ~crashes ~unroll,
  match test.recovery with
  | No_recovery -> None
  | Relaunch again -> recovery test.items again
  | Program (items, again) -> recovery items again

let first_values (test : test) = Array.map (fun l -> l.first) test.locs

(* Memory after a crash: non-volatile locations as it left them. *)
let after_crash (test : test) values =
  let starts = first_values test in
  List.iter2 (fun l v -> starts.(l) <- v) (nvm_of test) values; starts

let most_rounds = 8

(* Recovery from each state, and from each that a crash in it leaves, round by round; gives whether some state is
   never recovered. run: what is found from a memory. *)
let recover test run (found : found) (recovered : found) =
  let livelock = ref false and tried = Hashtbl.create 31 in
  let rec rounds k states =
    let fresh = List.sort_uniq compare (List.filter (fun m -> not (Hashtbl.mem tried m)) states) in
    if fresh <> [] && k > most_rounds then add found Bounded
    else if fresh <> [] then
      rounds (k + 1) (List.concat_map (fun m ->
        Hashtbl.replace tried m ();
        let r = run (after_crash test m) in
        if finals r = [] && not (has r Bounded) then livelock := true;
        Hashtbl.iter (fun x () -> match x with
          | Final _ -> add recovered x
          | Undefined why -> add found (Undefined ("recovery: " ^ why))
          | Flag _ | Bounded -> add found x
          | Crashed _ -> ()) r;
        List.map fst (crashed r)) fresh) in
  rounds 1 (List.map fst (crashed found)); !livelock

type answer = { verdict : string; found : found; recovered : found; job : job; rjob : job option }

let severity v = match v with "ok" -> 0 | "unknown" -> 1 | "violated" -> 2 | "undefined" -> 3 | _ -> 4

(* run: what is found of a job from a memory; lists: recovery is looked at whatever is undefined before it. *)
let answer (test : test) (job, rjob) ~run ~lists ~expected =
  let found = run job (first_values test) and recovered = Hashtbl.create 31 in
  let livelock = match rjob with
    | Some r when lists || undefined found = None -> recover test (run r) found recovered
    | _ -> false in
  let bounded = has found Bounded in
  let condition c =
    let holds_in = match c.states, rjob with
      | Final, _ -> List.map (fun l -> truth job l c.prop) (finals found)
      | Recovered, Some j -> List.map (fun l -> truth j l c.prop) (finals recovered)
      | Recovered, None -> []
      | After_crash, _ -> List.map (fun (m, r) ->
          holds (function Int v -> Some v | Loc l -> List.assoc_opt l (List.combine (nvm_of test) m)
            | Register (t, q) -> Option.join (List.assoc_opt (t, q) (List.combine job.asked_at_crash r))) c.prop) (crashed found) in
    let decided = List.mem (c.quantifier <> Forall) holds_in in
    if c.states = Recovered && livelock then "error"
    else if (not decided && bounded) || (holds_in = [] && c.quantifier <> Exists && expected <> "ok") then "unknown"
    else if decided = (c.quantifier = Exists) then "ok" else "violated" in
  let least = if test.conditions = [] && bounded then "unknown" else "ok" in
  let worst = List.fold_left (fun w v -> if severity v > severity w then v else w) least (List.map condition test.conditions) in
  { verdict = (if undefined found <> None then "undefined" else if livelock then "error" else worst); found; recovered; job; rjob }
