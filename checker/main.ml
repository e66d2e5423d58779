(* crashlit-check: the command. Its lines and statuses are in docs/inside/certificates.md. *)

open Value

let models = ref "models"
let folders () = [ !models; Filename.concat !models "visibility"; Filename.concat !models "persistency"; Filename.concat !models "definitions" ]

let find_beside test n =
  match List.find_opt Sys.file_exists (List.map (fun d -> Filename.concat d n) (Filename.dirname test :: folders ())) with
  | Some f -> f
  | None -> fault "there is no file %s" n

(* A name without '/' and without '.cat' is built in; anything else is a path from the current folder or from the test's. *)
let model_file test kind n =
  if Filename.check_suffix n ".cat" || String.contains n '/' then (if Sys.file_exists n then n else find_beside test n)
  else
    let f = Filename.concat (Filename.concat !models kind) (n ^ ".cat") in
    if Sys.file_exists f then f else fault "there is no model %s" n

(* States as lines `x=0; 1:r=2;`. *)
let states (test : Program.test) (a : Decide.answer) =
  let open Program in
  let at l v =
    let show = if test.locs.(l).ty = { bits = 64; signed = false } then Printf.sprintf "%Lu" else Int64.to_string in
    Printf.sprintf "%s=%s;" test.locs.(l).name (show v) in
  let register (t, r) v = Printf.sprintf "%d:%s=%s;" t r (match v with Some v -> Int64.to_string v | None -> "-") in
  let term t v = match t with Loc l -> at l v | Register (t, r) -> register (t, r) (Some v) | Int v -> Int64.to_string v in
  let crash (mem, regs) = List.map2 at (Decide.nvm_of test) mem @ List.map2 register a.job.asked_at_crash regs in
  let each kind f l = List.map (fun s -> kind, s) (List.sort_uniq compare (List.map (fun s -> String.concat " " (f s)) l)) in
  each "final" (List.map2 term a.job.listed) (Decide.finals a.found)
  @ each "crash" crash (Decide.crashed a.found)
  @ (match a.rjob with Some j -> each "recovered" (List.map2 term j.listed) (Decide.finals a.recovered) | None -> [])
  @ each "flag" (fun f -> [ f ]) (Decide.all a.found (function Flag f -> Some f | _ -> None))

let list_states = ref false

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

let defaults = { Decide.unroll = 2; crash = None }
let files path v p = model_file path "visibility" v, model_file path "persistency" p
let jobs ?(options = defaults) path (test : Program.test) v p =
  let visibility, persistency = files path v p in
  let model = Cat.pair (folders ()) visibility persistency in
  Decide.jobs test model options

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

let cut_behind word l = match l with
  | Some l when String.length l > String.length word && String.sub l 0 (String.length word) = word ->
    String.sub l (String.length word) (String.length l - String.length word)
  | _ -> Certificate.refuse "there is no line '%s..'" word

let option options w = match String.split_on_char '=' w with
  | [ "unroll"; n ] -> (match Certificate.number_in "%u%!" n with Some n -> { options with Decide.unroll = n } | None -> outside "the option %s" w)
  | [ "crash"; where ] ->
    (match List.assoc_opt where [ "anywhere", Cuts.Everywhere; "points", At_points; "end", Behind_all ] with
     | Some c -> { options with crash = Some c }
     | None -> outside "the option %s" w)
  | _ -> outside "the option %s" w

(* A certificate, without its first and last line. *)
let check_one lines =
  let file = try cut_behind "test " (List.nth_opt lines 0) with Certificate.Refused _ -> "?" in
  let models = try cut_behind "models " (List.nth_opt lines 1) with Certificate.Refused _ -> "?" in
  let rest = match lines with _ :: _ :: rest -> rest | _ -> [] in
  let said, rest = match rest with
    | o :: rest when List.nth_opt (Certificate.words o) 0 = Some "options" -> List.tl (Certificate.words o), rest
    | rest -> [], rest in
  let asked = String.concat " " (models :: said) in
  guarded file asked (fun () ->
    let v, p = match String.split_on_char '+' models with
      | [ v; p ] -> String.trim v, String.trim p
      | _ -> Certificate.refuse "there is no pair of models" in
    let options = List.fold_left option defaults said in
    let test = read file in
    (* Of the pair of models that an `expect` line names by the same files. *)
    let digests v p = let a, b = files file v p in Digest.file a, Digest.file b in
    let same (a, b, _) = (a = v && b = p) || digests a b = digests v p in
    let expected = match List.find_opt same test.expects with Some (_, _, e) -> e | None -> "" in
    let a = Certificate.check test (jobs ~options file test v p) ~expected rest in
    line "certified" file asked (told a); say_states test a; "certified")

(* Each certificate of a file, as soon as it has been read; a status for the worst of them. *)
let check path =
  let worst = ref 0 in
  let say status = worst := max !worst status in
  let status = function "certified" -> 0 | "refused" -> 1 | "outside" -> 3 | _ -> 2 in
  let cut_off () = say 1; line "refused" "?" "?" "the certificate has no end" in
  let go channel =
    let rec outside_of () = match input_line channel with
      | "" -> outside_of ()
      | "certificate 1" -> inside []
      | l -> Printf.eprintf "crashlit-check: %s: a certificate begins with 'certificate 1', not '%s'\n" path l; say 2
      | exception End_of_file -> ()
    and inside lines = match input_line channel with
      | "done" -> say (status (check_one (List.rev lines))); outside_of ()
      | "certificate 1" -> cut_off (); inside []
      | l -> inside (l :: lines)
      | exception End_of_file -> cut_off () in
    outside_of () in
  (match if path = "-" then stdin else open_in_bin path with
   | channel -> (try go channel with Sys_error why -> Printf.eprintf "crashlit-check: %s\n" why; say 2)
   | exception Sys_error why -> Printf.eprintf "crashlit-check: %s\n" why; say 2);
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
    | [ path ] when path = "-" || (path <> "" && path.[0] <> '-') -> exit (check path)
    | _ -> usage () in
  go (List.tl (Array.to_list Sys.argv))
