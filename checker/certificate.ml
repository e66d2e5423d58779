(* Checks certificates. The format, and why what is accepted is true, is in docs/inside/certificates.md. Nothing
   that stands in a certificate is believed: paths, values, relations, cuts and conditions are the checker's own. *)

open Value
open Run
open Choice
open Decide

exception Refused of string
let refuse fmt = Printf.ksprintf (fun s -> raise (Refused s)) fmt

(* Numbers that are written in a word. *)
let number_in format w = match Scanf.sscanf w format Fun.id with
  | n when n >= 0 -> Some n
  | _ | exception (Scanf.Scan_failure _ | Failure _ | End_of_file) -> None
let event_in w = match String.split_on_char '.' w with
  | [ t; k ] -> (match number_in "%u%!" t, number_in "%u%!" k with Some t, Some k -> Some (t, k) | _ -> None)
  | _ -> None

let event_name (s : Skeleton.t) i =
  if s.owner.(i) < 0 then "i:" ^ s.test.locs.(s.event.(i).loc).name else Printf.sprintf "%d.%d" s.owner.(i) s.index.(i)

(* --- one combination of paths --- *)

type place = { job : job; s : Skeleton.t; fixed : (int, Bounds.value) Hashtbl.t; events : (string, int) Hashtbl.t }

let place job starts chosen =
  let s = Skeleton.make job.test job.items starts chosen in
  let events = Hashtbl.create 31 in
  for i = 0 to s.n - 1 do Hashtbl.replace events (event_name s i) i done;
  { job; s; fixed = Hashtbl.create 97; events }

let event p n = match Hashtbl.find_opt p.events n with Some i -> i | None -> refuse "there is no event %s" n
let which tag = match tag with
  | "o" -> Coherence
  | "f" -> Fences
  | _ -> match number_in "w%u%!" tag with Some k -> Own k | None -> refuse "there is no order %s" tag

(* With the orders by `with`, as soon as they can be chosen; None where they cannot be. *)
let prepared p c = if not c.ready && almost_whole p.s c then ready_orders p.job.model p.s p.fixed c else Some c

(* All values that a choice may have, each with what it leads to, if to anything. *)
let cases_of_read p c e =
  if not (is_read p.s e) then refuse "%s is no read" (event_name p.s e);
  let all = if c.source.(e) >= 0 then [ c.source.(e) ] else sources p.s e in
  List.map (fun w -> event_name p.s w, Some (with_source c e w)) all

let cases_of_pair p c which a b =
  (match which with Own k when not c.ready || k >= Array.length c.own -> refuse "an order that cannot be chosen yet" | _ -> ());
  let o = order c which in
  if not (Rel.mem b o.may.(a) || Rel.mem a o.may.(b)) then refuse "%s and %s have no order" (event_name p.s a) (event_name p.s b);
  List.map (fun way -> way, with_pair c which a b way) ([ "<"; ">" ] @ if which = Coherence && p.s.test.ptx then [ "|" ] else [])

(* --- trees --- *)

(* What is to be read next; nothing is asked of what stands below a choice that leads to nothing. *)
type task = Node of choice option | Children of int * (string * choice option) list

(* bounded: that a bound is met is added to the claim, which says less then. *)
let leaf p claim ~bounded c word =
  let v = view p.job.model p.s p.fixed c in
  match word with
  | "v" -> if assumed v possible && keeps_waiting v possible then refuse "no value is contradicted"
  | "k" ->
    let told x = if x = Bounded && bounded then add claim x else if not (has claim x) then refuse "something that is not in the claim may follow" in
    (try shows p.job v told with Unknown_value -> refuse "a value is not known")
  | _ ->
    let lost (k : Cat.check) = k.effect = Cat.Required && Bounds.lost v.known k in
    match number_in "!%u%!" word with
    | None -> refuse "'%s' is no leaf" word
    | Some 0 -> if not (List.exists lost p.job.model.checks) then refuse "no check is lost"
    | Some n -> match List.nth_opt p.job.model.checks (n - 1) with
      | Some k -> if not (lost k) then refuse "check %s is not lost" k.name
      | None -> refuse "there is no check %d" n

(* spend: called for each word. *)
let walk p claim ~bounded ~spend tree =
  let left = ref tree and n = ref 0 in
  let token () = match !left with [] -> refuse "a tree ends too soon" | w :: rest -> left := rest; incr n; spend (); w in
  let number () = match number_in "%u%!" (token ()) with Some n -> n | None -> refuse "no number" in
  let node c = match token () with
    | "r" ->
      let e = token () in
      let n = number () in
      Some (n, match c with Some c -> cases_of_read p c (event p e) | None -> [])
    | word when word.[0] = 'o' || word.[0] = 'f' || word.[0] = 'w' ->
      let a = token () in
      let b = token () in
      let n = number () in
      Some (n, match c with Some c -> cases_of_pair p c (which word) (event p a) (event p b) | None -> [])
    | word -> Option.iter (fun c -> leaf p claim ~bounded c word) c; None in
  let rec run = function
    | [] -> if !left <> [] then refuse "a tree goes on behind its end"
    | Node c :: rest ->
      (match node (Option.bind c (prepared p)) with
       | Some (n, cases) -> run (Children (n, cases) :: rest)
       | None -> run rest)
    | Children (0, cases) :: rest ->
      List.iter (fun (value, child) -> if child <> None then refuse "the case %s is left out" value) cases; run rest
    | Children (n, cases) :: rest ->
      let value = token () in
      run (Node (Option.join (List.assoc_opt value cases)) :: Children (n - 1, List.remove_assoc value cases) :: rest) in
  try run [ Node (Some (start p.s p.job.model)) ] with Refused why -> refuse "word %d: %s" !n why

(* --- executions --- *)

let cut_at c w = Option.map (fun i -> String.sub w 0 i, String.sub w (i + 1) (String.length w - i - 1)) (String.index_opt w c)

let replay p words claim =
  let step c w =
    let c = match prepared p c with Some c -> c | None -> refuse "no order by `with` is possible" in
    let left, way, right = match cut_at '<' w, cut_at '|' w with
      | Some (a, b), _ -> a, "<", b
      | None, Some (a, b) -> a, "|", b
      | None, None -> refuse "'%s' is no choice" w in
    let cases, value = match cut_at ':' left with
      | Some (tag, e) when tag <> "i" -> cases_of_pair p c (which tag) (event p e) (event p right), way
      | _ -> cases_of_read p c (event p left), right in
    match List.assoc_opt value cases with Some (Some c) -> c | _ -> refuse "'%s' cannot be" w in
  let c = List.fold_left step (start p.s p.job.model) words in
  match prepared p c with
  | Some c when whole p.s c ->
    let v = view p.job.model p.s p.fixed c in
    if not (assumed v certain && keeps_waiting v certain) then refuse "values that its paths exclude";
    List.iter (fun (k : Cat.check) -> if k.effect = Cat.Required && Bounds.lost v.known k then refuse "check %s is lost" k.name) p.job.model.checks;
    (try shows p.job v (add claim) with Unknown_value -> outside "a value that justifies itself")
  | _ -> refuse "not all is chosen"

(* --- sections: what is said of a program on a memory --- *)

type section = {
  names : (string, string list) Hashtbl.t;        (* of paths *)
  mutable trees : (string list * string list) list; mutable executions : (string list * string list) list;
  mutable nevers : (string list * string list) list; mutable size : int;
}

let words l = List.filter ((<>) "") (String.split_on_char ' ' l)

let sections lines =
  let table = Hashtbl.create 7 and current = ref None in
  let read l =
    let all = words l in
    let rec names acc = function
      | ":" :: rest -> List.rev acc, rest
      | n :: rest -> names (n :: acc) rest
      | [] -> refuse "a line has no ':'" in
    match all, !current with
    | [], _ -> ()
    | ("program" | "recovery") :: _, _ ->
      let c = { names = Hashtbl.create 7; trees = []; executions = []; nevers = []; size = 0 } in
      if Hashtbl.mem table l then refuse "a section stands twice";
      Hashtbl.replace table l c; current := Some c
    | _, None -> refuse "a line stands outside of a section"
    | kind :: rest, Some c ->
      c.size <- c.size + List.length rest;
      match kind, rest with
      | "path", n :: shown ->
        if Hashtbl.mem c.names n then refuse "the path %s stands twice" n;
        Hashtbl.replace c.names n shown
      | "tree", _ -> c.trees <- names [] rest :: c.trees
      | "execution", _ -> c.executions <- names [] rest :: c.executions
      | "never", _ -> c.nevers <- names [] rest :: c.nevers
      | _ -> refuse "a line cannot be read: %s" l in
  List.iter read lines; table

(* A path of work-item T has a name T.N, and means each that looks so. *)
let item_of name = match event_in name with Some (t, _) -> t | None -> refuse "'%s' names no path" name
let looks c name = match Hashtbl.find_opt c.names name with Some shown -> shown | None -> refuse "there is no path %s" name

(* No write of these paths, nor of any path of the other work-items, lets the path of a read go on. *)
let never job (starts : int64 array) (chosen : (int * path) list) t k =
  let p = List.assoc t chosen in
  if k >= Array.length p.events || p.events.(k).kind <> R then refuse "no read";
  let loc = p.events.(k).loc in
  let ended_by (q : path) = Array.for_all (fun (e : event) -> e.kind <> W || e.loc <> loc || ends p k (constant job e)) q.events in
  ends p k (Some starts.(loc))
  && List.for_all Fun.id (List.init (Array.length job.items) (fun u -> match List.assoc_opt u chosen with
    | Some q -> ended_by q
    | None -> List.for_all ended_by job.paths.(u)))

(* Of the first paths of a combination, the newest first: whether a line says that they go with no others. *)
let drops job starts c =
  let lines = List.map (fun (names, e) ->
    let set = List.sort_uniq compare (List.map (fun n -> item_of n, looks c n) names) in
    if List.exists (fun (t, _) -> t >= Array.length job.items) set then refuse "there is no such work-item";
    match List.rev set, List.map event_in e with
    | (last, shown) :: _, [ Some (t, k) ] when List.mem_assoc t set -> (last, shown), (set, t, k)
    | _ -> refuse "a line 'never' has paths, and a read of one of them") c.nevers in
  let table = Hashtbl.create 31 and left = ref 10000000 in
  List.iter (fun (key, line) -> Hashtbl.add table key line) lines;
  fun newest ->
    let last = List.length newest - 1 in
    let path t = List.nth newest (last - t) in
    List.exists (fun (set, t, k) ->
      decr left;
      if !left < 0 then refuse "too many lines 'never'";
      List.for_all (fun (u, shown) -> (path u).shown = shown) set
      && never job starts (List.map (fun (u, _) -> u, path u) set) t k)
      (Hashtbl.find_all table (last, (List.hd newest).shown))

let check_section job c starts =
  let job = possible_paths job starts in
  let claim = Hashtbl.create 31 and by_look = Hashtbl.create 97 in
  let look chosen = List.map (fun (p : path) -> p.shown) (Array.to_list chosen) in
  let named names =
    if List.exists2 (fun n t -> item_of n <> t) names (List.init (List.length names) Fun.id) then refuse "paths are not in order";
    List.map (looks c) names in
  let combinations = combinations job ~drop:(drops job starts c) in
  List.iter (fun chosen -> Hashtbl.add by_look (look chosen) chosen) combinations;
  (* Paths that look alike are tried one after the other; that must not take long. *)
  let left = ref (64 * (c.size + 64)) in
  let spend () = decr left; if !left < 0 then refuse "too many trees or executions of paths that look alike" in
  let rec first_that f why = function
    | [] -> Some why
    | x :: rest -> match f x with () -> None | exception Refused why -> first_that f why rest in
  List.iter (fun (names, rest) ->
    let replayed chosen = List.iter (fun _ -> spend ()) ("" :: rest); replay (place job starts chosen) rest claim in
    Option.iter (refuse "the execution of paths %s: %s" (String.concat " " names))
      (first_that replayed "there are no such paths together" (Hashtbl.find_all by_look (named names)))) (List.rev c.executions);
  (* What is undefined needs one execution, and nothing else. *)
  if undefined claim = None then begin
    let trees = Hashtbl.create 97 in
    List.iter (fun (names, tree) -> Hashtbl.add trees (named names) tree) c.trees;
    List.iter (fun chosen ->
      let p = place job starts chosen in
      let trees = Hashtbl.find_all trees (look chosen) in
      let refused bounded = first_that (walk p claim ~bounded ~spend) "there is no tree" trees in
      if refused false <> None then
        Option.iter (refuse "paths %s: %s" (String.concat ", " (List.map (String.concat " ") (look chosen)))) (refused true)) combinations
  end;
  claim

let memory test starts =
  String.concat " " (List.filteri (fun l _ -> named test l) (List.map Int64.to_string (Array.to_list starts)))

(* The answer that a certificate shows; lines: what stands between its head and its end. *)
let check test jobs ~expected lines =
  let table = sections lines in
  answer test jobs ~lists:false ~expected ~run:(fun job starts ->
    let head = Printf.sprintf "%s %s" (if job == fst jobs then "program" else "recovery") (memory test starts) in
    match Hashtbl.find_opt table head with
    | Some c -> check_section job c starts
    | None -> refuse "there is no section '%s'" head)
