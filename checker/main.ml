(* crashlit-check: the command. Its lines and statuses are in docs/inside/certificates.md. Whoever wants to know what
   has to be trusted reads certificate.ml, choice.ml, bounds.ml and cuts.ml, which judge; then decide.ml, question.ml
   and skeleton.ml, which say what an execution is; then run.ml, cat.ml and parse.ml, which read the question. *)

open Value

let models = ref "models"
let folders () =
  !models :: List.map (Filename.concat !models) [ "visibility"; "persistency"; "definitions" ]

let find_in folders n =
  match List.find_opt Sys.file_exists (List.map (fun d -> Filename.concat d n) folders) with
  | Some f -> f
  | None -> fault "there is no file %s" n
let find_beside test n = find_in (Filename.dirname test :: folders ()) n

(* A name without '/' and without '.cat' is built in; anything else is a path, from the folders in turn. *)
let is_path n = Filename.check_suffix n ".cat" || String.contains n '/'
let model_files paths_from (v, p) =
  let file kind n =
    if is_path n then
      (if Filename.is_relative n then find_in (paths_from @ folders ()) n else n)
    else find_in [ Filename.concat !models kind ] (n ^ ".cat") in
  file "visibility" v, file "persistency" p

(* A path by its folders, the last first. *)
let normal path =
  let add folders = function
    | "." | "" -> folders
    | ".." -> (match folders with w :: rest when w <> ".." -> rest | l -> ".." :: l)
    | w -> w :: folders in
  List.fold_left add [] (String.split_on_char '/' path)

(* --- lines of answers --- *)

let to_errors = ref false
let list_states = ref false
let line verdict path models what =
  (if !to_errors then Printf.eprintf else Printf.printf) "%s\t%s\t%s\t%s\n%!" verdict path models what

(* f gives the word that its line begins with. *)
let guarded path models f =
  let say kind why = line kind path models why; kind in
  match f () with
  | kind -> kind
  | exception Outside why -> say "outside" why
  | exception Fault why -> say "fault" why
  | exception Certificate.Refused why -> say "refused" why
  | exception (Stack_overflow | Out_of_memory) -> say "outside" "too large for this machine"
  | exception (Not_found | Failure _ | Invalid_argument _ as e) ->
    say "fault" ("it cannot be read: " ^ Printexc.to_string e)

(* Of what is undefined the states say nothing, and a certificate shows one execution alone. *)
let told (a : Decide.answer) =
  let many states = List.length (states : _ list) in
  match Decide.undefined a.found with
  | Some why -> Printf.sprintf "%s\t%s" a.verdict why
  | None -> Printf.sprintf "%s\t%d final, %d crash, %d recovered states%s" a.verdict
      (many (Decide.finals a.found)) (many (Decide.crashed a.found)) (many (Decide.finals a.recovered))
      (if Decide.has a.found Bounded then ", up to a bound" else "")

(* States as lines `x=0; 1:r=2;`, and flags. *)
let say_states (test : Program.test) (a : Decide.answer) =
  let open Program in
  let number ty v = Printf.sprintf (if ty = Some { bits = 64; signed = false } then "%Lu" else "%Ld") v in
  let at l v = Printf.sprintf "%s=%s;" test.locs.(l).name (number (Some test.locs.(l).ty) v) in
  let register (j : Question.job) (t, r) v =
    let shown = match v with Some v -> number (List.assoc_opt r j.items.(t).types) v | None -> "-" in
    Printf.sprintf "%d:%s=%s;" t r shown in
  let term j t v = match t with
    | Loc l -> at l v
    | Register (t, r) -> register j (t, r) (Some v)
    | Int _ -> "" in
  let say kind state l =
    let states = List.map (fun s -> String.concat " " (state s)) l in
    List.iter (Printf.printf " %s\t%s\n" kind) (List.sort_uniq compare states) in
  if !list_states then begin
    say "final" (List.map2 (term a.job) a.job.listed) (Decide.finals a.found);
    let crash (mem, regs) =
      List.map2 at (Question.nvm_of test) mem
      @ List.map2 (register a.job) a.job.asked_at_crash regs in
    say "crash" crash (Decide.crashed a.found);
    Option.iter (fun (j : Question.job) ->
      say "recovered" (List.map2 (term j) j.listed) (Decide.finals a.recovered)) a.rjob;
    say "flag" (fun f -> [ f ]) (Decide.all a.found (function Flag f -> Some f | _ -> None))
  end

(* --- questions --- *)

let read = memo (fun path -> Parse.test ~find:(find_beside path) path)
let defaults = { Question.unroll = 2; crash = None; own = false }
let jobs ?(options = defaults) test (v, p) paths_from =
  let visibility, persistency = model_files paths_from (v, p) in
  Question.jobs test (Cat.pair (folders (), visibility, persistency)) { options with own = is_path v || is_path p }

(* Of a test with each pair of models that it expects something of. *)
let each_pair answer path =
  let of_test () =
    let test = read path in
    let of_pair (v, p, expected) =
      let models = v ^ " + " ^ p in
      let ask () =
        answer test (jobs test (v, p) [ Filename.dirname path; "." ]) path models expected in
      ignore (guarded path models ask) in
    List.iter of_pair (if test.expects = [] then [ "hrf-direct", "epoch", "" ] else test.expects); "" in
  ignore (guarded path "-" of_test)

let naive test jobs path models expected =
  let a = Make.naive test jobs ~expected in
  let word = if a.verdict = expected || expected = "" then "agrees"
    else if a.verdict = "unknown" then "unknown" else "differs" in
  line word path models (Printf.sprintf "%s\t%s" (told a) expected);
  say_states test a; word

let make test jobs path models _ = print_string (Make.write test jobs ~file:path ~models); ""

(* --- certificates --- *)

let option options w =
  let places = [ "anywhere", Cuts.Everywhere; "points", At_points; "end", Behind_all ] in
  match String.split_on_char '=' w with
  | [ "unroll"; n ] when Certificate.number n <> None -> { options with Question.unroll = int_of_string n }
  | [ "crash"; where ] when List.mem_assoc where places ->
    { options with crash = List.assoc_opt where places }
  | _ -> outside "the option %s" w

(* A certificate, without its first and last line. *)
let check_one lines =
  let behind = Parse.strip in
  let file, models, said, rest = match lines with
    | t :: m :: o :: rest when behind "options " o <> None ->
      behind "test " t, behind "models " m, List.tl (Certificate.words o), rest
    | t :: m :: rest -> behind "test " t, behind "models " m, [], rest
    | _ -> None, None, [], [] in
  let file = Option.value file ~default:"?" and models = Option.value models ~default:"?" in
  let asked = String.concat " " (models :: said) in
  guarded file asked (fun () ->
    let names = match String.split_on_char '+' models with
      | [ v; p ] when file <> "?" -> String.trim v, String.trim p
      | _ -> Certificate.refuse "a certificate names a test and a pair of models" in
    let options = List.fold_left option defaults said in
    let test = read file in
    let beside = Filename.dirname file in
    let files = model_files [ "."; beside ] names in
    (* What the test expects of these files, whatever it calls them. *)
    let real (v, p) = normal v, normal p in
    let same (v, p, _) = match model_files [ beside; "." ] (v, p) with
      | expected -> real expected = real files
      | exception Fault _ -> false in
    let expected = match List.find_opt same test.expects with Some (_, _, e) -> e | None -> "" in
    let a = Certificate.check test (jobs ~options test names [ "."; beside ]) ~expected rest in
    line "certified" file asked (told a);
    say_states test a; "certified")

(* Each certificate of a file, as soon as it has been read; a status for the worst of them. *)
let check path =
  let worst = ref 0 in
  let say status = worst := max !worst status in
  let complain why = Printf.eprintf "crashlit-check: %s\n" why; say 2 in
  let cut_off () = say 1; line "refused" "?" "?" "the certificate has no end" in
  let rec outside_of channel = match input_line channel with
    | "" -> outside_of channel
    | "certificate 1" -> inside channel []
    | l ->
      complain (Printf.sprintf "%s: a certificate begins with 'certificate 1', not '%s'" path l);
      outside_of channel
    | exception End_of_file -> ()
  and inside channel lines = match input_line channel with
    | "done" ->
      say (match check_one (List.rev lines) with "certified" -> 0 | "refused" -> 1 | "outside" -> 3 | _ -> 2);
      outside_of channel
    | "certificate 1" -> cut_off (); inside channel []
    | l -> inside channel (l :: lines)
    | exception End_of_file -> cut_off () in
  (try outside_of (if path = "-" then stdin else open_in_bin path) with Sys_error why -> complain why);
  !worst

let usage () =
  prerr_endline "usage: crashlit-check [--models DIR] [--nodes N] [--states] CERTIFICATES | --naive TEST ... \
                 | --make TEST ...";
  exit 2

let () =
  Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 20; space_overhead = 400 };
  let rec go = function
    | "--models" :: d :: rest -> models := d; go rest
    | "--nodes" :: n :: rest when int_of_string_opt n <> None -> Make.most_nodes := int_of_string n; go rest
    | "--states" :: rest -> list_states := true; go rest
    | "--naive" :: files -> List.iter (each_pair naive) files
    | "--make" :: files -> to_errors := true; List.iter (each_pair make) files
    | [ path ] when path = "-" || (path <> "" && path.[0] <> '-') -> exit (check path)
    | _ -> usage () in
  go (List.tl (Array.to_list Sys.argv))
