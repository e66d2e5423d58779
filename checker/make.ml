(* Tries every execution of a test, and writes certificates of what it finds. Nothing here has to be trusted:
   what it writes is checked like what anybody writes. *)

open Value
open Choice
open Decide
open Certificate

let most_nodes = ref 100000

type split = Source of int * int list | Pair of which * int * int | Nothing

let first_pair o =
  let left = undecided o in
  List.find_map (fun i -> match Rel.elements left.(i) with j :: _ -> Some (i, j) | [] -> None) (List.init (Array.length left) Fun.id)

(* The read with the fewest sources that values admit; then orders. *)
let next p c =
  let admitted i = List.length (List.filter (fun w -> assumed (view p.job.model p.s p.fixed (with_source c i w)) possible) (sources p.s i)) in
  match events p.s (fun i -> is_read p.s i && c.source.(i) < 0) with
  | [ i ] -> Source (i, sources p.s i)
  | _ :: _ as l ->
    let _, i = List.fold_left min (max_int, max_int) (List.map (fun i -> admitted i, i) l) in
    Source (i, sources p.s i)
  | [] ->
    let orders = [ Coherence; Fences ] @ List.init (Array.length c.own) (fun k -> Own k) in
    match List.find_map (fun w -> match w with
      | Own _ when not c.ready -> None
      | w -> Option.map (fun (i, j) -> Pair (w, i, j)) (first_pair (order c w))) orders with
    | Some pair -> pair
    | None -> Nothing

(* covered: what is left adds nothing. *)
let explore p ~nodes ~say ~witness ~covered found =
  let tag = function Coherence -> "o" | Fences -> "f" | Own k -> Printf.sprintf "w%d" k in
  let rec go c = match prepared p c with
    | None -> say "c"
    | Some c ->
      incr nodes;
      if !nodes > !most_nodes then outside "more than %d nodes" !most_nodes;
      let v = view p.job.model p.s p.fixed c in
      let rec lost n = function
        | [] -> 0
        | (k : Cat.check) :: rest -> if k.effect = Cat.Required && Bounds.lost v.known k then n else lost (n + 1) rest in
      if not (assumed v possible && keeps_waiting v possible) then say "v"
      else match lost 1 p.job.model.checks with
        | n when n > 0 -> say (Printf.sprintf "!%d" n)
        | _ when covered v -> say "k"
        | _ ->
          let branch head cases =
            say (Printf.sprintf "%s %d" head (List.length cases));
            List.iter (fun (value, child) -> say value; match child with Some c -> go c | None -> say "c") cases in
          match next p c with
          | Source (i, _) -> branch ("r " ^ event_name p.s i) (cases_of_read p c i)
          | Pair (w, i, j) -> branch (Printf.sprintf "%s %s %s" (tag w) (event_name p.s i) (event_name p.s j)) (cases_of_pair p c w i j)
          | Nothing ->
            say "k";
            let before = Hashtbl.length found in
            (try shows p.job v (add found) with Unknown_value -> outside "a value that justifies itself");
            if Hashtbl.length found <> before then witness c in
  go (start p.s p.job.model)

let none _ = false
let each job starts f =
  let job = possible_paths job starts in
  List.iter (fun chosen -> f (place job starts chosen)) (combinations job ~drop:none)

let naive test jobs ~expected =
  let nodes = ref 0 in
  answer test jobs ~lists:true ~expected ~run:(fun job starts ->
    let found = Hashtbl.create 31 in
    each job starts (fun p -> explore p ~nodes ~say:ignore ~witness:ignore ~covered:none found); found)

(* --- writing --- *)

let pairs_of (s : Skeleton.t) tag (o : order) =
  let name = event_name s in
  let each p text = List.concat_map (fun i -> List.filter_map (fun j -> if p i j then Some (text i j) else None) (events s (fun _ -> true))) (events s (fun _ -> true)) in
  each (fun i j -> Rel.mem j o.may.(i) && Rel.mem j o.yes.(i) && s.owner.(i) >= 0) (fun i j -> Printf.sprintf "%s:%s<%s" tag (name i) (name j))
  @ each (fun i j -> i < j && Rel.mem j o.no.(i)) (fun i j -> Printf.sprintf "%s:%s|%s" tag (name i) (name j))

let choices (s : Skeleton.t) c =
  List.map (fun i -> Printf.sprintf "%s<%s" (event_name s i) (event_name s c.source.(i))) (events s (is_read s))
  @ pairs_of s "o" c.co @ pairs_of s "f" c.fences
  @ List.concat (List.mapi (fun k o -> pairs_of s (Printf.sprintf "w%d" k) o) (Array.to_list c.own))

(* Twice: what is there, with an execution for all that is new, and then trees with that as their claim. *)
let write_section text nodes job starts =
  let names = Hashtbl.create 31 and found = Hashtbl.create 31 in
  let name t (path : Run.path) = match Hashtbl.find_opt names (t, path.shown) with
    | Some n -> n
    | None ->
      let n = Printf.sprintf "%d.%d" t (Hashtbl.fold (fun (u, _) _ k -> if u = t then k + 1 else k) names 0) in
      Hashtbl.replace names (t, path.shown) n;
      Printf.bprintf text "path %s %s\n" n (String.concat " " path.shown); n in
  let combination p = String.concat " " (Array.to_list (Array.mapi name p.s.chosen)) in
  each job starts (fun p ->
    let witness c = let n = combination p in Printf.bprintf text "execution %s : %s\n" n (String.concat " " (choices p.s c)) in
    explore p ~nodes ~say:ignore ~witness ~covered:none found);
  let all_there v = match shows job v (fun x -> if not (has found x) then raise Exit) with
    | () -> true | exception (Exit | Unknown_value) -> false in
  if undefined found = None then each job starts (fun p ->
    let n = combination p in
    Printf.bprintf text "tree %s :" n;
    explore p ~nodes ~say:(Printf.bprintf text " %s") ~witness:ignore ~covered:all_there found;
    Buffer.add_char text '\n');
  found

let write test jobs ~file ~models =
  let text = Buffer.create 1000 and nodes = ref 0 in
  Printf.bprintf text "certificate 1\ntest %s\nmodels %s\n" file models;
  ignore (answer test jobs ~lists:false ~expected:"ok" ~run:(fun job starts ->
    Printf.bprintf text "%s %s\n" (if job == fst jobs then "program" else "recovery") (memory test starts);
    write_section text nodes job starts));
  Buffer.add_string text "done\n"; Buffer.contents text
