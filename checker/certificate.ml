(* Certificates: written by the naive search, and checked. The format, and why what is accepted is
   true, is in docs/inside/certificates.md. Nothing that stands in a certificate is believed: paths,
   values, relations, cuts and conditions are the checker's own. *)

open Program
open Run
open Search
open Decide

exception Refused of string
let refuse fmt = Printf.ksprintf (fun s -> raise (Refused s)) fmt

(* A path is named by what it does. *)
let kind_name = function R -> "R" | W -> "W" | F -> "F" | CM -> "CM" | B -> "B" | PB -> "PB"
let describe (p : path) =
  let ending = match p.ending with Ended -> "end" | Waits _ -> "await" | At_barrier _ -> "barrier" | Bound -> "bound" | Faulted _ -> "fault" in
  String.concat " " (List.map (fun e -> Printf.sprintf "%s:%d" (kind_name e.kind) e.line) (Array.to_list p.events) @ [ ending ])

(* --- what is left of a node adds nothing to a claim --- *)

(* Holds whatever completes the choice. *)
let kept known (c : Cat.check) =
  let low, high = Bounds.eval known c.node in
  let test v = match c.test, v with
    | Cat.Is_empty, Bounds.Set s -> s = 0
    | Cat.Is_empty, Bounds.Rel r -> Rel.is_empty r
    | Cat.Acyclic, v -> Rel.is_acyclic (Bounds.rel known v)
    | Cat.Irreflexive, v -> Rel.is_irreflexive (Bounds.rel known v) in
  if c.negated then not (test low) else test high

let lands_in_order job (s : Skeleton.t) known =
  let node = Cat.named job.model "lands-before" in
  node == Cat.named job.model "co" ||
  let loc = Rel.diff (Skeleton.relation s "loc") (Skeleton.relation s "id") in
  Rel.is_acyclic (Rel.inter loc (Bounds.rel known (snd (Bounds.eval known node))))

(* Every state, flag and undefined behaviour below the node is in the claim. *)
let covered job claim (s : Skeleton.t) choice known =
  let checks effect = List.filter (fun (c : Cat.check) -> c.effect = effect) job.model.checks in
  let valued i = s.event.(i).kind <> W || written s choice 0 i <> None in
  let extra = Array.exists (fun (p : path) -> p.extra) s.chosen in
  let ends e = Array.exists (fun (p : path) -> e p.ending) s.chosen in
  let subset a b = Hashtbl.fold (fun k () yes -> yes && Hashtbl.mem b k) a true in
  List.for_all (fun i -> (not (is_read s i)) || choice.source.(i) >= 0) (List.init s.n Fun.id)
  && List.for_all valued (List.init s.n Fun.id)
  && List.for_all (kept known) (checks Cat.Undefined)
  && not (divergence job s.chosen) && not (ends (function Faulted _ -> true | _ -> false))
  && lands_in_order job s known
  && (extra || begin
      if ends ((=) Bound) then claim.bounded <- true;
      List.for_all (fun (c : Cat.check) -> kept known c || Hashtbl.mem claim.flags c.name) (checks Cat.Flag)
      && (ends ((<>) Ended) || List.for_all (fun (m, r) ->
          (match job.filter with Some q -> not (truth_of job m r q) | None -> false) || Hashtbl.mem claim.finals (m, r))
          (final_states job s choice))
      && (let crashes = Hashtbl.create 31 in
          ignore (crash_states job s choice ~low:known ~high:known crashes); subset crashes claim.crashes)
    end)

(* --- writing --- *)

type section = { mutable names : (string * string) list; text : Buffer.t }  (* "T description", its name *)

let path_name sec t p =
  let d = Printf.sprintf "%d %s" t (describe p) in
  match List.assoc_opt d sec.names with
  | Some n -> n
  | None ->
    let k = List.length (List.filter (fun (e, _) -> List.hd (String.split_on_char ' ' e) = string_of_int t) sec.names) in
    let n = Printf.sprintf "%d.%d" t k in
    sec.names <- (d, n) :: sec.names;
    Buffer.add_string sec.text (Printf.sprintf "path %s %s\n" n (describe p)); n

let combination sec chosen = String.concat " " (Array.to_list (Array.mapi (path_name sec) chosen))

let pairs_of s tag (o : order) =
  let name = event_name s in
  let each f = List.concat (List.init s.Skeleton.n (fun i -> List.filter_map (fun j -> f i j) (List.init s.n Fun.id))) in
  each (fun i j -> if Rel.mem j o.may.(i) && Rel.mem j o.yes.(i) && s.owner.(i) >= 0 then Some (Printf.sprintf "%s:%s<%s" tag (name i) (name j)) else None)
  @ each (fun i j -> if i < j && Rel.mem j o.no.(i) then Some (Printf.sprintf "%s:%s|%s" tag (name i) (name j)) else None)

let execution sec s choice =
  let sources = List.filter_map (fun i -> if is_read s i then Some (Printf.sprintf "%s<%s" (event_name s i) (event_name s choice.source.(i))) else None) (List.init s.Skeleton.n Fun.id) in
  let own = List.concat (List.mapi (fun k o -> pairs_of s (Printf.sprintf "w%d" k) o) (Array.to_list choice.own)) in
  let names = combination sec s.chosen in
  Buffer.add_string sec.text (String.concat " " (("execution " ^ names ^ " :") :: sources @ pairs_of s "o" choice.co @ pairs_of s "f" choice.fences @ own) ^ "\n")

(* Twice: what is there, with an execution for all that is new, and then a tree with that as its claim. *)
let write_section job starts text =
  let sec = { names = []; text } and found = nothing () in
  let each f = List.iter (fun chosen -> f (Skeleton.make job.test job.items starts chosen)) job.combinations in
  each (fun s -> explore job s ~say:ignore ~witness:(execution sec) ~covered:(fun _ _ _ -> false) found);
  if found.undefined = "" then
    each (fun s ->
      let names = combination sec s.chosen in
      Buffer.add_string text ("tree " ^ names ^ " :");
      explore job s ~say:(fun w -> Buffer.add_string text (" " ^ w)) ~witness:nobody ~covered:(covered job found) (nothing ());
      Buffer.add_char text '\n');
  found

let memory starts = String.concat " " (List.map Int64.to_string (Array.to_list starts))

let write test jobs ~file ~models =
  let text = Buffer.create 1000 in
  Buffer.add_string text (Printf.sprintf "certificate 1\ntest %s\nmodels %s\n" file models);
  let a = answer test jobs ~expected:"ok" ~run:(fun job starts ->
    Buffer.add_string text (Printf.sprintf "%s %s\n" (if job == fst jobs then "program" else "recovery") (memory starts));
    write_section job starts text) in
  Buffer.add_string text "done\n";
  Buffer.contents text, a

(* --- checking --- *)

type lines = { paths : (string, string) Hashtbl.t; mutable trees : (string list * string array) list; mutable executions : (string list * string list) list }

let words l = List.filter ((<>) "") (String.split_on_char ' ' l)
let rec names_and = function
  | ":" :: rest -> [], rest
  | n :: rest -> let names, rest = names_and rest in n :: names, rest
  | [] -> refuse "a line has no ':'"

(* The sections of a certificate by their first lines. *)
let sections lines =
  let table = Hashtbl.create 7 in
  let current = ref None in
  let put f = match !current with Some c -> f c | None -> refuse "a line stands outside of a section" in
  List.iter (fun l -> match words l with
    | ("program" | "recovery") :: _ ->
      let c = { paths = Hashtbl.create 7; trees = []; executions = [] } in
      if Hashtbl.mem table l then refuse "a section stands twice";
      Hashtbl.replace table l c; current := Some c
    | "path" :: n :: d -> put (fun c -> if Hashtbl.mem c.paths n then refuse "the path %s stands twice" n; Hashtbl.replace c.paths n (String.concat " " d))
    | "tree" :: rest -> put (fun c ->
        let names, tree = names_and rest in c.trees <- (names, Array.of_list tree) :: c.trees)
    | "execution" :: rest -> put (fun c -> c.executions <- names_and rest :: c.executions)
    | [] -> ()
    | _ -> refuse "a line cannot be read: %s" l) lines;
  table

let named_paths c (s : Skeleton.t) names =
  List.length names = Array.length s.chosen
  && List.for_all2 (fun n (t, p) -> Hashtbl.find_opt c.paths n = Some (describe p)
                                    && List.hd (String.split_on_char '.' n) = string_of_int t)
    names (Array.to_list (Array.mapi (fun t p -> t, p) s.chosen))

let event_of (s : Skeleton.t) n =
  let rec find i = if i >= s.n then -1 else if event_name s i = n then i else find (i + 1) in find 0

(* Walks a tree over a skeleton with an explicit stack; each entry is what is to be done next. *)
type task =
  | Node of choice option                                 (* None: nothing is there, its tokens are passed over *)
  | Children of choice option * [ `Read of int | `Order of string * int * int * int ] * int * string list

let walk job claim (s : Skeleton.t) tree =
  let fixed = Hashtbl.create 97 and pos = ref 0 in
  let token () = if !pos >= Array.length tree then refuse "a tree ends too soon"; incr pos; tree.(!pos - 1) in
  let number () = match int_of_string_opt (token ()) with Some n when n >= 0 -> n | _ -> refuse "word %d of a tree is no number" !pos in
  let event c n = let e = event_of s n in if e < 0 && c <> None then refuse "there is no event %s" n; e in
  let leaf choice word =
    let known = known s job.model fixed choice in
    let whole () = match next s choice with Whole -> true | _ -> false in
    match word with
    | "v" -> if not (contradicts s choice || (whole () && not (keeps_waiting s choice))) then refuse "word %d: no value is contradicted" !pos
    | "k" -> if not (covered job claim s choice known) then refuse "word %d: something that is not in the claim may follow" !pos
    | "c" -> refuse "word %d: the choices are an order" !pos
    | _ ->
      let n = match int_of_string_opt (String.sub word 1 (String.length word - 1)) with Some n -> n | None -> refuse "word %d of a tree" !pos in
      match if n > 0 then List.nth_opt job.model.checks (n - 1) else None with
      | Some c when c.effect = Cat.Required -> if not (Bounds.lost known c) then refuse "word %d: check %s is not lost" !pos c.name
      | _ when n = 0 && lost_check job known > 0 -> ()
      | _ -> refuse "word %d: there is no check %d" !pos n in
  (* Orders by `with` are there once all else is chosen. *)
  let prepared = function
    | Some c when (match next s c with Ready -> true | _ -> false) -> ready_orders s job.model fixed c
    | c -> c in
  let rec run = function
    | [] -> if !pos <> Array.length tree then refuse "a tree goes on behind its end"
    | Node c :: rest ->
      (match token () with
       | "r" -> let e = event c (token ()) in
         (match c with Some _ when not (is_read s e) -> refuse "word %d: no read" !pos | _ -> ());
         let n = number () in run (Children (c, `Read e, n, []) :: rest)
       | "o" | "f" | "w" as which ->
         let c = if which = "w" then prepared c else c in
         let k = if which = "w" then number () else 0 in
         let a = token () in let a = event c a in
         let b = token () in let b = event c b in
         if which = "w" && c <> None && k >= Array.length (Option.get c).own then refuse "word %d: no such choice" !pos;
         let n = number () in run (Children (c, `Order (which, k, a, b), n, []) :: rest)
       | word ->
         (match prepared c with
          | Some c when word <> "" -> leaf c word
          | _ -> if word = "" then refuse "an empty word");
         run rest)
    | Children (c, over, 0, seen) :: rest ->
      (match c, over with
       | Some c, `Read e -> if c.source.(e) < 0 then List.iter (fun w ->
           if not (List.mem (event_name s w) seen) then refuse "word %d: %s may read %s" !pos (event_name s e) (event_name s w)) (sources s e)
       | Some _, `Order (which, _, _, _) ->
         let all = if which = "o" && s.test.ptx then [ "<"; ">"; "|" ] else [ "<"; ">" ] in
         if not (List.for_all (fun v -> List.mem v seen) all) then refuse "word %d: a way to order two events is left out" !pos
       | None, _ -> ());
      run rest
    | Children (c, over, n, seen) :: rest ->
      let v = token () in
      let child = match c, over with
        | None, _ -> None
        | Some c, `Read e ->
          let w = event_of s v in
          if c.source.(e) >= 0 then (if c.source.(e) = w then Some c else None)
          else if w >= 0 && List.mem w (sources s e) then Some (with_source c e w) else None
        | Some c, `Order (which, k, a, b) ->
          let o = match which with "o" -> c.co | "f" -> c.fences | _ -> c.own.(k) in
          (* Two events that this order does not relate make no cases. *)
          if not (Rel.mem b o.may.(a) || Rel.mem a o.may.(b)) then refuse "word %d: two events have no order" !pos;
          if List.mem v [ "<"; ">"; "|" ] then with_pair c which k a b v else None in
      run (Node child :: Children (c, over, n - 1, v :: seen) :: rest) in
  run [ Node (Some (start s job.model)) ]

(* An execution: sources and orders of all that is open. *)
let replay job (s : Skeleton.t) rest found =
  let split_on c w = match String.index_opt w c with Some i -> Some (String.sub w 0 i, String.sub w (i + 1) (String.length w - i - 1)) | None -> None in
  let fixed = Hashtbl.create 31 in
  let step choice w =
    let tag, body = if String.length w > 1 && (w.[1] = ':' && w.[0] <> 'i' || w.[0] = 'w') then Option.value (split_on ':' w) ~default:("", w) else "", w in
    let sign = if String.contains body '|' then '|' else '<' in
    match split_on sign body with
    | None -> refuse "an execution cannot be read: %s" w
    | Some (a, b) ->
      let i = event_of s a and j = event_of s b in
      if i < 0 || j < 0 then refuse "there is no event %s" w;
      if tag = "" then
        if is_read s i && List.mem j (sources s i) then with_source choice i j else refuse "no source: %s" w
      else
        let choice = match next s choice with Ready -> Option.value (ready_orders s job.model fixed choice) ~default:choice | _ -> choice in
        let k = if tag.[0] = 'w' then int_of_string (String.sub tag 1 (String.length tag - 1)) else 0 in
        if tag.[0] = 'w' && k >= Array.length choice.own then refuse "no such choice: %s" w;
        match with_pair choice (String.make 1 tag.[0]) k i j (String.make 1 sign) with
        | Some c -> c | None -> refuse "no order: %s" w in
  let choice = List.fold_left step (start s job.model) rest in
  let choice = match next s choice with Ready -> Option.value (ready_orders s job.model fixed choice) ~default:choice | _ -> choice in
  (match next s choice with Whole -> () | _ -> refuse "an execution is not whole");
  let known = known s job.model fixed choice in
  if contradicts s choice || not (keeps_waiting s choice) then refuse "an execution has values that its paths exclude";
  if lost_check job known > 0 then refuse "an execution is not consistent";
  record job s choice known found

let check_section (job : job) starts (c : lines) =
  let claim = nothing ~partial:true () in
  let skeletons = List.map (Skeleton.make job.test job.items starts) job.combinations in
  List.iter (fun (names, rest) ->
    let fitting = List.filter (fun s -> named_paths c s names) skeletons in
    let accepted = List.exists (fun s -> match replay job s rest claim with () -> true | exception Refused _ -> false) fitting in
    if not accepted then refuse "the execution of paths %s is not one" (String.concat " " names)) (List.rev c.executions);
  (* What is undefined needs one execution, and nothing else. *)
  if claim.undefined = "" then
    List.iter (fun (s : Skeleton.t) ->
      let trees = List.filter (fun (names, _) -> named_paths c s names) c.trees in
      let rec any why = function
        | [] -> refuse "paths %s: %s" (String.concat ", " (List.map describe (Array.to_list s.chosen))) why
        | (_, tree) :: rest -> (match walk job claim s tree with () -> () | exception Refused why -> any why rest) in
      any "there is no tree" trees) skeletons;
  claim

(* The answer that a certificate shows; lines: what stands between its head and its end. *)
let check test jobs ~expected lines =
  let table = sections lines in
  answer test jobs ~expected ~run:(fun job starts ->
    let head = Printf.sprintf "%s %s" (if job == fst jobs then "program" else "recovery") (memory starts) in
    match Hashtbl.find_opt table head with
    | Some c -> check_section job starts c
    | None -> refuse "there is no section '%s'" head)
