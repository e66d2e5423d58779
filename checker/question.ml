(* What is asked of a test: a program, or its recovery, with its paths under a model, and the line `options` of a
   certificate:
   docs/models/semantics.md, "Read-modify-writes that change nothing", "Which states are listed". *)

open Value
open Program
open Run

(* A program, on whatever memory, with all that is asked of it. *)
type job = {
  test : test; model : Cat.model; items : item array; paths : path list array;
  listed : term list; asked_at_crash : (int * string) list;  (* of final states; registers *)
  filter : prop option; crashes : Cuts.crashes;
  own : bool;                                  (* whether some file of the models is not built in *)
  fixed : int list -> Bounds.value Bounds.Table.t;  (* what is the same of paths on whatever memory, by their numbers *)
}

(* Launches have locations that no test can name. *)
let named test l = test.locs.(l).name.[0] <> '.'
let locations test p = List.filter p (List.init (Array.length test.locs) Fun.id)
let nvm_of test = locations test (fun l -> test.locs.(l).nvm)
let registers terms =
  List.sort_uniq compare (List.filter_map (function Register (t, r) -> Some (t, r) | _ -> None) terms)

(* What the code of a work-item may access: locations, how, and whether it may write. *)
let accesses (item : item) =
  let reach (a : addr) = List.fold_left (fun bases (_, stride, n) ->
    List.concat_map (fun b -> List.init n (fun i -> b + (i * stride))) bases) [ a.base ] a.dims in
  let at a attr writes = List.map (fun l -> l, attr, writes) (reach a) in
  List.concat_map (function
    | Load (_, a, attr) -> at a attr false
    | Store (a, _, attr) | Update { addr = a; attr; _ } -> at a attr true
    | _ -> []) (Array.to_list item.code)

let lands_in_coherence model = Cat.named model "lands-before" == Cat.named model "co"

(* docs, "Read-modify-writes that change nothing". *)
let ineffective test model items =
  let coherence = lands_in_coherence model in
  let everywhere = List.concat_map (fun (item : item) ->
    List.map (fun (l, attr, _) -> l, item, attr) (accesses item)) (Array.to_list items) in
  let table = Array.init (Array.length test.locs) (fun loc ->
    let here = List.filter (fun (l, _, _) -> l = loc) everywhere in
    let reaches (_, item, (attr : attr)) = attr.atomic
      && List.for_all (fun (_, other, _) -> Skeleton.together attr.scope item other) here in
    (coherence || not test.locs.(loc).nvm) && List.for_all reaches here) in
  fun loc -> table.(loc)

let others_write items (item : item) loc =
  let others = List.filter (fun (i : item) -> i.id <> item.id) (Array.to_list items) in
  List.length (List.filter (fun (l, _, writes) -> writes && l = loc) (List.concat_map accesses others))

(* Base sets and set operators alone: docs/models/cat.md, "The persistency contract" (waits). *)
let rec in_waits (b : barrier) (attr : attr) (n : Cat.node) : bool =
  let at = in_waits b attr in
  match n.desc with
  | Cat.Union (x, y) -> at x || at y
  | Inter (x, y) -> at x && at y
  | Diff (x, y) -> at x && not (at y)
  | Not x -> not (at x)
  | Empty -> false
  | Base "_" -> true
  | Base "B" -> not b.persist
  | Base "PB" -> b.persist
  | Base s -> List.mem (s, attr.scope) Skeleton.scopes
  | _ -> outside "waits of this form"

let waits model items (item : item) b attr =
  (not b.persist || in_waits b attr (Cat.named model "waits"))
  && List.length (Skeleton.members items item b) > 1

let prepare test model (items : item array) ~listed ~at_crash ~filter ~crashes ~unroll ~own =
  let marks = [ "tx_begin"; "tx_end"; "tx_abort" ] in
  let is_mark = function Fence a -> List.exists (fun t -> List.mem t marks) a.tags | _ -> false in
  let some_code holds = Array.exists (fun (i : item) -> Array.exists holds i.code) items in
  if some_code is_mark then outside "transactions";
  (* docs/models/cat.md, "Tags of a test". *)
  let of_fences t =
    let kinds = Option.value (Hashtbl.find_opt model.Cat.tags t) ~default:[] in
    List.mem "F" kinds && not (List.exists (fun k -> List.mem k kinds) [ "R"; "W"; "M"; "RMW" ]) in
  if some_code (function Update u -> List.exists of_fences u.attr.tags | _ -> false) then
    fault "a read-modify-write has a tag that the model declares for fences alone";
  let racy = List.exists (fun (c : Cat.check) -> c.effect = Cat.Undefined) model.Cat.checks in
  let quiet = ineffective test model items and asked_at_crash = registers at_crash in
  let wanted = registers (List.concat_map terms (Option.to_list filter) @ listed) in
  let of_item (item : item) =
    let of_it names = List.filter_map (fun (t, r) -> if t = item.id then Some r else None) names in
    Run.paths { ptx = test.ptx; unroll; racy; ineffective = quiet; waits = waits model items item;
                others_write = others_write items item; wanted = of_it wanted;
                crash_wanted = of_it asked_at_crash } item in
  { test; model; items; listed; asked_at_crash; filter; crashes; own; paths = Array.map of_item items;
    fixed = memo (fun _ -> Bounds.Table.create 97) }

(* What may be said otherwise than by the test. *)
type options = { unroll : int; crash : Cuts.crashes option; own : bool }

(* The program, and its recovery if there is one. *)
let jobs (test : test) model { unroll; crash; own } =
  let mentioned states = List.concat_map terms
      (List.filter_map (fun c -> if c.states = states then Some c.prop else None) test.conditions) in
  let no_numbers l = List.filter (function Int _ -> false | _ -> true) (List.sort_uniq compare l) in
  let as_terms = List.map (fun l -> Loc l) in
  let listed = match no_numbers (mentioned Final @ test.shown) with
    | [] -> as_terms (locations test (named test))
    | l -> l in
  let points = Array.exists (fun (i : item) -> Array.mem Crash i.code) test.items in
  let crashes = match crash with
    | Some c when c <> Cuts.At_points -> c
    | _ -> if points then Cuts.At_points else Cuts.Everywhere in
  let recovery items again = Some (prepare test model items ~filter:None ~unroll ~own ~at_crash:[]
    ~listed:(no_numbers (as_terms (nvm_of test) @ mentioned Recovered))
    ~crashes:(if again then Cuts.Everywhere else Cuts.Never)) in
  prepare test model test.items ~listed ~at_crash:(mentioned After_crash) ~filter:test.filter ~crashes
    ~unroll ~own,
  match test.recovery with
  | No_recovery -> None
  | Relaunch again -> recovery test.items again
  | Program (items, again) -> recovery items again
