(* Decides a test under a pair of models by trying every execution: docs/models/semantics.md,
   "Verdicts", "Recovery". What was tried is told as a tree, for certificates. *)

open Value
open Program
open Run
open Search

type found = {
  finals : (int64 list * int64 list, unit) Hashtbl.t;              (* all locations; registers asked for *)
  crashes : (int64 list * int64 option list, unit) Hashtbl.t;      (* non-volatile locations; registers *)
  flags : (string, unit) Hashtbl.t;
  mutable undefined : string; mutable bounded : bool;
  mutable consistent : bool; mutable complete : bool;
  partial : bool;                                                  (* only what decides is there *)
}
let nothing ?(partial = false) () = { partial; finals = Hashtbl.create 31; crashes = Hashtbl.create 31; flags = Hashtbl.create 3; undefined = ""; bounded = false; consistent = false; complete = false }

(* A program with all that is asked of it. *)
type job = {
  test : test; model : Cat.model; items : item array;
  asked : (int * string) list; asked_at_crash : (int * string) list;  (* registers *)
  filter : prop option;
  mode : [ `Anywhere | `Points | `End | `Never ];
  unroll : int; most_nodes : int;
  combinations : path array list;
  nodes : int ref;
}

let nvm_of test = List.filter (fun i -> test.locs.(i).nvm) (List.init (Array.length test.locs) Fun.id)

let registers props item =
  List.sort_uniq compare (List.filter_map (function Register (t, r) when item < 0 || t = item -> Some (t, r) | _ -> None) (List.concat_map terms props))

(* --- paths and their combinations --- *)

let accesses (items : item array) =
  let reach (a : addr) = List.fold_left (fun bases (_, stride, n) ->
    List.concat_map (fun b -> List.init n (fun i -> b + (i * stride))) bases) [ a.base ] a.dims in
  List.concat_map (fun (item : item) ->
    List.concat_map (fun ins -> match ins with
      | Load (_, a, attr) | Store (a, _, attr) -> List.map (fun l -> l, item, attr) (reach a)
      | Update { addr; attr; failed; _ } -> List.concat_map (fun l -> [ l, item, attr; l, item, failed ]) (reach addr)
      | _ -> []) (Array.to_list item.code)) (Array.to_list items)

(* docs, "Read-modify-writes that change nothing". *)
let ineffective test model items =
  let all = accesses items in
  let coherence = Cat.named model "lands-before" == Cat.named model "co" in
  let table = Array.init (Array.length test.locs) (fun loc ->
    let here = List.filter (fun (l, _, _) -> l = loc) all in
    let fits (_, item, (attr : attr)) = attr.atomic && List.for_all (fun (_, other, _) -> Skeleton.together attr.scope item other) here in
    (coherence || not test.locs.(loc).nvm) && List.for_all fits here) in
  fun loc -> table.(loc)

(* Base sets and set operators alone: docs/models/cat.md, "The persistency contract" (waits). *)
let rec waits_set (n : Cat.node) (b : barrier) (attr : attr) : bool =
  let at n = waits_set n b attr in
  match n.desc with
  | Cat.Union (x, y) -> at x || at y
  | Inter (x, y) -> at x && at y
  | Diff (x, y) -> at x && not (at y)
  | Not x -> not (at x)
  | Empty -> false
  | Base "_" -> true
  | Base "B" -> not b.persist
  | Base "PB" -> b.persist
  | Base s -> (match List.assoc_opt s Skeleton.bar_scope with Some c -> attr.scope = c | None -> false)
  | _ -> outside "waits of this form"

let waits model items (item : item) b attr =
  (not b.persist || waits_set (Cat.named model "waits") b attr) && List.length (Skeleton.members items item b) > 1

let marks_of_transactions (items : item array) =
  Array.exists (fun (i : item) -> Array.exists (function
    | Fence a -> List.exists (fun t -> List.mem t [ "tx_begin"; "tx_end"; "tx_abort" ]) a.tags | _ -> false) i.code) items

let prepare test model (items : item array) ~props ~crash_props ~filter ~mode ~unroll ~most_nodes =
  if marks_of_transactions items then outside "transactions";
  let racy = List.exists (fun (c : Cat.check) -> c.effect = Cat.Undefined) model.Cat.checks in
  let quiet = ineffective test model items in
  let of_item (item : item) =
    let names props = List.map snd (registers props item.id) in
    Run.paths { ptx = test.ptx; unroll; racy; ineffective = quiet; most_paths = 4000;
                waits = waits model items item; wanted = names props; crash_wanted = names crash_props } item in
  let each = Array.map of_item items in
  let total = Array.fold_left (fun n l -> n * List.length l) 1 each in
  if total > 100000 || total < 0 then outside "more than 100000 combinations of paths";
  let rec product i extra = if i >= Array.length each then [ [] ] else
    List.concat_map (fun (p : path) ->
      if p.extra && extra then [] else List.map (fun rest -> p :: rest) (product (i + 1) (extra || p.extra))) each.(i) in
  let combinations = List.filter (Skeleton.can_meet (waits model items) items) (List.map Array.of_list (product 0 false)) in
  { test; model; items; asked = registers props (-1); asked_at_crash = registers crash_props (-1); filter; mode; unroll; most_nodes; combinations; nodes = ref 0 }

(* --- one execution --- *)

let truth_of job mem regs p =
  holds (function Int v -> Some v | Loc l -> Some (List.nth mem l)
    | Register (t, r) -> Some (Option.value (List.assoc_opt (t, r) (List.combine job.asked regs)) ~default:0L)) p

let final_states job (s : Skeleton.t) choice =
  let known = function Some v -> v | None -> outside "a value that justifies itself" in
  let regs = List.map (fun (t, r) -> known (value s choice 0 t (s.chosen.(t).final r))) job.asked in
  let locs = List.init (Array.length job.test.locs) Fun.id in
  List.map (fun mem -> List.map known mem, regs) (latest_values s choice locs)

let divergence job chosen = Array.length job.items > 1 && Skeleton.divergent job.items chosen

(* get: relations of the contract by name. *)
let crash_states job (s : Skeleton.t) choice ~low ~high found =
  let get n = Bounds.rel low (fst (Bounds.eval low (Cat.named job.model n))) in
  let can_persist = Bounds.set (snd (Bounds.eval high (Cat.named job.model "can-persist"))) in
  let c, lands = Cuts.make s ~get ~can_persist in
  (match job.mode with
   | `Never -> ()
   | (`Anywhere | `Points | `End) as mode ->
     Cuts.all c ~mode ~nvm:(nvm_of job.test) ~registers:job.asked_at_crash ~value:(fun t e -> value s choice 0 t e)
       ~written:(written s choice 0) found);
  lands

(* A consistent execution, whole: what it adds to what is found. *)
let record job (s : Skeleton.t) choice known found =
  if List.exists (fun i -> written s choice 0 i = None) (List.filter (fun i -> s.event.(i).kind = W) (List.init s.n Fun.id)) then
    outside "a value that justifies itself";
  let extra = Array.exists (fun (p : path) -> p.extra) s.chosen in
  let complete = Array.for_all (fun (p : path) -> p.ending = Ended) s.chosen in
  let finals = if complete then final_states job s choice else [] in
  let kept = match job.filter with None -> finals | Some q -> List.filter (fun (m, r) -> truth_of job m r q) finals in
  let visible = not complete || kept <> [] in
  let undefined why = if visible && found.undefined = "" then found.undefined <- why in
  List.iter (fun (c : Cat.check) -> if c.effect = Cat.Undefined && Bounds.lost known c then undefined c.name) job.model.checks;
  if divergence job s.chosen then undefined "barrier-divergence";
  Array.iter (fun (p : path) -> match p.ending with Faulted why -> undefined why | _ -> ()) s.chosen;
  if not extra then begin
    found.consistent <- true;
    if Array.exists (fun (p : path) -> p.ending = Bound) s.chosen then found.bounded <- true;
    if complete then found.complete <- true;
    List.iter (fun f -> Hashtbl.replace found.finals f ()) kept;
    if visible then List.iter (fun (c : Cat.check) -> if c.effect = Cat.Flag && Bounds.lost known c then Hashtbl.replace found.flags c.name ()) job.model.checks;
    if not (crash_states job s choice ~low:known ~high:known found.crashes) then undefined "lands-before-cycle"
  end

(* --- the search, and the tree that it leaves --- *)

let event_name (s : Skeleton.t) i =
  if s.owner.(i) < 0 then "i:" ^ s.test.locs.(s.event.(i).loc).name else Printf.sprintf "%d.%d" s.owner.(i) s.index.(i)

let lost_check job known =
  let rec go n = function
    | [] -> 0
    | (c : Cat.check) :: rest -> if c.effect = Cat.Required && Bounds.lost known c then n else go (n + 1) rest in
  go 1 job.model.checks

let explore job (s : Skeleton.t) ~say ~witness ~covered found =
  let fixed = Hashtbl.create 97 in
  let rec go choice =
    incr job.nodes;
    if !(job.nodes) > job.most_nodes then outside "more than %d nodes" job.most_nodes;
    if contradicts s choice then say "v"
    else
      let known = known s job.model fixed choice in
      match lost_check job known with
      | n when n > 0 -> say (Printf.sprintf "!%d" n)
      | _ when covered s choice known -> say "k"
      | _ ->
        match next s choice with
        | Whole ->
          if not (keeps_waiting s choice) then say "v"
          else begin
            say "k";
            let size () = Hashtbl.length found.finals + Hashtbl.length found.crashes + Hashtbl.length found.flags, found.undefined <> "" in
            let before = size () in
            record job s choice known found;
            if size () <> before then witness s choice
          end
        | Ready -> (match ready_orders s job.model fixed choice with Some c -> go c | None -> say "c")
        | Source (i, l) ->
          say (Printf.sprintf "r %s %d" (event_name s i) (List.length l));
          List.iter (fun w -> say (event_name s w); go (with_source choice i w)) l
        | Pair (which, k, i, j, l) ->
          let number = if which = "w" then string_of_int k ^ " " else "" in
          say (Printf.sprintf "%s %s%s %s %d" which number (event_name s i) (event_name s j) (List.length l));
          List.iter (fun v -> say v; match with_pair choice which k i j v with Some c -> go c | None -> say "c") l in
  go (start s job.model)

let nobody _ _ = ()
let all job starts found =
  List.iter (fun chosen ->
    let s = Skeleton.make job.test job.items starts chosen in
    explore job s ~say:ignore ~witness:nobody ~covered:(fun _ _ _ -> false) found) job.combinations

(* --- verdicts --- *)

type answer = { verdict : string; reason : string; conditions : string list; found : found;
  asked : (int * string) list; asked_at_crash : (int * string) list; asked_recovered : (int * string) list;
  recovered : (int64 list * int64 list, unit) Hashtbl.t; count : int }

let severity v = match v with "ok" -> 0 | "unknown" -> 1 | "violated" -> 2 | "undefined" -> 3 | _ -> 4

let props_of (test : test) states = List.filter_map (fun c -> if c.states = states then Some c.prop else None) test.conditions

let main_job (test : test) model ~unroll ~most_nodes =
  let props = props_of test Final @ (match test.filter with Some q -> [ q ] | None -> []) @ List.map (fun t -> Cmp ("==", t, t)) test.shown in
  let points = Array.exists (fun (i : item) -> Array.mem Crash i.code) test.items in
  prepare test model test.items ~props ~crash_props:(props_of test After_crash) ~filter:test.filter
    ~mode:(if points then `Points else `Anywhere) ~unroll ~most_nodes

let recovery_job (test : test) model ~unroll ~most_nodes items restartable =
  prepare test model items ~props:(props_of test Recovered) ~crash_props:[] ~filter:None
    ~mode:(if restartable then `Anywhere else `Never) ~unroll ~most_nodes

let first_values (test : test) = Array.map (fun l -> l.first) test.locs

(* Memory after a crash: non-volatile locations as it left them. *)
let after_crash (test : test) values =
  let starts = first_values test in
  List.iter2 (fun l v -> starts.(l) <- v) (nvm_of test) values; starts

let memories crashes = List.sort_uniq compare (Hashtbl.fold (fun (m, _) () l -> m :: l) crashes [])

(* Recovery from each state, and from each that a crash in it leaves, round by round. run gives what is
   found from a memory. *)
let recover run found =
  let recovered = Hashtbl.create 31 and livelock = ref false and seen = Hashtbl.create 31 in
  let rec rounds k states =
    let fresh = List.sort_uniq compare (List.filter (fun m -> not (Hashtbl.mem seen m)) states) in
    if fresh <> [] && k > 8 then found.bounded <- true
    else if fresh <> [] then begin
      let next = List.concat_map (fun m ->
        Hashtbl.replace seen m ();
        let r = run m in
        if r.undefined <> "" && found.undefined = "" then found.undefined <- "recovery: " ^ r.undefined;
        if r.bounded then found.bounded <- true;
        if not r.complete && not r.bounded then livelock := true;
        Hashtbl.iter (fun s () -> Hashtbl.replace recovered s ()) r.finals;
        memories r.crashes) fresh in
      rounds (k + 1) next
    end in
  rounds 1 (memories found.crashes);
  recovered, !livelock

let jobs (test : test) model ~unroll ~most_nodes =
  let recovery = recovery_job test model ~unroll ~most_nodes in
  main_job test model ~unroll ~most_nodes, match test.recovery with
  | No_recovery -> None
  | Relaunch again -> Some (recovery test.items again)
  | Program (items, again) -> Some (recovery items again)

(* run: what is found of a job from a memory. *)
let answer (test : test) (job, rjob) ~run ~expected =
  let found = run job (first_values test) in
  let recovered, livelock = match rjob with
    | Some r when found.undefined = "" || not found.partial -> recover (fun m -> run r (after_crash test m)) found
    | _ -> Hashtbl.create 1, false in
  let keys table = Hashtbl.fold (fun k () l -> k :: l) table [] in
  let condition c =
    let holds_in = match c.states with
      | Final -> List.map (fun (m, r) -> truth_of job m r c.prop) (keys found.finals)
      | Recovered -> List.map (fun (m, r) -> truth_of (Option.value rjob ~default:job) m r c.prop) (keys recovered)
      | After_crash ->
        let nvm = nvm_of test in
        List.map (fun (m, r) ->
          holds (function Int v -> Some v | Loc l -> List.assoc_opt l (List.combine nvm m)
            | Register (t, q) -> Option.join (List.assoc_opt (t, q) (List.combine job.asked_at_crash r))) c.prop)
          (keys found.crashes) in
    let any = List.mem true holds_in and fails = List.mem false holds_in in
    let decided = if c.quantifier = Forall then fails else any in
    if c.states = Recovered && livelock then "error"
    else if not decided && found.bounded then "unknown"
    else if holds_in = [] && c.quantifier <> Exists && expected <> "ok" then "unknown"
    else if decided = (c.quantifier = Exists) then "ok" else "violated" in
  let conditions = List.map condition test.conditions in
  let least = if test.conditions = [] && found.bounded then "unknown" else "ok" in
  let worst = List.fold_left (fun w v -> if severity v > severity w then v else w) least conditions in
  let verdict = if found.undefined <> "" then "undefined" else if livelock then "error" else worst in
  { verdict; reason = (if found.undefined <> "" then found.undefined else if found.bounded then "a loop met its bound" else ""); conditions; found; recovered;
    asked = job.asked; asked_at_crash = job.asked_at_crash; asked_recovered = (match rjob with Some j -> j.asked | None -> []);
    count = !(job.nodes) + (match rjob with Some j -> !(j.nodes) | None -> 0) }

let search test jobs ~expected =
  answer test jobs ~expected ~run:(fun job starts -> let f = nothing () in all job starts f; f)
