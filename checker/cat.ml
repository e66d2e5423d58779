(* Reads a pair of models: docs/models/cat.md. What is left are expressions over base sets and
   relations, each once, and checks, choices and the names of the contract. *)

open Value
open Lexer

type sort = Set | Rel | Any  (* Any: 0, whichever is wanted *)
type node = { id : int; desc : desc; sort : sort; dynamic : bool }
and desc =
  | Base of string
  | Tagged of string * string list            (* a tag, and the kinds that it is declared for *)
  | Empty
  | Union of node * node | Inter of node * node | Diff of node * node
  | Product of node * node | Seq of node * node
  | Not of node | Plus of node | Inverse of node | Option of node
  | Identity of node | Domain of node | Range of node
  | Var of int                                (* in a recursion *)
  | Fix of int * int                          (* a group of members, and which one *)
  | Choice of int

type test = Acyclic | Irreflexive | Is_empty
type effect = Required | Undefined | Flag
type check = { test : test; negated : bool; node : node; effect : effect; name : string }

type expr =
  | Name of string | Zero | Tag of string
  | Apply of expr * expr list | Binary of string * expr * expr | Unary of string * expr
  | Bracket of expr | Collection of expr list | Tuple of expr list
  | Fun of string list * expr | Let of bool * (string list * expr) list * expr
  | If of expr * expr * expr | Equal of string * expr * expr
  | Match of expr * (pattern * expr) list | Try of expr * expr
and pattern = Of_tag of string | Otherwise | Nothing | First of string * string

type value =
  | V of node | T of string | C of value list | P of value list | Closure of string list * expr * env ref
and env = (string * value) list

type statement =
  | Define of bool * (string list * expr) list
  | Check of string * bool * string * expr * string
  | With of string * expr
  | Include of string
  | Procedure of string * string list * statement list
  | Call of string * expr list * string
  | Forall of string * expr * statement list
  | Instructions of string * expr list
  | Enum of string * string list
  | Skip

type model = {
  nodes : (desc_key, node) Hashtbl.t;
  mutable groups : node array list;           (* newest first *)
  mutable vars : int; mutable first_var : int array;
  mutable checks : check list; mutable choices : (node * node) list;  (* newest first; of a set, containing a relation *)
  tags : (string, string list) Hashtbl.t;     (* tag, kinds *)
  procedures : (string, string list * statement list) Hashtbl.t;
  mutable env : env;
  folders : string list;
}
and desc_key = string * int list * string list

(* --- syntax --- *)

let keywords = [ "let"; "rec"; "and"; "in"; "as"; "acyclic"; "irreflexive"; "empty"; "flag"; "undefined_unless"; "assert"; "show"; "unshow";
  "include"; "procedure"; "call"; "forall"; "do"; "end"; "with"; "from"; "instructions"; "enum"; "default"; "match"; "if"; "then"; "else";
  "fun"; "try"; "debug"; "when"; "begin" ]

type stream = { mutable toks : token list; mutable nesting : int }
let peek s = List.hd s.toks
let is s t = (peek s).kind <> Quoted && (peek s).kind <> End && (peek s).text = t
let advance s = let t = peek s in if t.kind <> End then s.toks <- List.tl s.toks; t
let accept s t = is s t && (ignore (advance s); true)
let bad s what = fault "model, line %d: found '%s', expected %s" (peek s).line (peek s).text what
let expect s t = if not (accept s t) then bad s ("'" ^ t ^ "'")
let name s = if (peek s).kind = Lexer.Name && not (List.mem (peek s).text keywords) then (advance s).text else bad s "a name"

let operand s =
  let t = peek s in
  match t.kind with
  | Lexer.Name -> not (List.mem t.text keywords) || t.text = "begin"
  | Number -> true
  | Mark -> List.mem t.text [ "("; "["; "{" ]
  | _ -> false

let rec expr s =
  if s.nesting > 400 then fault "a model is nested too deep";
  s.nesting <- s.nesting + 1;
  let e = expression s in
  s.nesting <- s.nesting - 1; e
and expression s =
  if accept s "let" then begin
    let recursive = accept s "rec" in
    let defs = definitions s in
    expect s "in"; Let (recursive, defs, expr s)
  end else if accept s "fun" then (let ps = formals s in expect s "->"; Fun (ps, expr s))
  else if accept s "if" then begin
    let c = comparison s in
    expect s "then"; let a = expr s in expect s "else"; If (c, a, expr s)
  end else if accept s "try" then (let a = expr s in expect s "with"; Try (a, expr s))
  else if accept s "match" then begin
    let e = expr s in
    expect s "with"; ignore (accept s "||");
    let rec cases () =
      let p = pattern s in
      expect s "->";
      let e = expr s in
      if accept s "||" then (p, e) :: cases () else (expect s "end"; [ p, e ]) in
    Match (e, cases ())
  end else union s
and comparison s =
  if (peek s).kind = Quoted then outside "a variant in a model";
  let a = union s in
  if accept s "=" then Equal ("=", a, union s)
  else if accept s "subset" || accept s "in" then Equal ("in", a, union s) else bad s "a comparison"
and pattern s =
  if accept s "{" then (expect s "}"; Nothing)
  else
    let n = name s in
    if n.[0] = '\'' then Of_tag n else if n = "_" then Otherwise
    else if accept s "++" then First (n, name s) else outside "a pattern in the middle of a collection"
and left op next s =
  let rec go a = if accept s op then go (Binary (op, a, next s)) else a in go (next s)
and union s = left "|" plusplus s
and plusplus s = let a = sequence s in if accept s "++" then Binary ("++", a, plusplus s) else a
and sequence s = left ";" difference s
and difference s = left "\\" intersection s
and intersection s = left "&" complement s
and complement s =
  if accept s "~" then begin
    s.nesting <- s.nesting + 1;
    if s.nesting > 400 then fault "a model is nested too deep";
    let e = complement s in
    s.nesting <- s.nesting - 1; Unary ("~", e)
  end else postfix s (application s)
and postfix s a =
  if accept s "+" then postfix s (Unary ("+", a))
  else if accept s "?" then postfix s (Unary ("?", a))
  else if accept s "^-1" then postfix s (Unary ("^-1", a))
  else if accept s "*" then
    if operand s then postfix s (Binary ("*", a, application s))
    else if is s "~" then Binary ("*", a, complement s) else postfix s (Unary ("*", a))
  else a
and application s =
  let f = atom s in
  let rec go f = match f with
    | (Name _ | Apply _) when operand s && not (is s "[") ->
      let a = atom s in go (Apply (f, (match a with Tuple l -> l | e -> [ e ])))
    | _ -> f in
  go f
and atom s =
  let t = advance s in
  match t.kind, t.text with
  | Lexer.Name, "begin" -> let e = expr s in expect s "end"; e
  | Lexer.Name, n when n.[0] = '\'' -> Tag n
  | Lexer.Name, n when not (List.mem n keywords) -> Name n
  | Number, "0" -> Zero
  | Mark, "(" ->
    if accept s ")" then Tuple [] else
    let e = expr s in
    if is s "," then (let rec more () = if accept s "," then (let e = expr s in e :: more ()) else [] in let l = e :: more () in expect s ")"; Tuple l)
    else (expect s ")"; e)
  | Mark, "[" -> let e = expr s in expect s "]"; Bracket e
  | Mark, "{" ->
    if accept s "}" then Collection [] else
    let rec more () = let e = expr s in if accept s "," then e :: more () else (expect s "}"; [ e ]) in
    Collection (more ())
  | _ -> s.toks <- t :: s.toks; bad s "an expression"
and formals s =
  if accept s "(" then
    if accept s ")" then [] else
    let rec more () = let n = name s in if accept s "," then n :: more () else (expect s ")"; [ n ]) in more ()
  else [ name s ]
and definitions s =
  let one () =
    if is s "(" then outside "a tuple taken apart"
    else
      let n = name s in
      if accept s "=" then [ n ], expr s
      else (let ps = formals s in expect s "="; [ n ], Fun (ps, expr s)) in
  let rec more d = if accept s "and" then d :: more (one ()) else [ d ] in
  more (one ())

let rec statements s stop =
  let rec go acc = if (peek s).kind = End || (stop <> "" && is s stop) then List.rev acc else go (statement s :: acc) in
  go []
and statement s =
  let t = advance s in
  match t.text with
  | "let" ->
    let recursive = accept s "rec" in
    let d = definitions s in
    if is s "when" then outside "let rec .. when";
    Define (recursive, d)
  | "include" -> Include (advance s).text
  | "with" -> let x = name s in expect s "from"; With (x, expr s)
  | "show" | "unshow" ->
    let rec go () = ignore (expr s); if accept s "as" then ignore (name s); if accept s "," then go () in
    go (); Skip
  | "procedure" ->
    if accept s "rec" then outside "a recursive procedure";
    let n = name s in
    let ps = formals s in
    expect s "=";
    let body = statements s "end" in
    expect s "end"; Procedure (n, ps, body)
  | "call" ->
    let n = name s in
    let a = atom s in
    let args = (match a with Tuple l -> l | e -> [ e ]) in
    Call (n, args, if accept s "as" then name s else n)
  | "forall" ->
    let x = name s in
    expect s "in"; let e = expr s in
    expect s "do"; let body = statements s "end" in
    expect s "end"; Forall (x, e, body)
  | "instructions" | "default" ->
    let k = name s in
    expect s "[";
    let rec go () = let e = atom s in if accept s "||" || accept s "," then e :: go () else (expect s "]"; [ e ]) in
    let l = go () in
    if t.text = "default" then Skip else Instructions (k, l)
  | "enum" ->
    let n = name s in
    expect s "="; ignore (accept s "||");
    let rec go () = let x = name s in if accept s "||" then x :: go () else [ x ] in
    Enum (n, go ())
  | "debug" -> ignore (expr s); Skip
  | "match" | "if" -> outside "%s as an instruction of a model" t.text
  | word ->
    let how, word = match word with
      | "flag" | "undefined_unless" | "assert" -> word, (advance s).text
      | w -> "", w in
    let negated, word = if word = "~" then true, (advance s).text else false, word in
    if not (List.mem word [ "acyclic"; "irreflexive"; "empty" ]) then (s.toks <- t :: s.toks; bad s "an instruction");
    let e = expr s in
    Check (how, negated, word, e, if accept s "as" then name s else match e with Name n -> n | _ -> "check")

(* --- meaning --- *)

let base_sets = [ "_"; "R"; "W"; "M"; "IW"; "F"; "CM"; "B"; "PB"; "NVM"; "ATOMIC"; "A"; "RMW"; "GLOBAL"; "LOCAL"; "NA"; "RLX"; "ACQ"; "REL";
  "ACQ_REL"; "SC"; "WI"; "SG"; "WG"; "KR"; "DV"; "ALL"; "CTA"; "GPU"; "SYS"; "WEAK"; "NAL"; "ARRIVE"; "GEN"; "TEX"; "SUR"; "CON"; "ALIAS" ]
let base_relations = [ "id"; "po"; "loc"; "line"; "int"; "ext"; "rmw"; "addr"; "data"; "ctrl"; "ssg"; "swg"; "skr"; "sdv"; "ssys"; "sr";
  "syncbar"; "syncpb"; "lxsx" ]
let dynamic_relations = [ "rf"; "co"; "fr"; "sync_fence" ]
let synonyms = [ "A", "ATOMIC"; "CTA", "WG"; "GPU", "DV"; "SYS", "ALL"; "WEAK", "NA"; "vloc", "loc"; "amo", "rmw"; "scta", "swg" ]

let make m key desc sort dynamic =
  match Hashtbl.find_opt m.nodes key with
  | Some n -> n
  | None -> let n = { id = Hashtbl.length m.nodes; desc; sort; dynamic } in Hashtbl.replace m.nodes key n; n

let fresh_choice m k = make m ("choice", [ k ], []) (Choice k) Rel true
let empty m = make m ("0", [], []) Empty Any false
let want sort n what = if n.sort <> sort && n.sort <> Any then fault "model: %s takes %s" what (if sort = Set then "a set" else "a relation")
let joined what a b = match a.sort, b.sort with
  | Any, s | s, Any -> s
  | s, t -> if s <> t then fault "model: '%s' of a set and a relation" what; s

let binary m op a b =
  let key = (op, [ a.id; b.id ], []) and dynamic = a.dynamic || b.dynamic in
  let zero n = n.desc = Empty in
  match op with
  | "|" -> if zero a then b else if zero b || a == b then a else make m key (Union (a, b)) (joined op a b) dynamic
  | "&" -> if zero a || zero b then empty m else make m key (Inter (a, b)) (joined op a b) dynamic
  | "\\" -> if zero a then empty m else if zero b then a else make m key (Diff (a, b)) (joined op a b) dynamic
  | ";" -> want Rel a ";"; want Rel b ";"; if zero a || zero b then empty m else make m key (Seq (a, b)) Rel dynamic
  | "*" -> want Set a "*"; want Set b "*"; if zero a || zero b then empty m else make m key (Product (a, b)) Rel dynamic
  | _ -> fault "model: the operator %s" op
let rec unary m op a =
  let key = (op, [ a.id ], []) in
  match op with
  | "~" -> if a.sort = Any then outside "the complement of 0"; make m key (Not a) a.sort a.dynamic
  | "*" -> unary m "?" (unary m "+" a)
  | _ -> want Rel a op;
    if a.desc = Empty && op <> "?" then a else
    make m key (match op with "+" -> Plus a | "?" -> Option a | _ -> Inverse a) Rel a.dynamic
let from_set m op a f = want (if op = "[]" then Set else Rel) a op;
  if a.desc = Empty then a else make m (op, [ a.id ], []) (f a) (if op = "[]" then Rel else Set) a.dynamic

let base m n =
  let n = Option.value (List.assoc_opt n synonyms) ~default:n in
  if List.mem n base_sets then Some (V (make m ("base", [], [ n ]) (Base n) Set false))
  else if List.mem n base_relations then Some (V (make m ("base", [], [ n ]) (Base n) Rel false))
  else if List.mem n dynamic_relations then Some (V (make m ("base", [], [ n ]) (Base n) Rel true))
  else None

let parts = function
  | Union (a, b) | Inter (a, b) | Product (a, b) | Seq (a, b) | Diff (a, b) -> [ a; b ]
  | Not a | Plus a | Inverse a | Option a | Identity a | Domain a | Range a -> [ a ]
  | Base _ | Tagged _ | Empty | Var _ | Fix _ | Choice _ -> []

exception Unbound of string

let tag_set m tag = match Hashtbl.find_opt m.tags tag with
  | Some kinds -> V (make m ("tag", [], tag :: kinds) (Tagged (tag, kinds)) Set false)
  | None -> raise (Unbound tag)

let lookup m env n = match List.assoc_opt n env with
  | Some v -> v
  | None -> match base m n with
    | Some v -> v
    | None ->
      (* The set of a tag has its name in capitals, or with the first letter so. *)
      let lower = String.lowercase_ascii n in
      let named tag = String.uppercase_ascii tag = n || String.capitalize_ascii tag = n in
      match Hashtbl.fold (fun tag _ found -> if String.lowercase_ascii tag = lower && named tag then Some tag else found) m.tags None with
      | Some tag -> tag_set m tag
      | None -> raise (Unbound n)

let node = function V n -> n | _ -> fault "model: a set or relation is wanted"

let rec eval m (env : env) e : value = match e with
  | Name n -> lookup m env n
  | Zero | Collection [] -> V (empty m)
  | Tag t -> T (String.sub t 1 (String.length t - 1))
  | Collection l -> C (List.map (eval m env) l)
  | Tuple l -> P (List.map (eval m env) l)
  | Bracket e -> V (from_set m "[]" (node (eval m env e)) (fun a -> Identity a))
  | Binary ("++", a, b) -> let a = eval m env a in C (a :: items (eval m env b))
  | Binary (op, a, b) ->
    (match eval m env a, eval m env b with
     | V a, V b -> V (binary m op a b)
     | a, b ->
       let a = items a and b = items b in
       match op with
       | "|" -> C (a @ List.filter (fun x -> not (List.mem x a)) b)
       | "&" -> C (List.filter (fun x -> List.mem x b) a)
       | "\\" -> C (List.filter (fun x -> not (List.mem x b)) a)
       | _ -> fault "model: '%s' of collections" op)
  | Unary (op, a) -> V (unary m op (node (eval m env a)))
  | Fun (ps, body) -> Closure (ps, body, ref env)
  | Let (recursive, defs, body) -> eval m (define m env recursive defs) body
  | If (Equal ("=", a, b), x, y) -> eval m env (if eval m env a = eval m env b then x else y)
  | If (Equal (_, a, b), x, y) -> eval m env (if List.mem (eval m env a) (items (eval m env b)) then x else y)
  | If _ | Equal _ -> outside "a condition of a model"
  | Try (a, b) -> (try eval m env a with Unbound _ | Fault _ -> eval m env b)
  | Match (e, cases) ->
    let v = eval m env e in
    let fits (p, _) = match p, v with
      | Of_tag t, T u -> t = "'" ^ u
      | Otherwise, _ -> true
      | Nothing, (C [] | V { desc = Empty; _ }) | First _, C (_ :: _) -> true
      | _ -> false in
    (match List.find_opt fits cases, v with
     | Some (First (x, rest), body), C (h :: t) -> eval m ((x, h) :: (rest, C t) :: env) body
     | Some (_, body), _ -> eval m env body
     | None, _ -> fault "model: no case for a value")
  | Apply (Name (("domain" | "range") as f), [ e ]) when not (List.mem_assoc f env) ->
    V (from_set m f (node (eval m env e)) (fun a -> if f = "domain" then Domain a else Range a))
  | Apply (Name "tag2events", [ e ]) ->
    (match eval m env e with T t -> tag_set m t | _ -> fault "model: tag2events takes a tag")
  | Apply (f, args) ->
    (match eval m env f with
     | Closure (ps, body, scope) ->
       let vs = List.map (eval m env) args in
       let vs = match ps, vs with [ _ ], _ :: _ :: _ -> [ P vs ] | _, [ P l ] when List.length ps = List.length l -> l | _ -> vs in
       if List.length vs <> List.length ps then fault "model: a wrong number of arguments";
       eval m (List.combine ps vs @ !scope) body
     | _ -> fault "model: an application of what is no function")
and items = function C l -> l | V { desc = Empty; _ } -> [] | _ -> fault "model: a collection is wanted"

(* A recursion of functions is a closure that knows itself; one of relations a group that is iterated. *)
and define m env recursive defs =
  let head (ns, _) = List.hd ns in
  if not recursive then List.fold_left (fun e (n, v) -> (n, v) :: e) env (List.map (fun d -> head d, eval m env (snd d)) defs)
  else if List.for_all (function _, Fun _ -> true | _ -> false) defs then begin
    let scope = ref env in
    List.iter (function ns, Fun (ps, body) -> scope := (List.hd ns, Closure (ps, body, scope)) :: !scope | _ -> ()) defs; !scope
  end else begin
    let vars = List.map (fun d ->
      m.vars <- m.vars + 1;
      head d, make m ("var", [ m.vars ], []) (Var m.vars) Rel true) defs in
    let inner = List.fold_left (fun e (n, v) -> (n, V v) :: e) env vars in
    let bodies = List.map (fun d -> node (eval m inner (snd d))) defs in
    let first = (match vars with (_, { desc = Var v; _ }) :: _ -> v | _ -> assert false) in
    let rec mentions n = match n.desc with
      | Var v -> v >= first
      | Fix (g, _) -> Array.exists mentions (List.nth (List.rev m.groups) g)
      | d -> List.exists mentions (parts d) in
    let rec positive n = match n.desc with (* a variable nowhere under '~' nor on the right of '\' *)
      | Diff (a, b) -> positive a && not (mentions b)
      | Not a -> not (mentions a)
      | Fix (g, _) -> Array.for_all positive (List.nth (List.rev m.groups) g)
      | d -> List.for_all positive (parts d) in
    if not (List.for_all positive bodies) then outside "a recursion through a complement";
    let group = List.length m.groups in
    m.groups <- Array.of_list bodies :: m.groups;
    m.first_var <- Array.append m.first_var [| first |];
    List.fold_left (fun (e, i) (n, _) -> (n, V (make m ("fix", [ group; i; first ], []) (Fix (group, i)) Rel true)) :: e, i + 1) (env, 0) vars |> fst
  end

let find_model m from n =
  let candidates = if List.mem n [ "stdlib.cat"; "cos.cat"; "cross.cat"; "lock.cat" ] then m.folders else Filename.dirname from :: m.folders in
  match List.find_opt Sys.file_exists (List.map (fun d -> Filename.concat d n) candidates) with
  | Some f -> f
  | None -> fault "there is no model file %s" n

let file_statements =
  let known = Hashtbl.create 16 in
  fun path -> match Hashtbl.find_opt known path with
    | Some s -> s
    | None ->
      let s = { nesting = 0; toks = tokens ~model:true (read_file path) } in
      (* A title: a name, a string, or both. *)
      (match s.toks with
       | { kind = Lexer.Name; text; _ } :: { kind = Quoted; _ } :: rest when not (List.mem text keywords) -> s.toks <- rest
       | { kind = Quoted; _ } :: rest -> s.toks <- rest
       | _ -> ());
      let r = statements s "" in
      Hashtbl.replace known path r; r

(* soft: a definition that cannot be made is passed over, and so are checks. *)
let rec run m ~soft ~checks path depth st =
  if depth > 20 then fault "includes are nested too deep";
  let again = run m ~soft ~checks path depth in
  match st with
  | Skip -> ()
  | Define (r, d) -> (try m.env <- define m m.env r d with (Unbound _ | Fault _) when soft -> ())
  | Include n -> let f = find_model m path n in List.iter (run m ~soft ~checks f (depth + 1)) (file_statements f)
  | Check (how, negated, word, e, name) ->
    if not soft && checks then begin
      let n = node (eval m m.env e) in
      let effect, negated = match how with
        | "" -> Required, negated | "undefined_unless" -> Undefined, negated
        | "flag" -> Flag, not negated | _ -> Flag, negated in
      let test = match word with "acyclic" -> Acyclic | "irreflexive" -> Irreflexive | _ -> Is_empty in
      if test <> Is_empty then want Rel n word;
      m.checks <- { test; negated; node = n; effect; name } :: m.checks
    end
  | With (x, Apply (Name "linearisations", [ set; r ])) ->
    if soft then () else begin
      let s = node (eval m m.env set) and r = node (eval m m.env r) in
      let c = fresh_choice m (List.length m.choices) in
      m.choices <- (s, r) :: m.choices;
      m.env <- (x, V c) :: m.env
    end
  | With _ -> if not soft then outside "a choice other than linearisations"
  | Procedure (n, ps, body) -> Hashtbl.replace m.procedures n (ps, body)
  | Call (n, args, _) when not soft ->
    let ps, body = (try Hashtbl.find m.procedures n with Not_found -> raise (Unbound n)) in
    let kept = m.env in
    m.env <- List.combine ps (List.map (eval m kept) args) @ kept;
    List.iter again body; m.env <- kept
  | Call _ -> ()
  | Forall (x, e, body) ->
    let kept = m.env in
    List.iter (fun v -> m.env <- (x, v) :: kept; List.iter again body) (items (eval m kept e)); m.env <- kept
  | Enum (n, ts) -> m.env <- (n, C (List.map (fun t -> T (String.sub t 1 (String.length t - 1))) ts)) :: m.env
  | Instructions (kind, l) ->
    let add t = let old = Option.value (Hashtbl.find_opt m.tags t) ~default:[] in
      if not (List.mem kind old) then Hashtbl.replace m.tags t (kind :: old) in
    List.iter (fun e -> match eval m m.env e with
      | T t -> add t
      | C l -> List.iter (function T t -> add t | _ -> ()) l
      | _ -> ()) l

let fresh folders = { nodes = Hashtbl.create 997; groups = []; vars = 0; first_var = [||]; checks = []; choices = []; tags = Hashtbl.create 7;
  procedures = Hashtbl.create 7; folders;
  env = [ "tag2events", Closure ([ "t" ], Apply (Name "tag2events", [ Name "t" ]), ref []) ] }

(* The persistency file says what it adds to happens-before, before the visibility file is read:
   docs/models/cat.md, "The persistency contract" (adds-to-hb). *)
let pair folders visibility persistency =
  try
    let m = fresh folders in
    let read ~soft path = List.iter (run m ~soft ~checks:true path 0) (file_statements path) in
    read ~soft:false (find_model m "" "stdlib.cat");
    let library = m.env in
    read ~soft:true persistency;
    let adds = List.assoc_opt "adds-to-hb" m.env in
    m.env <- library;
    read ~soft:false (find_model m "" "contract.cat");
    (match adds with Some a -> m.env <- ("adds-to-hb", a) :: m.env | None -> ());
    read ~soft:false visibility;
    read ~soft:false persistency;
    m.checks <- List.rev m.checks; m.choices <- List.rev m.choices; m.groups <- List.rev m.groups; m
  with Unbound n -> fault "model: nothing has the name %s" n

let named m n = try node (lookup m m.env n) with Unbound n -> fault "model: nothing has the name %s" n
