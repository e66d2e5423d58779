(* Reads a pair of models: docs/models/cat.md. What is left are expressions over base sets and
   relations, each once, and checks, choices and the names of the contract. Bounds.eval gives them their
   meaning. *)

open Value
open Lexer

type sort = Set | Rel | Any                   (* Any: 0, whichever is wanted *)
type node = {
  id : int; desc : desc; sort : sort;
  dynamic : bool;                             (* a choice may change it *)
  within : bool;                              (* a variable of a recursion is in it *)
}
and desc =
  | Base of string | Moving of string         (* fixed by the paths; chosen *)
  | Tagged of string * string list            (* a tag, and the kinds that it is declared for *)
  | Empty
  | Union of node * node | Inter of node * node | Diff of node * node
  | Product of node * node | Seq of node * node
  | Not of node | Plus of node | Inverse of node | Option of node
  | Identity of node | Domain of node | Range of node
  | Var of int                                (* in a recursion *)
  | Fix of int * int                          (* a group of members, and which one *)

type test = Acyclic | Irreflexive | Is_empty
type effect = Required | Undefined | Flag
type check = { test : test; negated : bool; node : node; effect : effect; name : string }

type expr =
  | Name of string | Zero | Tag of string
  | Apply of expr * expr list | Binary of string * expr * expr | Unary of string * expr
  | Bracket of expr | Collection of expr list | Tuple of expr list
  | Fun of string list * expr | Let of bool * (string * expr) list * expr
  | If of (string * expr * expr) * expr * expr | Match of expr * (pattern * expr) list
  | Try of expr * expr
and pattern = Of_tag of string | Otherwise | Nothing | First of string * string

type value =
  | V of node | T of string | C of value list | P of value list
  | Closure of string list * expr * env ref
  | Body of string list * statement list * env            (* a procedure *)
  | Unmade
and env = (string * value) list

and statement =
  | Define of bool * (string * expr) list
  | Check of string * bool * string * expr * string option
  | With of string * expr
  | Include of string
  | Procedure of string * string list * statement list
  | Call of string * expr list * string
  | Forall of string * expr * statement list
  | Instructions of string * expr list
  | Enum of string * string list
  | Skip

type model = {
  nodes : (string * int list * string list, node) Hashtbl.t;
  mutable groups : (int * node) list list;    (* recursions: variables, what they stand for *)
  mutable vars : int;
  mutable checks : check list;
  mutable choices : (node * node) list;       (* of a set, containing a relation *)
  tags : (string, string list) Hashtbl.t;     (* tag, kinds *)
  mutable env : env; contract : (string, node) Hashtbl.t;
  folders : string list;
}

(* --- syntax --- *)

let keywords =
  [ "let"; "rec"; "and"; "in"; "as"; "acyclic"; "irreflexive"; "empty"; "flag"; "undefined_unless";
    "assert"; "show"; "unshow"; "include"; "procedure"; "call"; "forall"; "do"; "end"; "with"; "from";
    "instructions"; "enum"; "default"; "match"; "if"; "then"; "else"; "fun"; "try"; "debug"; "when";
    "begin" ]
let is_name t = t.kind = Lexer.Name && not (List.mem t.text keywords)
let name s = if is_name (peek s) then (advance s).text else bad s "a name"
let operand s = let t = peek s in
  is_name t || t.kind = Number || List.exists (is s) [ "begin"; "("; "["; "{" ]
let tag_name t = String.sub t 1 (String.length t - 1)
let arguments = function Tuple l -> l | e -> [ e ]

let rec expr s = nested s 400 expression
and expression s =
  if accept s "let" then begin
    let recursive = accept s "rec" in
    let defs = definitions s in
    expect s "in"; Let (recursive, defs, expr s)
  end else if accept s "fun" then (let ps = formals s in expect s "->"; Fun (ps, expr s))
  else if accept s "if" then begin
    if (peek s).kind = Quoted then outside "a variant in a model";
    let a = union s in
    let how = List.find_opt (accept s) [ "="; "subset"; "in" ] in
    if how = None then bad s "a comparison";
    let b = union s in
    expect s "then"; let yes = expr s in
    expect s "else"; If ((Option.get how, a, b), yes, expr s)
  end else if accept s "try" then (let a = expr s in expect s "with"; Try (a, expr s))
  else if accept s "match" then begin
    let e = expr s in
    expect s "with"; ignore (accept s "||");
    let case s = let p = pattern s in expect s "->"; p, expr s in
    let cases = several ~between:"||" s case in
    expect s "end"; Match (e, cases)
  end else union s
and pattern s =
  if accept s "{" then (expect s "}"; Nothing)
  else match name s with
    | "_" -> Otherwise
    | n when n.[0] = '\'' -> Of_tag (tag_name n)
    | n -> if accept s "++" then First (n, name s) else outside "a pattern in the middle of a collection"
(* From the loosest operator to the tightest. *)
and left op next s =
  let rec go a = if accept s op then go (Binary (op, a, next s)) else a in go (next s)
and union s = left "|" plusplus s
and plusplus s = let a = sequence s in if accept s "++" then Binary ("++", a, plusplus s) else a
and sequence s = left ";" difference s
and difference s = left "\\" intersection s
and intersection s = left "&" complement s
and complement s =
  if accept s "~" then Unary ("~", nested s 400 complement) else postfix s (application s)
and postfix s a = match List.find_opt (accept s) [ "+"; "?"; "^-1"; "*" ] with
  | None -> a
  | Some "*" when operand s -> postfix s (Binary ("*", a, application s))
  | Some "*" when is s "~" -> Binary ("*", a, complement s)
  | Some op -> postfix s (Unary (op, a))
and application s =
  let rec go f = match f with
    | (Name _ | Apply _) when operand s && not (is s "[") -> go (Apply (f, arguments (atom s)))
    | _ -> f in
  go (atom s)
and atom s =
  let t = advance s in
  match t.kind, t.text with
  | Lexer.Name, "begin" -> let e = expr s in expect s "end"; e
  | Lexer.Name, n when n.[0] = '\'' -> Tag (tag_name n)
  | Lexer.Name, n when is_name t -> Name n
  | Number, "0" -> Zero
  | Mark, "(" -> (match list_up_to s ")" expr with [ e ] -> e | l -> Tuple l)
  | Mark, "[" -> let e = expr s in expect s "]"; Bracket e
  | Mark, "{" -> Collection (list_up_to s "}" expr)
  | _ -> s.toks <- t :: s.toks; bad s "an expression"
and formals s = if accept s "(" then list_up_to s ")" name else [ name s ]
and definitions s =
  let definition s =
    if is s "(" then outside "a tuple taken apart";
    let n = name s in
    if accept s "=" then n, expr s
    else (let ps = formals s in expect s "="; n, Fun (ps, expr s)) in
  several ~between:"and" s definition

let rec statements s stop =
  if (peek s).kind = End || is s stop then []
  else let first = statement s in first :: statements s stop
and block s = let b = statements s "end" in expect s "end"; b
and statement s =
  let t = advance s in
  let named s = if accept s "as" then Some (name s) else None in
  match t.text with
  | "let" ->
    let recursive = accept s "rec" in
    let d = definitions s in
    if is s "when" then outside "let rec .. when";
    Define (recursive, d)
  | "include" -> Include (advance s).text
  | "with" -> let x = name s in expect s "from"; With (x, expr s)
  | "show" | "unshow" -> ignore (several s (fun s -> ignore (expr s); named s)); Skip
  | "procedure" ->
    if accept s "rec" then outside "a recursive procedure";
    let n = name s in
    let ps = formals s in
    expect s "="; Procedure (n, ps, block s)
  | "call" ->
    let n = name s in
    let args = arguments (atom s) in
    Call (n, args, Option.value (named s) ~default:n)
  | "forall" ->
    let x = name s in
    expect s "in"; let e = expr s in
    expect s "do"; Forall (x, e, block s)
  | "instructions" | "default" ->
    let kind = name s in
    expect s "["; let l = several ~between:"||" s atom in
    expect s "]"; if t.text = "default" then Skip else Instructions (kind, l)
  | "enum" ->
    let n = name s in
    expect s "="; ignore (accept s "||");
    Enum (n, List.map tag_name (several ~between:"||" s name))
  | "debug" -> ignore (expr s); Skip
  | "if" when (peek s).kind = Quoted -> (* a variant, which is off: an answer under one has no certificate *)
    ignore (advance s); ignore (block s); Skip
  | "match" | "if" | "else" -> outside "%s as an instruction of a model" t.text
  | word ->
    let marked = List.mem word [ "flag"; "undefined_unless"; "assert" ] in
    let how, word = if marked then word, (advance s).text else "", word in
    let negated, word = if word = "~" then true, (advance s).text else false, word in
    if not (List.mem word [ "acyclic"; "irreflexive"; "empty" ]) then
      (s.toks <- t :: s.toks; bad s "an instruction");
    let e = expr s in
    Check (how, negated, word, e, named s)

(* --- expressions, each once --- *)

let synonyms =
  [ "A", "ATOMIC"; "CTA", "WG"; "GPU", "DV"; "SYS", "ALL"; "WEAK", "NA"; "vloc", "loc"; "amo", "rmw";
    "scta", "swg" ]

let parts = function
  | Union (a, b) | Inter (a, b) | Product (a, b) | Seq (a, b) | Diff (a, b) -> [ a; b ]
  | Not a | Plus a | Inverse a | Option a | Identity a | Domain a | Range a -> [ a ]
  | Base _ | Moving _ | Tagged _ | Empty | Var _ | Fix _ -> []

(* words: what tells it from others, with the parts. *)
let make m ?(sort = Rel) ?(words = []) op desc =
  let parts = parts desc in
  let key = op, List.map (fun n -> n.id) parts, words in
  let any p = List.exists p parts in
  match Hashtbl.find_opt m.nodes key with
  | Some n -> n
  | None ->
    let moves = match desc with Moving _ | Var _ | Fix _ -> true | _ -> false in
    let open_ = match desc with Var _ -> true | _ -> false in
    let n = { id = Hashtbl.length m.nodes; desc; sort; dynamic = moves || any (fun n -> n.dynamic);
              within = open_ || any (fun n -> n.within) } in
    Hashtbl.replace m.nodes key n; n

let empty m = make m ~sort:Any "0" Empty
let want sort n what = if n.sort <> sort && n.sort <> Any then
    fault "model: %s takes %s" what (if sort = Set then "a set" else "a relation")

let binary m op a b =
  let none n = n.desc = Empty in
  let sort () = match a.sort, b.sort with
    | Any, s | s, Any -> s
    | s, t -> if s <> t then fault "model: '%s' of a set and a relation" op; s in
  let of_two sort desc = want sort a op; want sort b op;
    if none a || none b then empty m else make m op desc in
  match op with
  | "|" -> if none a then b else if none b || a == b then a else make m op ~sort:(sort ()) (Union (a, b))
  | "&" -> if none a || none b then empty m else make m op ~sort:(sort ()) (Inter (a, b))
  | "\\" -> if none a then empty m else if none b then a else make m op ~sort:(sort ()) (Diff (a, b))
  | ";" -> of_two Rel (Seq (a, b))
  | "*" -> of_two Set (Product (a, b))
  | _ -> fault "model: the operator %s" op

let rec unary m op a = match op with
  | "~" -> if a.sort = Any then outside "the complement of 0"; make m op ~sort:a.sort (Not a)
  | "*" -> unary m "?" (unary m "+" a)
  | _ ->
    want (if op = "[]" then Set else Rel) a op;
    if a.desc = Empty && op <> "?" then a else match op with
      | "+" -> make m op (Plus a)
      | "?" -> make m op (Option a)
      | "^-1" -> make m op (Inverse a)
      | "[]" -> make m op (Identity a)
      | "domain" -> make m op ~sort:Set (Domain a)
      | _ -> make m op ~sort:Set (Range a)

(* --- meaning --- *)

exception Unbound of string

let tag_set m tag = match Hashtbl.find_opt m.tags tag with
  | Some kinds -> V (make m ~sort:Set ~words:(tag :: kinds) "tag" (Tagged (tag, kinds)))
  | None -> raise (Unbound tag)

let lookup m env n = match List.assoc_opt n env with
  | Some Unmade -> raise (Unbound n)
  | Some v -> v
  | None ->
    let base = Option.value (List.assoc_opt n synonyms) ~default:n in
    let make sort desc = V (make m ~sort ~words:[ base ] "base" desc) in
    if List.mem_assoc base Skeleton.base_sets then make Set (Base base)
    else if List.mem_assoc base Skeleton.base_relations then make Rel (Base base)
    else if List.mem base [ "rf"; "co"; "fr"; "sync_fence" ] then make Rel (Moving base)
    else
      (* The set of a tag has its name in capitals, or with the first letter so. *)
      let named tag = String.uppercase_ascii tag = n || String.capitalize_ascii tag = n in
      match List.filter named (List.of_seq (Hashtbl.to_seq_keys m.tags)) with
      | [ tag ] -> tag_set m tag
      | [] -> raise (Unbound n)
      | _ -> outside "several tags whose set has one name"

let node = function V n -> n | _ -> fault "model: a set or relation is wanted"

(* Collections are sets: each element once, in no order but for `match`. *)
let rec equal a b = match a, b with
  | C a, C b -> subset a b && subset b a
  | P a, P b -> List.length a = List.length b && List.for_all2 equal a b
  | V a, V b -> a == b
  | T a, T b -> a = b
  | (C _ as c), V { desc = Empty; _ } | V { desc = Empty; _ }, (C _ as c) -> c = C []
  | _ -> false
and subset a b = List.for_all (fun x -> List.exists (equal x) b) a
let has l x = subset [ x ] l
let add x l = x :: List.filter (fun y -> not (equal x y)) l
let items = function
  | C l -> l
  | V { desc = Empty; _ } -> []
  | _ -> fault "model: a collection is wanted"

let rec eval m (env : env) e : value =
  let sub = eval m env in
  match e with
  | Name n -> lookup m env n
  | Zero | Collection [] -> V (empty m)
  | Tag t -> T t
  | Collection l -> C (List.fold_right (fun e l -> add (sub e) l) l [])
  | Tuple l -> P (List.map sub l)
  | Bracket e -> V (unary m "[]" (node (sub e)))
  | Binary ("++", a, b) -> let a = sub a in C (add a (items (sub b)))
  | Binary (op, a, b) ->
    (match op, sub a, sub b with
     | _, V a, V b -> V (binary m op a b)
     | "|", a, b -> C (items a @ List.filter (fun x -> not (has (items a) x)) (items b))
     | "&", a, b -> C (List.filter (has (items b)) (items a))
     | "\\", a, b -> C (List.filter (fun x -> not (has (items b) x)) (items a))
     | _ -> fault "model: '%s' of collections" op)
  | Unary (op, a) ->
    (match sub a with
     | V a -> V (unary m op a)
     | _ -> outside "the operator %s of a collection" op)
  | Fun (ps, body) -> Closure (ps, body, ref env)
  | Let (recursive, defs, body) -> eval m (define m env recursive defs) body
  | If ((how, a, b), yes, no) ->
    let a = sub a and b = sub b in
    let holds = match how with
      | "=" -> equal a b
      | "subset" -> subset (items a) (items b)
      | _ -> has (items b) a in
    sub (if holds then yes else no)
  | Try (a, b) -> (try sub a with Unbound _ | Fault _ -> sub b)
  | Match (e, cases) ->
    let v = sub e in
    let fits (p, _) = match p, v with
      | Of_tag t, T u -> t = u
      | Otherwise, _ -> true
      | Nothing, (C [] | V { desc = Empty; _ }) | First _, C (_ :: _) -> true
      | _ -> false in
    (match List.find_opt fits cases, v with
     | Some (First (x, rest), body), C (h :: t) -> eval m ((x, h) :: (rest, C t) :: env) body
     | Some (_, body), _ -> sub body
     | None, _ -> fault "model: no case for a value")
  | Apply (Name (("domain" | "range") as f), [ e ]) when not (List.mem_assoc f env) ->
    V (unary m f (node (sub e)))
  | Apply (Name ".tag2events", [ e ]) ->
    (match sub e with T t -> tag_set m t | _ -> fault "model: tag2events takes a tag")
  | Apply (f, args) ->
    (match sub f with
     | Closure (ps, body, scope) ->
       let vs = match ps, List.map sub args with
         | [ _ ], (_ :: _ :: _ as vs) -> [ P vs ]
         | _, [ P l ] when List.length ps = List.length l -> l
         | _, vs -> vs in
       if List.length vs <> List.length ps then fault "model: a wrong number of arguments";
       eval m (List.combine ps vs @ !scope) body
     | _ -> fault "model: an application of what is no function")

(* A recursion of functions is a closure that knows itself; one of relations a group that is iterated. *)
and define m env recursive defs =
  if not recursive then List.rev_append (List.map (fun (n, e) -> n, eval m env e) defs) env
  else if List.for_all (function _, Fun _ -> true | _ -> false) defs then begin
    let scope = ref env in
    let add = function n, Fun (ps, body) -> scope := (n, Closure (ps, body, scope)) :: !scope | _ -> () in
    List.iter add defs; !scope
  end else begin
    let first = m.vars in
    m.vars <- first + List.length defs;
    let var i = make m ~words:[ string_of_int i ] "var" (Var i) in
    let inner = List.mapi (fun i (n, _) -> n, V (var (first + i))) defs in
    let bodies = List.map (fun (_, e) -> node (eval m (List.rev inner @ env) e)) defs in
    let rec all_parts p n = not n.within || (p n && List.for_all (all_parts p) (parts n.desc)) in
    let positive n = match n.desc with (* no variable under '~', nor on the right of '\' *)
      | Diff (_, b) -> not b.within
      | Not _ -> false
      | _ -> true in
    let own n = match n.desc with Var v -> v >= first | _ -> true in
    if not (List.for_all (all_parts positive) bodies) then outside "a recursion through a complement";
    if not (List.for_all (all_parts own) bodies) then outside "a recursion within a recursion";
    let group = List.length m.groups in
    m.groups <- m.groups @ [ List.mapi (fun i b -> first + i, b) bodies ];
    let member i (n, _) =
      n, V (make m ~words:[ string_of_int group; string_of_int i ] "fix" (Fix (group, i))) in
    List.rev (List.mapi member defs) @ env
  end

(* --- files --- *)

let adds = "adds-to-hb"
let own_folder = [ "stdlib.cat"; "cos.cat"; "cross.cat"; "lock.cat" ]
let find_model m from n =
  let folders = if List.mem n own_folder then m.folders else Filename.dirname from :: m.folders in
  match List.find_opt Sys.file_exists (List.map (fun d -> Filename.concat d n) folders) with
  | Some f -> f
  | None -> fault "there is no model file %s" n

let file_statements = memo (fun path ->
  let s = { toks = tokens Model (read_file path); depth = 0; what = "model, " } in
  (* A title: a name, a string, or both. *)
  if is_name (peek s) && (peek2 s).kind = Quoted then ignore (advance s);
  if (peek s).kind = Quoted then ignore (advance s);
  statements s "")

(* soft: only definitions count, and what cannot be made is nothing that another one may use. call: the
   name of checks that have none. *)
let rec run m ?call ~soft path depth st =
  if depth > 20 then fault "includes are nested too deep";
  let within env body =
    let kept = m.env in
    m.env <- env @ kept; List.iter (run m ?call ~soft path depth) body; m.env <- kept in
  match st with
  | Skip -> ()
  | Define (r, d) ->
    (try m.env <- define m m.env r d with (Unbound _ | Fault _) when soft && not (List.mem_assoc adds d) ->
      m.env <- List.map (fun (n, _) -> n, Unmade) d @ m.env)
  | Include n ->
    let f = find_model m path n in
    List.iter (run m ?call ~soft f (depth + 1)) (file_statements f)
  | (Check _ | With _ | Call _) when soft -> ()
  | Check (how, negated, word, e, name) ->
    let node = node (eval m m.env e) in
    let effect, negated = match how with
      | "" -> Required, negated
      | "undefined_unless" -> Undefined, negated
      | "flag" -> Flag, not negated
      | _ -> Flag, negated in
    let test = match word with "acyclic" -> Acyclic | "irreflexive" -> Irreflexive | _ -> Is_empty in
    if test <> Is_empty then want Rel node word;
    let number = Printf.sprintf "check-%d" (List.length m.checks + 1) in
    let name = match name, call, e with
      | Some n, _, _ | None, Some n, _ | None, None, Name n -> n
      | _ -> number in
    m.checks <- m.checks @ [ { test; negated; node; effect; name } ]
  | With (x, Apply (Name "linearisations", [ set; r ])) ->
    let choice = node (eval m m.env set), node (eval m m.env r) in
    let tag = Printf.sprintf "w%d" (List.length m.choices) in
    m.choices <- m.choices @ [ choice ];
    m.env <- (x, V (make m ~words:[ tag ] "choice" (Moving tag))) :: m.env
  | With _ -> outside "a choice other than linearisations"
  (* A name of its own kind; the body knows what there is where it stands, not where it is called. *)
  | Procedure (n, ps, body) -> m.env <- ("procedure " ^ n, Body (ps, body, m.env)) :: m.env
  | Call (n, args, call) ->
    (match List.assoc_opt ("procedure " ^ n) m.env with
     | Some (Body (ps, body, scope)) ->
       let kept = m.env in
       m.env <- List.combine ps (List.map (eval m kept) args) @ scope;
       List.iter (run m ~call ~soft path depth) body; m.env <- kept
     | _ -> raise (Unbound n))
  | Forall (x, e, body) -> List.iter (fun v -> within [ x, v ] body) (items (eval m m.env e))
  | Enum (n, ts) -> m.env <- (n, C (List.map (fun t -> T t) ts)) :: m.env
  | Instructions (kind, l) ->
    let rec declare = function
      | T t ->
        let old = Option.value (Hashtbl.find_opt m.tags t) ~default:[] in
        if not (List.mem kind old) then Hashtbl.replace m.tags t (kind :: old)
      | C l -> List.iter declare l
      | _ -> () in
    List.iter (fun e -> declare (eval m m.env e)) l

(* The persistency file says what it adds to happens-before, before the visibility file is read:
   docs/models/cat.md, "The persistency contract" (adds-to-hb). *)
let pair = memo (fun (folders, visibility, persistency) ->
  let tag2events = Closure ([ "t" ], Apply (Name ".tag2events", [ Name "t" ]), ref []) in
  let m = { nodes = Hashtbl.create 997; groups = []; vars = 0; checks = []; choices = [];
            tags = Hashtbl.create 7; contract = Hashtbl.create 17; folders;
            env = [ "tag2events", tag2events ] } in
  let read ~soft path = List.iter (run m ~soft path 0) (file_statements path) in
  try
    read ~soft:false (find_model m "" "stdlib.cat");
    let library = m.env in
    read ~soft:true persistency;
    let added = List.filter (fun (n, _) -> n = adds) m.env in
    m.env <- library;
    Hashtbl.reset m.tags;
    read ~soft:false (find_model m "" "contract.cat");
    m.env <- added @ m.env;
    read ~soft:false visibility;
    read ~soft:false persistency;
    (match List.assoc_opt "co" m.env with
     | None | Some (V { desc = Moving "co"; _ }) -> m
     | _ -> outside "a coherence of the model's own")
  with Unbound n -> fault "model: nothing has the name %s" n)

(* What a name of the contract means in the end. *)
let named m n = match Hashtbl.find_opt m.contract n with
  | Some node -> node
  | None ->
    let found = try node (lookup m m.env n) with Unbound n -> fault "model: nothing has the name %s" n in
    Hashtbl.replace m.contract n found; found
