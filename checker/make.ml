(* Tries every execution of a test, and writes certificates of what it finds. Nothing here has to be trusted:
   what it writes is checked like what anybody writes. *)

open Value
open Choice
open Decide
open Certificate

let most_nodes = ref 100000
let tag which = match which with 0 -> "o" | 1 -> "f" | k -> Printf.sprintf "w%d" (k - 2)

(* What is split next, as a node's words, and its cases: the read with the fewest sources that values admit;
   then a pair of an order. *)
let next (p : place) c =
  let events = List.init p.s.n Fun.id in
  let admitted i =
    let fits w = assumed (view p (with_source c i w)) possible in
    List.length (List.filter fits p.sources.(i)) in
  match open_reads p c with
  | [] ->
    let pair which o =
      let left = undecided o in
      let of_row i =
        List.filter_map (fun j -> if Rel.mem j left.(i) then Some (which, i, j) else None) events in
      if is_with which && not c.ready then [] else List.concat_map of_row events in
    (match List.concat (List.mapi pair (Array.to_list c.orders)) with
     | (which, i, j) :: _ ->
       Some (Printf.sprintf "%s %s %s" (tag which) p.name.(i) p.name.(j), cases_of_pair p c which i j)
     | [] -> None)
  | reads ->
    let few = if List.length reads = 1 then List.hd reads
      else snd (List.fold_left min (max_int, max_int) (List.map (fun i -> admitted i, i) reads)) in
    Some ("r " ^ p.name.(few), cases_of_read p c few)

(* covered: what is left adds nothing. *)
let explore job (p : place) ~nodes ~say ~witness ~covered found =
  let rec go c = match prepared p c with
    | None -> say "c"
    | Some c ->
      incr nodes;
      if !nodes > !most_nodes then outside "more than %d nodes" !most_nodes;
      let v = view p c in
      let lost = List.mapi (fun i (k : Cat.check) -> i + 1, k) p.model.checks
        |> List.find_opt (fun (_, k) -> List.memq k (required p) && Bounds.lost v.known k) in
      if not (possible_so_far v) then say "v"
      else match lost with
        | Some (n, _) -> say (Printf.sprintf "!%d" n)
        | None when covered v -> say "k"
        | None -> match next p c with
          | Some (node, cases) ->
            say (Printf.sprintf "%s %d" node (List.length cases));
            List.iter (fun (value, child) ->
              say value; match child with Some c -> go c | None -> say "c") cases
          | None ->
            say "k";
            let before = !found in
            if not (all_known v) then outside "a value that justifies itself";
            shows job v (add found);
            if not (Seen.equal !found before) then witness c in
  go (start p)

let each job starts f =
  let job = possible_paths job starts in
  List.iter (fun chosen -> f job (place_of job starts chosen)) (combinations job ~drop:(fun _ -> false))

let nothing_covered _ = false
let naive test jobs ~expected =
  let nodes = ref 0 in
  answer test jobs ~lists:true ~expected ~run:(fun job starts ->
    let found = ref Seen.empty in
    each job starts (fun job p ->
      explore job p ~nodes ~say:ignore ~witness:ignore ~covered:nothing_covered found);
    found)

(* --- writing --- *)

let choices (p : place) c =
  let sources = List.map (fun i -> Printf.sprintf "%s<%s" p.name.(i) p.name.(c.source.(i))) p.reads in
  let pairs which o =
    let row i = List.filter_map (fun j ->
      let say way = Some (Printf.sprintf "%s:%s%s%s" (tag which) p.name.(i) way p.name.(j)) in
      if not (Rel.mem j o.may.(i)) || p.s.owner.(i) < 0 then None
      else if Rel.mem j o.yes.(i) then say "<"
      else if Rel.mem j o.no.(i) && i < j then say "|" else None) (List.init p.s.n Fun.id) in
    List.concat_map row (List.init p.s.n Fun.id) in
  sources @ List.concat (List.mapi pairs (Array.to_list c.orders))

(* Twice: what is there, with an execution for all that is new, and then trees with that as their claim. *)
let write_section text nodes job starts =
  let names = Hashtbl.create 31 and found = ref Seen.empty in
  let name t (path : Run.path) = match Hashtbl.find_opt names (t, path.shown) with
    | Some n -> n
    | None ->
      let n = Printf.sprintf "%d.%d" t (Hashtbl.length names) in
      Hashtbl.replace names (t, path.shown) n;
      Printf.bprintf text "path %s %s\n" n path.shown; n in
  let combination (p : place) = String.concat " " (List.mapi name (Array.to_list p.s.chosen)) in
  let explore = explore ~nodes in
  each job starts (fun job p ->
    let witness c =
      let paths = combination p in
      Printf.bprintf text "execution %s : %s\n" paths (String.concat " " (choices p c)) in
    explore job p ~say:ignore ~witness ~covered:nothing_covered found);
  if undefined found = None then each job starts (fun job p ->
    let covered v = match shows job v (fun x -> if not (has found x) then raise Exit) with
      | () -> true
      | exception (Exit | Unknown_value) -> false in
    let paths = combination p in
    Printf.bprintf text "tree %s :" paths;
    explore job p ~say:(Printf.bprintf text " %s") ~witness:ignore ~covered found;
    Buffer.add_char text '\n');
  found

let write test jobs ~file ~models =
  let text = Buffer.create 1000 and nodes = ref 0 in
  Printf.bprintf text "certificate 1\ntest %s\nmodels %s\n" file models;
  ignore (answer test jobs ~lists:false ~expected:"ok" ~run:(fun job starts ->
    Printf.bprintf text "%s\n" (head jobs job starts);
    write_section text nodes job starts));
  Buffer.add_string text "done\n"; Buffer.contents text
