(* crashlit-check: the command. Its lines and statuses are in docs/inside/certificates.md. *)

open Value

let models = ref "models"
let folders () = [ !models; Filename.concat !models "visibility"; Filename.concat !models "persistency"; Filename.concat !models "definitions" ]

let find_beside test n =
  match List.find_opt Sys.file_exists (List.map (fun d -> Filename.concat d n) (Filename.dirname test :: folders ())) with
  | Some f -> f
  | None -> fault "there is no file %s" n

(* A name without '/' and without '.cat' is built in; anything else is a path from the test's folder. *)
let model_file test kind n =
  if Filename.check_suffix n ".cat" || String.contains n '/' then find_beside test n
  else
    let f = Filename.concat (Filename.concat !models kind) (n ^ ".cat") in
    if Sys.file_exists f then f else fault "there is no model %s" n

(* States as lines `x=0; 1:r=2;`, with what docs/models/semantics.md says is listed. *)
let states (test : Program.test) (a : Decide.answer) =
  let open Program in
  let show l v = if test.locs.(l).ty = { bits = 64; signed = false } then Printf.sprintf "%Lu" v else Int64.to_string v in
  let at l v = Printf.sprintf "%s=%s;" test.locs.(l).name (show l v) in
  let register (t, r) v = Printf.sprintf "%d:%s=%s;" t r (match v with Some v -> Int64.to_string v | None -> "-") in
  let mentioned states = List.concat_map (fun c -> if c.states = states then terms c.prop else []) test.conditions in
  let terms_of mentioned = List.filter (function Int _ -> false | _ -> true) (List.sort_uniq compare mentioned) in
  let of_memory (job : Decide.job) terms (mem, regs) = List.filter_map (function
    | Loc l -> Some (at l (List.nth mem l))
    | Register (t, r) -> Some (register (t, r) (List.assoc_opt (t, r) (List.combine job.asked regs)))
    | Int _ -> None) terms in
  let final = match terms_of (mentioned Final @ test.shown) with [] -> List.init (Array.length test.locs) (fun l -> Loc l) | l -> l in
  let nvm = List.map (fun l -> Loc l) (Decide.nvm_of test) in
  let recovered = nvm @ List.filter (fun t -> not (List.mem t nvm)) (terms_of (mentioned Recovered)) in
  let crash (mem, regs) = List.map2 at (Decide.nvm_of test) mem @ List.map2 register a.job.asked_at_crash regs in
  let each kind f l = List.map (fun s -> kind, s) (List.sort_uniq compare (List.map (fun s -> String.concat " " (f s)) l)) in
  each "final" (of_memory a.job final) (Decide.finals a.found)
  @ each "crash" crash (Decide.crashed a.found)
  @ each "recovered" (of_memory (Option.value a.rjob ~default:a.job) recovered) (Decide.finals a.recovered)
  @ each "flag" (fun f -> [ f ]) (Decide.all a.found (function Flag f -> Some f | _ -> None))

let list_states = ref false
let unroll = ref 2

(* --- lines of answers --- *)

let to_errors = ref false
let line verdict path models what =
  (if !to_errors then Printf.eprintf else Printf.printf) "%s\t%s\t%s\t%s\n%!" verdict path models what

let guarded path models f =
  let say kind why = line kind path models why; kind in
  match f () with
  | kind -> kind
  | exception Outside why -> say "outside" why
  | exception Fault why -> say "fault" why
  | exception Certificate.Refused why -> say "refused" why
  | exception (Stack_overflow | Out_of_memory) -> say "outside" "too large for this machine"
  | exception (Not_found | Failure _ | Invalid_argument _ as e) -> say "fault" ("it cannot be read: " ^ Printexc.to_string e)

let read path = Parse.test ~find:(find_beside path) path

let jobs path (test : Program.test) v p =
  let model = Cat.pair (folders ()) (model_file path "visibility" v) (model_file path "persistency" p) in
  Decide.jobs test model ~unroll:!unroll

(* Of what is undefined the states say nothing, and a certificate shows one execution alone. *)
let told (a : Decide.answer) = match Decide.undefined a.found with
  | Some why -> Printf.sprintf "%s\t%s" a.verdict why
  | None -> Printf.sprintf "%s\t%d final, %d crash, %d recovered states%s" a.verdict (List.length (Decide.finals a.found))
      (List.length (Decide.crashed a.found)) (List.length (Decide.finals a.recovered)) (if Decide.has a.found Bounded then ", up to a bound" else "")

(* f: what is done with a pair of models; it gives the word that its line begins with. *)
let each_pair path f =
  ignore (guarded path "-" (fun () ->
    let test = read path in
    let pairs = if test.expects = [] then [ "hrf-direct", "epoch", "" ] else test.expects in
    List.iter (fun (v, p, expected) ->
      let models = v ^ " + " ^ p in
      ignore (guarded path models (fun () -> f test (jobs path test v p) models expected))) pairs; ""))

let say_states test a = if !list_states then List.iter (fun (kind, s) -> Printf.printf " %s\t%s\n" kind s) (states test a)

let naive path =
  each_pair path (fun test jobs models expected ->
    let a = Make.naive test jobs ~expected in
    let word = if a.verdict = expected || expected = "" then "agrees" else if a.verdict = "unknown" then "unknown" else "differs" in
    line word path models (Printf.sprintf "%s\t%s" (told a) expected);
    say_states test a; word)

let make path =
  each_pair path (fun test jobs models _ ->
    print_string (Make.write test jobs ~file:path ~models); "")

(* Several certificates may stand in a file. A status for the worst of them. *)
let check path =
  let worst = ref 0 in
  let rec go = function
    | [] | [ "" ] -> ()
    | "certificate 1" :: t :: m :: rest ->
      let rec body acc = function
        | "done" :: rest -> Some (List.rev acc), rest
        | ("certificate 1" :: _ | []) as rest -> None, rest
        | l :: rest -> body (l :: acc) rest in
      let lines, rest = body [] rest in
      let after word l = let n = String.length word in if String.length l > n && String.sub l 0 n = word then String.sub l n (String.length l - n) else "?" in
      let file = after "test " t and models = after "models " m in
      let word = guarded file models (fun () ->
        let lines = match lines with Some l -> l | None -> Certificate.refuse "the certificate has no end" in
        let v, p = match String.split_on_char '+' models with [ v; p ] -> String.trim v, String.trim p | _ -> Certificate.refuse "no pair of models" in
        let test = read file in
        let expected = match List.find_opt (fun (a, b, _) -> a = v && b = p) test.expects with Some (_, _, e) -> e | None -> "" in
        let a = Certificate.check test (jobs file test v p) ~expected lines in
        line "certified" file models (told a); say_states test a; "certified") in
      worst := max !worst (match word with "certified" -> 0 | "refused" -> 1 | "outside" -> 3 | _ -> 2);
      go rest
    | l :: _ -> Printf.eprintf "crashlit-check: %s: a certificate begins with 'certificate 1', not '%s'\n" path l; worst := max !worst 2 in
  (match Lexer.read_file path with
   | text -> go (String.split_on_char '\n' text)
   | exception Fault why -> Printf.eprintf "crashlit-check: %s\n" why; worst := 2);
  !worst

let usage () =
  prerr_endline "usage: crashlit-check [--models DIR] [--nodes N] [--states] CERTIFICATES | --naive TEST ... | --make TEST ..."; exit 2

let () =
  let rec go = function
    | "--models" :: d :: rest -> models := d; go rest
    | "--nodes" :: n :: rest when int_of_string_opt n <> None -> Make.most_nodes := int_of_string n; go rest
    | "--states" :: rest -> list_states := true; go rest
    | "--naive" :: files -> List.iter naive files
    | "--make" :: files -> to_errors := true; List.iter make files
    | [ path ] when path <> "" && path.[0] <> '-' -> exit (check path)
    | _ -> usage () in
  go (List.tl (Array.to_list Sys.argv))
