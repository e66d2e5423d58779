(* Checks certificates: docs/inside/certificates.md, "The format" and "Why it is enough", 1 and 2. Nothing
   that stands in one is believed: paths, values, relations, cuts and conditions are the checker's own. A
   certificate says where to split, and the checker what is to be covered: `cases_of_read` and `cases_of_pair`
   give all values of a choice, `leaf` says why nothing is left, `replay` what an execution shows. *)

open Value
open Run
open Choice
open Question
open Decide

exception Refused of string
let refuse fmt = Printf.ksprintf (fun s -> raise (Refused s)) fmt

(* --- words --- *)

let words l = List.filter (( <> ) "") (String.split_on_char ' ' l)
let cut_at c w =
  let parts i = String.sub w 0 i, String.sub w (i + 1) (String.length w - i - 1) in
  Option.map parts (String.index_opt w c)
let number w = int_of_string_opt ("0u" ^ w)
let number_behind c w = match cut_at c w with Some ("", n) -> number n | _ -> None
(* T.K: an event, or a path. *)
let pair_in w = match cut_at '.' w with
  | Some (t, k) -> (match number t, number k with Some t, Some k -> Some (t, k) | _ -> None)
  | None -> None

let event (p : place) name = match Hashtbl.find_opt p.named name with
  | Some i -> i
  | None -> refuse "there is no event %s" name

let which (p : place) tag = match tag, number_behind 'w' tag with
  | "o", _ -> 0
  | "f", _ -> 1
  | _, Some k when k < List.length p.model.choices -> 2 + k
  | _ -> refuse "there is no order %s" tag

(* --- choices: all values that one may have, each with what it leads to, if to anything --- *)

let cases_of_read (p : place) c e =
  if p.s.event.(e).kind <> R then refuse "%s is no read" (p.name.(e));
  let all = if c.source.(e) >= 0 then [ c.source.(e) ] else p.sources.(e) in
  List.map (fun w -> p.name.(w), Some (with_source c e w)) all

let cases_of_pair (p : place) c which a b =
  if is_with which && not c.ready then refuse "an order that cannot be chosen yet";
  if not (Rel.mem b c.orders.(which).may.(a)) then
    refuse "%s and %s have no order" (p.name.(a)) (p.name.(b));
  let ways = if which = 0 && p.s.test.ptx then [ "<"; ">"; "|" ] else [ "<"; ">" ] in
  List.map (fun way -> way, with_pair c which a b way) ways

(* --- trees --- *)

let required (p : place) = List.filter (fun (k : Cat.check) -> k.effect = Cat.Required) p.model.checks

(* bounded: that a bound is met is added to the claim, which says less then. *)
let leaf job claim ~bounded (v : view) word =
  let lost = Bounds.lost v.known in
  match word, number_behind '!' word with
  | "v", _ -> if possible_so_far v then refuse "no value is contradicted"
  | "k", _ ->
    let told x =
      if x = Bounded && bounded then add claim x
      else if not (has claim x) then refuse "something that is not in the claim may follow: %s" (kind_of x) in
    (try shows job v told with Unknown_value -> refuse "a value is not known")
  | _, None -> refuse "'%s' is no leaf" word
  | _, Some 0 -> if not (List.exists lost (required v.p)) then refuse "no check is lost"
  | _, Some n -> match List.nth_opt v.p.model.checks (n - 1) with
    | Some k when List.memq k (required v.p) && lost k -> ()
    | Some k -> refuse "check %s is not lost" k.name
    | None -> refuse "there is no check %d" n

(* What is to be read next; nothing is asked of what stands below a choice that leads to nothing. *)
type task = Node of choice option | Children of int * (string * choice option) list

(* spend: called for each word. *)
let walk job (p : place) claim ~bounded ~spend tree =
  let left = ref tree and n = ref 0 in
  let token () = match !left with
    | [] -> refuse "a tree ends too soon"
    | w :: rest -> left := rest; incr n; spend (); w in
  let children c cases = match number (token ()) with
    | Some n -> [ Children (n, match c with Some c -> cases c | None -> []) ]
    | None -> refuse "no number" in
  let node c = match token () with
    | "r" ->
      let e = token () in
      children c (fun c -> cases_of_read p c (event p e))
    | word when List.mem word.[0] [ 'o'; 'f'; 'w' ] ->
      let a = token () in
      let b = token () in
      children c (fun c -> cases_of_pair p c (which p word) (event p a) (event p b))
    | word -> Option.iter (fun c -> leaf job claim ~bounded (view p c) word) c; [] in
  let rec run = function
    | [] -> if !left <> [] then refuse "a tree goes on behind its end"
    | Node c :: rest -> run (node (Option.bind c (prepared p)) @ rest)
    | Children (0, cases) :: rest ->
      List.iter (fun (value, child) -> if child <> None then refuse "the case %s is left out" value) cases;
      run rest
    | Children (n, cases) :: rest ->
      let value = token () in
      let child = Option.join (List.assoc_opt value cases) in
      run (Node child :: Children (n - 1, List.remove_assoc value cases) :: rest) in
  try run [ Node (Some (start p)) ] with Refused why -> refuse "word %d: %s" !n why

(* --- executions --- *)

let replay job (p : place) words claim =
  let step c w =
    let c = match prepared p c with Some c -> c | None -> refuse "no order by `with` is possible" in
    let left, way, right = match cut_at '<' w, cut_at '|' w with
      | Some (a, b), _ -> a, "<", b
      | None, Some (a, b) -> a, "|", b
      | None, None -> refuse "'%s' is no choice" w in
    let cases, value = match cut_at ':' left with
      | Some (tag, e) when tag <> "i" -> cases_of_pair p c (which p tag) (event p e) (event p right), way
      | _ -> cases_of_read p c (event p left), right in
    match List.assoc_opt value cases with Some (Some c) -> c | _ -> refuse "'%s' cannot be" w in
  match prepared p (List.fold_left step (start p) words) with
  | Some c when whole p c ->
    let v = view p c in
    if not (certain_at_last v) then refuse "values that its paths exclude";
    let broken (k : Cat.check) = if Bounds.lost v.known k then refuse "check %s is lost" k.name in
    List.iter broken (required p);
    if not (all_known v) then outside "a value that justifies itself";
    shows job v (add claim)
  | _ -> refuse "not all is chosen"

(* --- sections: what is said of a program on a memory --- *)

type section = {
  of_recovery : bool;
  looks : (string, string) Hashtbl.t;              (* of paths, by their names *)
  mutable size : int;
  mutable lines : (string * (string list * string list)) list;  (* newest first: kind, paths, the rest *)
}

let sections lines =
  let table = Hashtbl.create 7 and current = ref None in
  let add kind values c =
    let head = String.concat " " (kind :: values) in
    if Hashtbl.mem table head then refuse "a section stands twice";
    Hashtbl.replace table head c in
  let read l = match words l, !current with
    | [], _ -> ()
    | ("program" | "recovery" as kind) :: values, _ ->
      let c = { of_recovery = kind = "recovery"; looks = Hashtbl.create 7; size = 0; lines = [] } in
      add kind values c; current := Some c
    | _, None -> refuse "a line stands outside of a section"
    | "also" :: values, Some c ->
      if not c.of_recovery || Hashtbl.length c.looks > 0 || c.lines <> [] then
        refuse "'also' stands behind 'recovery' alone";
      add "recovery" values c
    | "path" :: n :: shown, Some c ->
      c.size <- c.size + List.length shown;
      if Hashtbl.mem c.looks n then refuse "the path %s stands twice" n;
      Hashtbl.replace c.looks n (String.concat " " shown)
    | ("tree" | "execution" | "never" as kind) :: rest, Some c ->
      c.size <- c.size + List.length rest;
      let rec upto_colon acc = function
        | ":" :: rest -> List.rev acc, rest
        | n :: rest -> upto_colon (n :: acc) rest
        | [] -> refuse "a line has no ':'" in
      c.lines <- (kind, upto_colon [] rest) :: c.lines
    | _ -> refuse "a line cannot be read: %s" l in
  List.iter read lines; table

let lines c kind =
  List.rev (List.filter_map (fun (k, line) -> if k = kind then Some line else None) c.lines)

(* A path of work-item T has a name T.N, and means each that looks so. *)
let item_and_look c name = match pair_in name, Hashtbl.find_opt c.looks name with
  | Some (t, _), Some look -> t, look
  | None, _ -> refuse "'%s' names no path" name
  | _, None -> refuse "there is no path %s" name

let look chosen = String.concat ", " (List.map (fun (p : path) -> p.shown) (Array.to_list chosen))

(* No write of these paths, nor of any path of the other work-items, lets the path of a read go on. *)
let never job (starts : int64 array) (chosen : (int * path) list) t k =
  let p = List.assoc t chosen in
  let ended_by loc (q : path) = Array.for_all (fun (e : event) ->
    e.kind <> W || e.loc <> loc || ends p k (constant job e)) q.events in
  let all_ended loc u paths =
    List.for_all (ended_by loc) (match List.assoc_opt u chosen with Some q -> [ q ] | None -> paths) in
  match if k < Array.length p.events then p.events.(k).kind, p.events.(k).loc else W, 0 with
  | R, loc ->
    ends p k (Some starts.(loc))
    && List.for_all Fun.id (List.mapi (all_ended loc) (Array.to_list job.paths))
  | _ -> false

(* Of the first paths of a combination, the newest first: whether a line says that they go with no
   others. Of a line counts which work-items it is about, the path of the last of them, and the read. *)
let drops job starts c =
  let table = Hashtbl.create 31 and left = ref 10000000 in
  List.iter (fun (names, e) ->
    let paths = List.sort_uniq compare (List.map (item_and_look c) names) in
    if List.exists (fun (t, _) -> t >= Array.length job.items) paths then refuse "there is no such work-item";
    match List.rev paths, List.map pair_in e with
    | last :: _, [ Some (t, k) ] when List.mem_assoc t paths ->
      let line = List.map fst paths, t, k in
      if not (List.mem line (Hashtbl.find_all table last)) then Hashtbl.add table last line
    | _ -> refuse "a line 'never' has paths, and a read of one of them") (lines c "never");
  fun newest ->
    let last = List.length newest - 1 in
    let path t = t, List.nth newest (last - t) in
    List.exists (fun (items, t, k) ->
      decr left;
      if !left < 0 then refuse "too many lines 'never'";
      never job starts (List.map path items) t k)
      (Hashtbl.find_all table (last, (List.hd newest).shown))

let place_of job starts chosen =
  let fixed = job.fixed (List.map (fun (p : path) -> p.number) (Array.to_list chosen)) in
  Choice.place fixed job.model (Skeleton.make job.test job.items starts chosen)

let check_section job c starts =
  let job = possible_paths job starts in
  let claim = ref Seen.empty and by_look = Hashtbl.create 97 and trees = Hashtbl.create 97 in
  let named names =
    let of_item t name =
      let u, look = item_and_look c name in
      if u <> t then refuse "paths are not in order"; look in
    String.concat ", " (List.mapi of_item names) in
  let combinations = combinations job ~drop:(drops job starts c) in
  List.iter (fun chosen -> Hashtbl.add by_look (look chosen) chosen) combinations;
  (* Paths that look alike are tried one after the other; that must not take long. *)
  let left = ref (64 * (c.size + 64)) in
  let spend () =
    decr left; if !left < 0 then refuse "too many trees or executions of paths that look alike" in
  (* None: one of them does; else why the last does not. *)
  let rec first_that f why = function
    | [] -> Some why
    | x :: rest -> match f x with () -> None | exception Refused why -> first_that f why rest in
  List.iter (fun (names, rest) ->
    let replayed chosen =
      List.iter (fun _ -> spend ()) ("" :: rest);
      replay job (place_of job starts chosen) rest claim in
    Option.iter (refuse "the execution of paths %s: %s" (String.concat " " names))
      (first_that replayed "there are no such paths together" (Hashtbl.find_all by_look (named names))))
    (lines c "execution");
  (* What is undefined needs one execution, and nothing else. *)
  if undefined claim = None then begin
    List.iter (fun (names, tree) -> Hashtbl.add trees (named names) tree) (lines c "tree");
    List.iter (fun chosen ->
      let p = place_of job starts chosen in
      let alike = Hashtbl.find_all trees (look chosen) in
      let refused bounded = first_that (walk job p claim ~bounded ~spend) "there is no tree" alike in
      if refused false <> None then
        Option.iter (refuse "paths %s: %s" (look chosen)) (refused true)) combinations
  end;
  claim

let memory test starts =
  String.concat " " (List.map (fun l -> Int64.to_string starts.(l)) (locations test (named test)))
let head jobs job starts =
  Printf.sprintf "%s %s" (if job == fst jobs then "program" else "recovery") (memory job.test starts)

(* The answer that a certificate shows; lines: what stands between its head and its end. *)
let check test jobs ~expected lines =
  let table = sections lines in
  answer test jobs ~lists:false ~expected ~run:(fun job starts ->
    match Hashtbl.find_opt table (head jobs job starts) with
    | Some c -> check_section job c starts
    | None -> refuse "there is no section '%s'" (head jobs job starts))
