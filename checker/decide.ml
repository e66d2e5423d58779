(* Which paths go together, what an execution shows, and the verdict of all that was found:
   docs/inside/certificates.md, "What is claimed"; docs/models/semantics.md, "What is undefined", "Verdicts",
   and "Recovery" of docs/using/language.md. *)

open Value
open Program
open Run
open Choice
open Question

(* A final state has what is listed of it (docs, "Which states are listed"), a crash state non-volatile
   locations and registers. *)
type seen =
  | Final of int64 list
  | Crashed of int64 list * int64 option list
  | Flag of string
  | Undefined of string
  | Bounded                                 (* a loop met its bound *)
module Seen = Set.Make (struct type t = seen let compare = compare end)
type found = Seen.t ref
let kind_of = function
  | Final _ -> "a final state"
  | Crashed _ -> "a crash state"
  | Flag name -> "the flag " ^ name
  | Undefined why -> "undefined behaviour, " ^ why
  | Bounded -> "the bound of a loop"

let has (found : found) x = Seen.mem x !found
let add (found : found) x = found := Seen.add x !found
let all (found : found) pick = List.filter_map pick (Seen.elements !found)
let finals found = all found (function Final l -> Some l | _ -> None)
let crashed found = all found (function Crashed (m, r) -> Some (m, r) | _ -> None)
let undefined found = List.nth_opt (all found (function Undefined why -> Some why | _ -> None)) 0

(* --- paths and their combinations --- *)

(* What a write stores that is known before anything is chosen. *)
let constant job (e : event) = match e.value with
  | K v -> Some (wrap job.test.locs.(e.loc).ty v)
  | _ -> None
(* A path does not go on as it does where its K-th event reads this. *)
let ends (p : path) k v =
  List.exists (fun c -> Value.eval (fun j -> if j = k then v else None) c = Some 0L) p.constraints

(* Without paths that go on as no value lets them that a read may return: the initial one, what other
   work-items write on any path, and what the path writes but by the read's own read-modify-write. And without those
   that stand at a barrier to which all others come, or pass one to which somebody does not. *)
let rec possible_paths job (starts : int64 array) =
  let store keep values i (e : event) =
    if e.kind = W && keep i && not (List.mem (constant job e) values.(e.loc)) then
      values.(e.loc) <- constant job e :: values.(e.loc) in
  let written paths =
    let values = Array.map (fun _ -> []) starts in
    List.iter (fun (p : path) -> Array.iteri (store (fun _ -> true) values) p.events) paths; values in
  let by_item = Array.map written job.paths in
  let lives t (p : path) =
    let goes_on k (e : event) =
      let own = Array.map (fun _ -> []) starts in
      Array.iteri (store (fun i -> i <> e.partner) own) p.events;
      let others = List.mapi (fun u values -> if u = t then [] else values.(e.loc)) (Array.to_list by_item) in
      let may_be_read = Some starts.(e.loc) :: own.(e.loc) @ List.concat others in
      not (List.for_all (ends p k) may_be_read) in
    let may k (e : event) = e.kind <> R || goes_on k e in
    List.for_all Fun.id (List.mapi may (Array.to_list p.events)) in
  let paths = Array.mapi (fun t -> List.filter (lives t)) job.paths in
  let paths = Skeleton.without_strays (waits job.model job.items) job.items paths in
  if Array.map List.length paths = Array.map List.length job.paths then job
  else possible_paths { job with paths } starts

let most_combinations = 100000

(* One path of each work-item; of one at most an extra iteration. drop: some of the first paths, the
   newest first, go with no others. *)
let combinations job ~drop =
  let count = ref 0 in
  let rec from t chosen extra =
    incr count;
    if !count > most_combinations then outside "more than %d combinations of paths" most_combinations;
    if t = Array.length job.items then [ Array.of_list (List.rev chosen) ]
    else List.concat_map (fun (p : path) ->
      if (p.extra && extra) || drop (p :: chosen) then []
      else from (t + 1) (p :: chosen) (extra || p.extra)) job.paths.(t) in
  List.filter (Skeleton.can_meet (waits job.model job.items) job.items) (from 0 [] false)

(* --- what executions show --- *)

(* Of each final state that the latest writes may leave, and that the filter does not take away. *)
let final_states job v =
  let known = function Some v -> v | None -> raise Unknown_value in
  let asked = job.listed @ List.concat_map terms (Option.to_list job.filter) in
  let locs = List.filter_map (function Loc l -> Some l | _ -> None) asked in
  let state latest =
    let of_term = function
      | Int (v, _) -> v
      | Loc l -> known (List.assoc l latest)
      | Register (t, r) -> known (v.value t (v.p.s.chosen.(t).final r)) in
    match job.filter with
    | Some q when not (holds (fun t -> Some (of_term t)) q) -> None
    | _ -> Some (Final (List.map of_term job.listed)) in
  List.filter_map state (latest v (List.sort_uniq compare locs))

(* Tells all that an execution may show that agrees with the choice; of one that is whole, what it shows. *)
let shows job v tell =
  let chosen = v.p.s.chosen in
  let some ending = Array.exists (fun (p : path) -> ending p.ending) chosen in
  let checks effect say = List.iter (fun (c : Cat.check) ->
    if c.effect = effect && not (Bounds.kept v.known c) then tell (say c.name)) job.model.checks in
  let complete = not (some (fun e -> e <> Ended)) in
  let finals = if complete then final_states job v else [] in
  let extra = Array.exists (fun (p : path) -> p.extra) chosen in
  (* What a filter takes out of sight takes this along. *)
  let visible = not complete || finals <> [] in
  if visible then begin
    checks Cat.Undefined (fun name -> Undefined name);
    if Skeleton.divergent job.items chosen then tell (Undefined "barrier-divergence");
    Array.iter (fun (p : path) -> match p.ending with Faulted why -> tell (Undefined why) | _ -> ()) chosen;
    if not (extra || lands_in_coherence job.model) then begin
      let lands = Bounds.rel v.known (Bounds.bound v.known High "lands-before") in
      if not (Rel.is_acyclic (Cuts.landing v.p.s lands)) then tell (Undefined "lands-before-cycle")
    end
  end;
  if not extra then begin
    if some (fun e -> e = Bound) then tell Bounded;
    List.iter tell finals;
    if visible then checks Cat.Flag (fun name -> Flag name);
    if visible && job.own && Cuts.persist_cycle v then tell (Flag "persist-cycle");
    let places = Cuts.places chosen job.crashes in
    if places <> [] then begin
      let cuts = Cuts.make v in
      List.iter (fun place -> Cuts.states cuts place ~nvm:(nvm_of job.test) ~registers:job.asked_at_crash
        (fun (mem, regs) -> tell (Crashed (mem, regs)))) places
    end
  end

(* --- verdicts --- *)

let first_values (test : test) = Array.map (fun l -> l.first) test.locs

(* Memory after a crash: non-volatile locations as it left them. *)
let after_crash (test : test) values =
  let starts = first_values test in
  List.iter2 (fun l v -> starts.(l) <- v) (nvm_of test) values; starts

let most_rounds = 8

(* Recovery from each state, and from each that a crash in it leaves, round by round; gives whether some
   state is never recovered. run: what is found from a memory. *)
let recover test run (found : found) (recovered : found) =
  let livelock = ref false and tried = Hashtbl.create 31 in
  let from_state m =
    Hashtbl.replace tried m ();
    let r = run (after_crash test m) in
    if finals r = [] && not (has r Bounded) then livelock := true;
    Seen.iter (fun x -> match x with
      | Final _ -> add recovered x
      | Undefined why -> add found (Undefined ("recovery: " ^ why))
      | Flag _ | Bounded -> add found x
      | Crashed _ -> ()) !r;
    List.map fst (crashed r) in
  let rec rounds k states =
    let fresh = List.sort_uniq compare (List.filter (fun m -> not (Hashtbl.mem tried m)) states) in
    if fresh <> [] && k > most_rounds then add found Bounded
    else if fresh <> [] then rounds (k + 1) (List.concat_map from_state fresh) in
  rounds 1 (List.map fst (crashed found)); !livelock

type answer = { verdict : string; found : found; recovered : found; job : job; rjob : job option }

let severity v = match v with "ok" -> 0 | "unknown" -> 1 | "violated" -> 2 | "undefined" -> 3 | _ -> 4
let worse a b = if severity b > severity a then b else a

(* run: what is found of a job from a memory; lists: recovery is looked at whatever is undefined before it. *)
let answer (test : test) (job, rjob) ~run ~lists ~expected =
  let found = run job (first_values test) and recovered = ref Seen.empty in
  let livelock = match rjob with
    | Some r when lists || undefined found = None -> recover test (run r) found recovered
    | _ -> false in
  let bounded = has found Bounded in
  let of_final job l t = List.assoc_opt t (List.combine job.listed l) in
  let of_crash (m, r) = function
    | Register (t, q) -> Option.join (List.assoc_opt (t, q) (List.combine job.asked_at_crash r))
    | t -> List.assoc_opt t (List.combine (List.map (fun l -> Loc l) (nvm_of test)) m) in
  let condition c =
    let values = match c.states, rjob with
      | Final, _ -> List.map (of_final job) (finals found)
      | Recovered, Some j -> List.map (of_final j) (finals recovered)
      | Recovered, None -> []
      | After_crash, _ -> List.map of_crash (crashed found) in
    let of_term values = function Int (v, _) -> Some v | t -> values t in
    let answers = List.map (fun values -> holds (of_term values) c.prop) values in
    (* Some state decides it: one that is wanted, or one that is not. *)
    let decided = List.mem (c.quantifier <> Forall) answers in
    let vacuous = answers = [] && c.quantifier <> Exists && expected <> "ok" in
    if c.states = Recovered && livelock then "error"
    else if (not decided && bounded) || vacuous then "unknown"
    else if decided = (c.quantifier = Exists) then "ok" else "violated" in
  let least = if test.conditions = [] && bounded then "unknown" else "ok" in
  let worst = List.fold_left worse least (List.map condition test.conditions) in
  let verdict = if undefined found <> None then "undefined" else if livelock then "error" else worst in
  { verdict; found; recovered; job; rjob }
