(* Words of tests, definition files and models: docs/using/language.md, "The whole form";
   docs/models/cat.md, "The language" (names, comments). *)

open Value

type kind = Name | Number | Quoted | Mark | End
type token = { kind : kind; text : string; line : int }

let letter c = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c = '_'
let digit c = c >= '0' && c <= '9'

(* Longest first. *)
let marks_of_tests =
  [ "<<="; ">>="; "->"; "++"; "--"; "<="; ">="; "=="; "!="; "&&"; "||"; "<<"; ">>"; "+="; "-="; "*="; "/=";
    "%="; "&="; "|="; "^="; "/\\"; "\\/"; "=>"; "<>"; "::" ]
let marks_of_models = [ "^-1"; "||"; "++"; "&&"; "->" ]

(* In a model a name goes on with '-' and '.', '#' begins a comment; in a test a pragma, passed over. What
   stands in braces behind a work-item's name is code, and so is a body of a definition: there '(' before a
   star opens an expression, elsewhere a comment. *)
type source = Test | Definitions | Model

let tokens source text =
  let model = source = Model in
  let n = String.length text in
  let line = ref 1 and code = ref (source = Definitions) in
  let depth = ref (if !code then 1 else 0) in
  let at i = if i < n then text.[i] else '\000' in
  let starts i s = i + String.length s <= n && String.sub text i (String.length s) = s in
  let marks = if model then marks_of_models else marks_of_tests in
  let rec skip_to close depth i =
    if i >= n then fault "line %d: a comment has no end" !line
    else if starts i close then (if depth = 1 then i + 2 else skip_to close (depth - 1) (i + 2))
    else begin
      if at i = '\n' then incr line;
      if close = "*)" && starts i "(*" then skip_to close (depth + 1) (i + 2) else skip_to close depth (i + 1)
    end in
  let rec skip_line i = if i < n && at i <> '\n' then skip_line (i + 1) else i in
  let rec while_ p i = if i < n && p (at i) then while_ p (i + 1) else i in
  let rec quoted i =
    if i >= n then fault "line %d: a quote has no end" !line
    else if at i = '"' then i
    else (if at i = '\n' then incr line; quoted (i + (if at i = '\\' then 2 else 1))) in
  let rec go i acc =
    let add kind j =
      let text = String.sub text i (j - i) in
      (match text with "{" -> incr depth | "}" -> decr depth | _ -> ());
      if !depth = 0 && (text = "recovery" || (text.[0] = 'P' && j > i + 1 && digit text.[1])) then code := true;
      go j ({ kind; text; line = !line } :: acc) in
    if i >= n then List.rev ({ kind = End; text = "the end"; line = !line } :: acc) else
    match at i with
    | '\n' -> incr line; go (i + 1) acc
    | ' ' | '\t' | '\r' | '\xef' | '\xbb' | '\xbf' -> go (i + 1) acc
    | '/' when at (i + 1) = '/' -> go (skip_line i) acc
    | '#' when model || starts i "#pragma" -> go (skip_line i) acc
    | '/' when at (i + 1) = '*' -> go (skip_to "*/" 1 (i + 2)) acc
    | '(' when at (i + 1) = '*' && not (!code && !depth > 0) ->
      go (skip_to "*)" 1 (i + 2)) acc
    | '"' -> let line0 = !line in
      let j = quoted (i + 1) in
      go (j + 1) ({ kind = Quoted; text = String.sub text (i + 1) (j - i - 1); line = line0 } :: acc)
    | c when letter c || (model && c = '\'' && letter (at (i + 1))) ->
      let part c = letter c || digit c || (model && (c = '-' || c = '.' || c = '\'')) in
      add Name (while_ part (i + 1))
    | c when digit c -> add Number (while_ (fun c -> letter c || digit c) i)
    | _ -> (match List.find_opt (starts i) marks with
        | Some m -> add Mark (i + String.length m)
        | None -> add Mark (i + 1)) in
  go 0 []

let read_file path =
  try
    let c = open_in_bin path in
    Fun.protect ~finally:(fun () -> close_in c) (fun () -> really_input_string c (in_channel_length c))
  with Sys_error why -> fault "%s" why

(* --- reading them --- *)

type stream = { mutable toks : token list; mutable depth : int; what : string }
let peek s = List.hd s.toks
let peek2 s = match s.toks with _ :: t :: _ -> t | _ -> peek s
let is s text = let t = peek s in t.kind <> Quoted && t.kind <> End && t.text = text
let bad s what = fault "%sline %d: found '%s', expected %s" s.what (peek s).line (peek s).text what
let advance s = let t = peek s in if t.kind <> End then s.toks <- List.tl s.toks; t
let accept s text = is s text && (ignore (advance s); true)
let expect s text = if not (accept s text) then bad s ("'" ^ text ^ "'")

(* One or more, with a mark between; some up to a mark that closes. *)
let rec several ?(between = ",") s item =
  let x = item s in x :: (if accept s between then several ~between s item else [])
let list_up_to s close item =
  if accept s close then [] else let l = several s item in expect s close; l

(* Nothing is nested deeper than the language allows. *)
let nested s most read =
  if s.depth > most then fault "%sline %d: nested too deep" s.what (peek s).line;
  s.depth <- s.depth + 1;
  let r = read s in s.depth <- s.depth - 1; r
