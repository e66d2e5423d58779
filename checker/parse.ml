(* Reads a test: docs/using/language.md. Code becomes instructions as it is read; what the page
   describes and this reader does not know is Outside, never passed over. *)

open Value
open Program
open Lexer

type shape = Scalar of ty | Many of int * shape | Struct of (string * shape) list

let rec size = function
  | Scalar _ -> 1
  | Many (n, s) -> n * size s
  | Struct ms -> List.fold_left (fun t (_, s) -> t + size s) 0 ms

(* A pointer: its target is the idx-th of n things of a shape; with base and dims before. *)
type pointer = { at : addr; shape : shape; idx : pure; n : int }
type value =
  | Rvalue of pure * ty
  | Local of string
  | Pointer of pointer | Target of pointer
  | Word of string                                        (* an order, a scope, flags, &register *)
  | Nothing
  | Token                                                 (* of a fence or cache maintenance *)

type macro = { formals : string list option; body : token list; statement : bool }

(* Of the work-item that is being read. *)
type work = {
  id : int;
  mutable regs : (string * ty) list;
  mutable scopes : string list list;                      (* what the blocks declare that are open, the inner first *)
  mutable gone : string list;                             (* what those declared that have ended *)
  mutable params : (int * (string * bool)) list;
  mutable code : (int * (unit -> instr)) list;            (* newest first, each with its line *)
  mutable pc : int;
  mutable pairs : (int * int * int) list;                 (* operands of one operator *)
  mutable breaks : int ref list; mutable continues : int ref list;
  mutable label : string;
  finish : int ref;                                       (* where its code ends *)
}

let work id regs =
  { id; regs; scopes = []; gone = []; params = []; code = []; pc = 0; pairs = []; breaks = []; continues = [];
    label = ""; finish = ref 0 }

type state = {
  s : stream;
  ptx_test : bool; c_test : bool;
  macros : (string, macro) Hashtbl.t; in_bodies : (string, unit) Hashtbl.t;
  constants : (string, int64 * ty) Hashtbl.t;
  structs : (string, shape) Hashtbl.t;
  names : (string, int * shape) Hashtbl.t;                (* locations *)
  mutable table : loc list;                               (* newest first *)
  initial : (int * string, int64) Hashtbl.t;              (* registers of the initial state *)
  said : (int, bool) Hashtbl.t;                           (* what the initial state says: atomic *)
  atomic_t : (int, unit) Hashtbl.t;
  (* Kernels: of each work-item; those that are launched, by whom; those that are joined. *)
  mutable kernels : (int * int) list;
  mutable launched : (int * int) list; mutable joined : int list;
  mutable w : work; mutable calls : int;
}

let peek p = Lexer.peek p.s
let peek2 p = Lexer.peek2 p.s
let is p = Lexer.is p.s
let bad p = Lexer.bad p.s
let advance p = Lexer.advance p.s
let skip p = ignore (advance p)
let accept p = Lexer.accept p.s
let expect p = Lexer.expect p.s
let name p = if (peek p).kind = Name then (advance p).text else bad p "a name"
let several p item = Lexer.several p.s (fun _ -> item p)
let each p item = ignore (several p item)
let list_up_to p close item = Lexer.list_up_to p.s close (fun _ -> item p)
let nested p read = Lexer.nested p.s 200 (fun _ -> read p)
let wrong p fmt = Printf.ksprintf (fun why -> fault "line %d: %s" (peek p).line why) fmt
let ends_here p = (peek p).kind = End

let number_of t =
  let s = String.lowercase_ascii t.text in
  let n = String.length s in
  let rec cut i = if i > 1 && (s.[i - 1] = 'u' || s.[i - 1] = 'l') then cut (i - 1) else i in
  let digits = String.sub s 0 (cut n) and suffix = String.sub s (cut n) (n - cut n) in
  let octal = String.length digits > 1 && digits.[0] = '0' && digit digits.[1] in
  let digits = if octal then "0o" ^ digits else digits in
  let v = match Int64.of_string_opt digits, Int64.of_string_opt ("0u" ^ digits) with
    | Some v, _ | None, Some v -> v
    | _ -> fault "line %d: the number %s" t.line t.text in
  let unsigned = String.contains suffix 'u' in
  (* The first type that holds it, as in C11 6.4.4.1; a negative v is a number behind all signed ones. *)
  let below most = v >= 0L && v <= most in
  let based = n > 1 && s.[0] = '0' and long = String.contains suffix 'l' in
  let types =
    [ 32, true, below 0x7fffffffL && not (unsigned || long);
      32, false, below 0xffffffffL && not long && (unsigned || based);
      64, true, v >= 0L && not unsigned ] in
  let bits, signed, _ = List.find_opt (fun (_, _, fits) -> fits) types |? (64, false, true) in
  v, { bits; signed }
let number p = fst (number_of (advance p))
let count p = Int64.to_int (number p)

(* --- words --- *)

(* All spellings of orders and scopes. *)
let orders = List.concat_map (fun (long, short) ->
  [ "memory_order_" ^ long; "__ATOMIC_" ^ String.uppercase_ascii long; "mo_" ^ short; "mo_" ^ long ]
  |> List.map (fun spelling -> spelling, short))
  [ "relaxed", "rlx"; "acquire", "acq"; "consume", "acq"; "release", "rel"; "acq_rel", "acq_rel";
    "seq_cst", "sc" ]
let scopes = List.concat_map (fun (short, long, cuda, hip) ->
  [ "memory_scope_" ^ long; short ^ "_scope"; "thread_scope_" ^ cuda; "__HIP_MEMORY_SCOPE_" ^ hip ]
  |> List.map (fun spelling -> spelling, short))
  [ "wi", "work_item", "thread", "SINGLETHREAD"; "sg", "sub_group", "", "WAVEFRONT";
    "wg", "work_group", "block", "WORKGROUP"; "kr", "kernel", "", "";
    "dev", "device", "device", "AGENT";
    "all", "all_svm_devices", "system", "SYSTEM"; "all", "all_devices", "", "" ]
let places = [ "sg"; "wg"; "kr"; "dev" ]
let order_of s = List.assoc_opt s orders
let scope_of s = List.assoc_opt s scopes
let brace_scope s = if List.mem s ("wi" :: "all" :: places) then Some s else scope_of s
let strip prefix s =
  let n = String.length prefix and all = String.length s in
  if all > n && String.sub s 0 n = prefix then Some (String.sub s n (all - n)) else None
let flags = [ "CLK_GLOBAL_MEM_FENCE", ".global"; "CLK_LOCAL_MEM_FENCE", ".local" ]
let is_word s = order_of s <> None || scope_of s <> None || List.mem_assoc s flags
  || List.mem s [ "memory_order"; "memory_scope" ]

(* --- types --- *)

type declared = {
  kind : shape; is_nvm : bool; is_atomic : bool; kernel_atomic : bool;
  space_word : string; tag_words : string list;
}
let an_int =
  { kind = Scalar int32; is_nvm = false; is_atomic = false; kernel_atomic = false; space_word = "";
    tag_words = [] }
let types = List.concat_map (fun (bits, signed, names) ->
  List.map (fun n -> n, { bits; signed }) (String.split_on_char ' ' names))
  [ 32, true, "int int32_t signed spinlock_t atomic_flag atomic_t";
    32, false, "unsigned uint uint32_t";
    64, true, "long int64_t intptr_t ptrdiff_t ssize_t llong intmax_t";
    64, false, "ulong uint64_t uintptr_t size_t ullong uintmax_t";
    16, true, "short int16_t"; 16, false, "ushort uint16_t"; 8, true, "char schar int8_t";
    8, false, "uchar uint8_t"; 1, false, "bool _Bool" ]
let type_word s = match List.assoc_opt s types, strip "atomic_" s with
  | None, Some s -> List.assoc_opt s types
  | ty, _ -> ty
let type_marks =
  [ "nvm"; "struct"; "const"; "volatile"; "global"; "local"; "__global"; "__local"; "_Atomic"; "atomic";
    "constant"; "private" ]
let is_type (t : token) = t.kind = Name && (type_word t.text <> None || List.mem t.text type_marks)
let starts_type p = is_type (peek p)

let braces p = (* tags of a word, if any *)
  let rec dashes s = if accept p "-" then dashes (s ^ "-" ^ (advance p).text) else s in
  if accept p "{" then list_up_to p "}" (fun p -> dashes (name p)) else []

let rec parse_type p =
  let tagged r = { r with tag_words = r.tag_words @ braces p } in
  let rec words r = if not (starts_type p) then r else words (match (advance p).text with
    | "nvm" -> tagged { r with is_nvm = true }
    | "const" | "volatile" | "private" -> r
    | "global" | "__global" | "constant" -> { r with space_word = "global" }
    | "local" | "__local" -> { r with space_word = "local" }
    | "struct" ->
      let n = name p in
      (match Hashtbl.find_opt p.structs n with
       | Some kind -> tagged { r with kind }
       | None -> fault "struct %s is not defined" n)
    | "_Atomic" | "atomic" ->
      if accept p "(" || accept p "<" then begin
        let inner = parse_type p in
        if not (accept p ")" || accept p ">") then outside "an atomic type with a scope";
        { r with kind = inner.kind; is_atomic = true }
      end else { r with is_atomic = true }
    | s ->
      let ty = Option.get (type_word s) in
      let kind = match r.kind, s with
        | Scalar u, "unsigned" -> { u with signed = false }
        | Scalar u, ("int" | "signed") -> u
        | Scalar u, ("long" | "short" | "char") -> { u with bits = ty.bits }
        | _ -> ty in
      tagged { r with kind = Scalar kind; is_atomic = r.is_atomic || strip "atomic_" s <> None;
                      kernel_atomic = s = "atomic_t" }) in
  words an_int

(* --- instructions --- *)

let later p make =
  p.w.code <- ((peek p).line, make) :: p.w.code; p.w.pc <- p.w.pc + 1
let emit p i = later p (fun () -> i)
let place p target = target := p.w.pc
let goto p target = later p (fun () -> Goto !target)
let goto_unless ?(own = false) p c target = later p (fun () -> If (c, !target, own))
let only_if p c body = let out = ref 0 in goto_unless p c out; body (); place p out

let is_reg p r = List.mem_assoc r p.w.regs && not (List.mem r p.w.gone)
let reg_type p r = List.assoc_opt r p.w.regs |? int64
let new_reg p r ty = p.w.regs <- (r, ty) :: List.remove_assoc r p.w.regs
let known_reg p r ty = if not (List.mem_assoc r p.w.regs) then new_reg p r ty
(* What is declared in a block is known up to its end. *)
let scoped p body =
  p.w.scopes <- [] :: p.w.scopes;
  body ();
  p.w.gone <- List.hd p.w.scopes @ p.w.gone; p.w.scopes <- List.tl p.w.scopes
let temp p ty =
  let r = Printf.sprintf ".%d" (List.length p.w.regs) in
  new_reg p r ty; r

(* test: before the body, given where the loop ends; step: behind it, where `continue` goes. *)
let loop p ~test ~body ~step =
  let out = ref 0 and head = ref p.w.pc and next = ref 0 in
  let breaks = p.w.breaks and continues = p.w.continues in
  test out;
  p.w.breaks <- out :: breaks; p.w.continues <- next :: continues;
  body ();
  p.w.breaks <- breaks; p.w.continues <- continues;
  place p next; step out; goto p head; place p out

(* --- values; each is in its type --- *)

let fold_bin op ty a b = match a, b with
  | Num x, Num y -> (match apply op ty x y with Some v -> Num v | None -> Bin (op, ty, a, b))
  | a, Num 0L when List.mem op [ "+"; "-"; "|"; "^" ] -> a
  | a, Num v when op = "&" && v = wrap ty (-1L) -> a
  | _ -> Bin (op, ty, a, b)
let conv ty = function Num v -> Num (wrap ty v) | e -> Conv (ty, e)
let typed ty (e, of_type) = if of_type = ty then e else conv ty e
let is_zero e = fold_bin "==" int64 e (Num 0L)
let is_truth e = fold_bin "!=" int64 e (Num 0L)
let arith op (a, ta) (b, tb) =
  let shift = op = "<<" || op = ">>" in
  let ty = if shift then promote ta else common ta tb in
  let r = fold_bin op ty (typed ty (a, ta)) (typed (if shift then promote tb else ty) (b, tb)) in
  r, (if List.mem op ("&&" :: "||" :: compared) then int32 else ty)

let addr_of ptr = match ptr.idx with
  | Num v when v >= 0L && v < Int64.of_int ptr.n ->
    { ptr.at with base = ptr.at.base + (Int64.to_int v * size ptr.shape) }
  | idx -> { ptr.at with dims = ptr.at.dims @ [ (idx, size ptr.shape, ptr.n) ] }
let scalar ptr = match ptr.shape with
  | Scalar ty -> ty
  | _ -> outside "a struct or an array as a whole"
let single at shape = { at; shape; idx = Num 0L; n = 1 }
let rec decay ptr = match ptr.shape with
  | Many (n, shape) -> decay { (single (addr_of ptr) shape) with n }
  | _ -> ptr
let located p n = match Hashtbl.find_opt p.names n with
  | Some (base, Many (n, shape)) -> { (single { base; dims = [] } shape) with n }
  | Some (base, shape) -> single { base; dims = [] } shape
  | None -> wrong p "there is no location %s" n

(* What operators on a location are: in C seq_cst where the initial state says that it is atomic. *)
let plain_attr p ptr =
  let base = ptr.at.base in
  if p.c_test && Hashtbl.find_opt p.said base = Some true && not (Hashtbl.mem p.atomic_t base) then
    { order = "sc"; scope = "dev"; atomic = true; tags = [] }
  else plain

let load p ptr attr =
  let ty = scalar ptr in
  let r = temp p ty in
  emit p (Load (r, addr_of ptr, attr)); Var r, ty
let store p ptr attr v = emit p (Store (addr_of ptr, typed (scalar ptr) v, attr))
let set ?(uses = []) p r v = emit p (Set (r, typed (reg_type p r) v, uses))

let rvalue p = function
  | Rvalue (e, ty) -> e, ty
  | Local r -> Var r, reg_type p r
  | Target ptr | Pointer ptr -> let ptr = decay ptr in load p ptr (plain_attr p ptr)
  | Word w -> wrong p "'%s' is no value" w
  | Nothing -> wrong p "this gives no value"
  | Token -> outside "tokens"
let as_value (e, ty) = Rvalue (e, ty)
let place_of p = function
  | Pointer ptr | Target ptr -> decay ptr
  | _ -> bad p "a location before this"
(* What nobody uses is read all the same. *)
let discard p = function
  | Target { shape = Scalar _; _ } as v -> ignore (rvalue p v)
  | _ -> ()
let unsequenced p start mid = p.w.pairs <- (start, mid, p.w.pc) :: p.w.pairs

(* Gives the old value and whether it wrote; value and test are made of the old value. *)
let update p ptr (attr : attr) ?test ?failed value =
  let ty = scalar ptr in
  let old = temp p ty in
  let ok = temp p int32 in
  let weaker = match attr.order with "acq_rel" -> "acq" | "rel" -> "rlx" | o -> o in
  let failed = { attr with order = failed |? weaker } in
  emit p (Update { old; addr = addr_of ptr; test = Option.map (fun t -> t (Var old, ty)) test;
                   value = typed ty (value (Var old, ty)); attr; failed; ok });
  (Var old, ty), (Var ok, int32)
let equals v (old, ty) = fold_bin "==" int64 old (typed ty v)

let operators =
  [ "add", "+"; "sub", "-"; "and", "&"; "or", "|"; "xor", "^"; "min", "min"; "max", "max" ]
let apply_operator o v (old, ty) = match o with
  | "&~" -> fold_bin "&" ty old (typed ty (arith "^" v (Num (-1L), int32))), ty
  | _ -> fold_bin o ty old (typed ty v), ty

(* --- macros of definition files --- *)

let rec arguments p = (* token lists up to the parenthesis that closes *)
  let rec one depth acc =
    if ends_here p then bad p "')'";
    let t = advance p in
    match if t.kind = Mark then t.text else "" with
    | "(" | "[" | "{" -> one (depth + 1) (t :: acc)
    | ")" when depth = 0 -> List.rev acc, true
    | "," when depth = 0 -> List.rev acc, false
    | ")" | "]" | "}" -> one (depth - 1) (t :: acc)
    | _ -> one depth (t :: acc) in
  match one 0 [] with
  | [], true -> []
  | arg, true -> [ arg ]
  | arg, false -> arg :: arguments p

let between line (left, right) toks rest =
  let mark text = { kind = Mark; text; line } in
  (mark left :: toks) @ (mark right :: rest)

let expand p (m : macro) line args =
  let formals = m.formals |? [] in
  if List.length args <> List.length formals then fault "line %d: a wrong number of arguments" line;
  p.calls <- p.calls + 1;
  if p.calls > 20000 then fault "line %d: too many calls of definitions" line;
  let binding = List.combine formals args in
  let put (t : token) = match List.assoc_opt t.text binding with
    | Some [ one ] when t.kind = Name -> [ { one with line } ]
    | Some several when t.kind = Name -> between line ("(", ")") several []
    | _ -> [ { t with line } ] in
  let around = if m.statement then "{", "}" else "(", ")" in
  p.s.toks <- between line around (List.concat_map put m.body) p.s.toks

let try_expand p =
  let t = peek p in
  let called = (peek2 p).text = "(" in
  let hidden = not called && (is_reg p t.text || Hashtbl.mem p.names t.text || Hashtbl.mem p.constants t.text) in
  match Hashtbl.find_opt p.macros t.text with
  | Some m when t.kind = Name && (m.formals <> None) = called && not hidden ->
    skip p;
    expand p m t.line (if called then (skip p; arguments p) else []); true
  | _ -> false

(* --- expressions --- *)

let levels =
  [ [ "||" ]; [ "&&" ]; [ "|" ]; [ "^" ]; [ "&" ]; [ "=="; "!=" ]; [ "<"; "<="; ">"; ">=" ];
    [ "<<"; ">>" ]; [ "+"; "-" ]; [ "*"; "/"; "%" ] ]
let assigns = [ "+="; "-="; "*="; "/="; "%="; "&="; "|="; "^="; "<<="; ">>=" ]
let one_of p marks = (peek p).kind = Mark && List.mem (peek p).text marks

let word_of p = (* an order, scope or flags, as argument *)
  let first = name p in
  let first = if accept p "::" then first ^ "_" ^ name p else first in
  let rec flags s = if accept p "|" then flags (s ^ "|" ^ name p) else s in
  flags first
let find_word f words = List.find_map (function Word w -> f w | _ -> None) words
let attr_of words =
  { order = find_word order_of words |? "sc";
    scope = find_word scope_of words |? "dev"; atomic = true; tags = [] }
let spaces words =
  let of_word = function Word w -> String.split_on_char '|' w | _ -> [] in
  List.filter_map (fun w -> List.assoc_opt w flags) (List.concat_map of_word words)

let declare p r =
  if List.mem r p.w.gone || not (p.c_test || is_reg p r) then wrong p "there is no register '%s'" r;
  known_reg p r int64

let rec expression p =
  let v = assignment p in
  if accept p "," then (discard p v; expression p) else v

and assignment p =
  let start = p.w.pc in
  let left = conditional p in
  if one_of p [ "=" ] then begin
    skip p;
    let mid = p.w.pc in
    let v = rvalue p (assignment p) in
    unsequenced p start mid;
    match left with
    | Local r -> declare p r; set p r v; left
    | Target ptr | Pointer ptr ->
      let ptr = decay ptr in
      store p ptr (plain_attr p ptr) v; Rvalue (typed (scalar ptr) v, scalar ptr)
    | _ -> bad p "a register or location before '='"
  end else if one_of p assigns then begin
    let mark = (advance p).text in
    compound p (String.sub mark 0 (String.length mark - 1)) left (fun () -> rvalue p (assignment p))
  end else left

(* left op= right; gives the new value. *)
and compound p op left right = match left with
  | Local r ->
    let v = right () in
    declare p r; set p r (arith op (Var r, reg_type p r) v); left
  | _ ->
    let ptr = place_of p left in
    let ty = scalar ptr and attr = plain_attr p ptr in
    if attr.atomic then begin
      let v = right () in
      let old, _ = update p ptr attr (fun old -> arith op old v) in
      Rvalue (typed ty (arith op old v), ty)
    end else begin
      let start = p.w.pc in
      let old = load p ptr attr in
      let mid = p.w.pc in
      let v = right () in
      unsequenced p start mid;
      let now = arith op old v in
      store p ptr attr now; Rvalue (typed ty now, ty)
    end

and conditional p =
  let c = binary p levels in
  if not (accept p "?") then c
  else begin
    let c, _ = rvalue p c in
    let r = temp p int64 and out = ref 0 in
    let give (e, ty) = emit p (Set (r, e, [ c ])); ty in
    let ty = ref int32 in
    only_if p c (fun () ->
      ty := give (rvalue p (expression p));
      expect p ":"; goto p out);
    let ty = common !ty (give (rvalue p (conditional p))) in
    place p out;
    Rvalue (conv ty (Var r), ty)
  end

and binary p = function
  | [] -> unary p
  | ops :: tighter ->
    let start = p.w.pc in
    let rec go left =
      if not (one_of p ops) then left
      else match (advance p).text with
        | "&&" | "||" as op -> go (lazily p op (rvalue p left) tighter)
        | op ->
          let left = match left with
            | Target ({ shape = Many _; _ } as q) -> Pointer (decay q)
            | v -> v in
          let steps q = q.n > 1 || (match q.shape with Scalar _ -> false | _ -> true) in
          match left, op with
          | Pointer q, ("+" | "-") when steps q ->
            let k, _ = rvalue p (binary p tighter) in
            go (Pointer { q with idx = fold_bin op int64 q.idx k })
          | _ ->
            let a = rvalue p left in
            let mid = p.w.pc in
            let b = rvalue p (binary p tighter) in
            unsequenced p start mid;
            go (as_value (arith op a b)) in
    go (binary p tighter)

(* a && b: b is evaluated only where a does not decide. *)
and lazily p op (a, _) tighter =
  let r = temp p int32 in
  emit p (Set (r, is_truth a, []));
  only_if p (if op = "&&" then a else is_zero a) (fun () ->
    let b, _ = rvalue p (binary p tighter) in
    emit p (Set (r, is_truth b, [ a ])));
  Rvalue (Var r, int32)

and unary p = nested p unary_one
and unary_one p =
  if try_expand p then unary p
  else if one_of p [ "-"; "+"; "~"; "!"; "*"; "&"; "++"; "--" ] then begin
    let mark = (advance p).text in
    let operand = unary p in
    match mark, operand with
    | ("-" | "+"), v -> as_value (arith mark (Num 0L, int32) (rvalue p v))
    | "~", v -> as_value (arith "^" (rvalue p v) (Num (-1L), int32))
    | "!", v -> as_value (arith "==" (rvalue p v) (Num 0L, int32))
    | "*", Target ({ shape = Many _; _ } as ptr) -> Target (decay ptr)
    | "*", (Pointer ptr | Target ptr) -> Target ptr
    | "&", (Pointer ptr | Target ptr) -> Pointer ptr
    | "&", Local r -> Word ("&" ^ r)
    | ("*" | "&"), _ -> bad p ("a location behind '" ^ mark ^ "'")
    | _ -> compound p (String.sub mark 0 1) operand (fun () -> Num 1L, int32)
  end else if is p "(" && is_type (peek2 p) then begin
    expect p "(";
    let d = parse_type p in
    if accept p "*" then outside "a cast of a pointer";
    expect p ")";
    let v = rvalue p (unary p) in
    match d.kind with Scalar ty -> Rvalue (typed ty v, ty) | _ -> bad p "a type of numbers"
  end else postfix p (primary p)

and primary p =
  let t = advance p in
  let called = is p "(" in
  match t.kind, t.text with
  | Number, _ -> as_value (let v, ty = number_of t in Num v, ty)
  | Mark, "(" -> let v = expression p in expect p ")"; v
  | Name, n when is_reg p n && not called -> Local n
  | Name, "sizeof" -> outside "sizeof"
  | Name, "ATOMIC_INIT" -> conditional p
  | Name, ("NULL" | "nullptr" | "false") -> Rvalue (Num 0L, int32)
  | Name, "true" -> Rvalue (Num 1L, int32)
  | Name, n when Hashtbl.mem p.constants n ->
    as_value (let v, ty = Hashtbl.find p.constants n in Num v, ty)
  | Name, n when Hashtbl.mem p.names n && not called -> Pointer (located p n)
  | Name, n when called || (is p "{" && strip "__" n <> None) -> call p t
  | Name, n when is_word n -> Word n
  | Name, n when p.c_test && not (List.mem n p.w.gone) -> Local n
  | _ -> fault "line %d: there is no '%s'" t.line t.text

and postfix p v =
  if not (one_of p [ "["; "."; "->"; "++"; "--" ]) then v
  else match (advance p).text with
    | "[" ->
      let ptr = match v with
        | Pointer q -> q
        | Target q -> decay q
        | _ -> bad p "an array before '['" in
      let k, _ = rvalue p (expression p) in
      expect p "]";
      postfix p (Target { ptr with idx = fold_bin "+" int64 ptr.idx k })
    | "." | "->" ->
      let field = name p in
      let ptr = place_of p v in
      (match ptr.shape with
       | Struct ms when List.mem_assoc field ms ->
         let rec offset = function
           | (m, s) :: rest when m <> field -> size s + offset rest
           | _ -> 0 in
         let at = addr_of ptr in
         postfix p (Target (single { at with base = at.base + offset ms } (List.assoc field ms)))
       | _ when is p "(" -> postfix p (operation p field [ v ])
       | _ -> wrong p "there is no member %s" field)
    | mark ->
      let op = String.sub mark 0 1 and one = Num 1L, int32 in
      match v with
      | Local r ->
        let old = temp p (reg_type p r) in
        set p old (Var r, reg_type p r);
        ignore (compound p op v (fun () -> one)); Local old
      | _ ->
        let ptr = place_of p v in
        let attr = plain_attr p ptr in
        if attr.atomic then as_value (fst (update p ptr attr (fun old -> arith op old one)))
        else begin
          let old = load p ptr attr in
          store p ptr attr (arith op old one); as_value old
        end

(* The arguments of a call, in no order among themselves: words stay words, the first may be a
   location, all else is a value. *)
and call_arguments ?(values = false) p =
  expect p "(";
  let start = p.w.pc and first = ref (not values) in
  list_up_to p ")" (fun p ->
    let mid = p.w.pc in
    let t = peek p in
    let hidden = is_reg p t.text || Hashtbl.mem p.macros t.text in
    let v = match if t.kind = Name && is_word t.text && not hidden then Word (word_of p) else assignment p with
      | Target { shape = Scalar _; _ } as v when not !first -> as_value (rvalue p v)
      | v -> v in
    first := false;
    unsequenced p start mid; v)

and words_alone p =
  let args = call_arguments p in
  if List.exists (function Word _ -> false | _ -> true) args then wrong p "an order, a scope or flags are wanted";
  args

(* atomic_NAME(..), atomic_NAME_explicit(..) and x.NAME(..): docs, "Read-modify-writes". *)
and operation p op before =
  let args = before @ call_arguments ~values:(before <> []) p in
  let ptr = match args with v :: _ -> place_of p v | [] -> bad p "a location" in
  let is_value = function Word w -> w.[0] = '&' | _ -> true in
  let values, words = List.partition is_value (List.tl args) in
  let attr = attr_of words in
  let not_so_many () = wrong p "'%s' does not take that many values" op in
  let one () = match values with [ v ] -> rvalue p v | _ -> not_so_many () in
  let none () = if values <> [] then not_so_many () in
  let old_of change = as_value (fst (update p ptr attr change)) in
  match op, strip "fetch_" op with
  | "load", _ -> none (); as_value (load p ptr attr)
  | "store", _ -> store p ptr attr (one ()); Nothing
  | "exchange", _ -> let v = one () in old_of (fun _ -> v)
  | "flag_test_and_set", _ -> none (); old_of (fun _ -> Num 1L, int32)
  | "flag_clear", _ -> none (); store p ptr attr (Num 0L, int32); Nothing
  | _, Some o when List.mem_assoc o operators ->
    let v = one () in old_of (apply_operator (List.assoc o operators) v)
  | ("compare_exchange_strong" | "compare_exchange_weak"), _ ->
    let expected, desired = match values with [ e; d ] -> e, rvalue p d | _ -> not_so_many () in
    (* And what receives the old value where it fails. *)
    let e, receive = match expected with
      | Word w ->
        let r = String.sub w 1 (String.length w - 1) in
        (Var r, reg_type p r), Some (set p r)
      | Pointer q ->
        let q = decay q in
        let attr = plain_attr p q in
        load p q attr, Some (store p q attr)
      | v -> rvalue p v, None in
    let failed = match List.filter_map (function Word w -> order_of w | _ -> None) words with
      | [ _; f ] -> Some f
      | _ -> None in
    let old, ok = update p ptr attr ~test:(equals e) ?failed (fun _ -> desired) in
    Option.iter (fun receive -> only_if p (is_zero (fst ok)) (fun () -> receive old)) receive;
    as_value ok
  | _ -> wrong p "there is no operation '%s'" op

and call p t = match strip "atomic_" t.text with
  | Some ("work_item_fence" | "thread_fence") ->
    let words = words_alone p in
    emit p (Fence { (attr_of words) with atomic = false; tags = "." :: spaces words }); Nothing
  | Some op ->
    let suffix = "_explicit" in
    operation p (if Filename.check_suffix op suffix then Filename.chop_suffix op suffix else op) []
  | None -> match primitive p t.text with
    | Some v -> v
    | None ->
      if not (barrier_call p t.text) then fault "line %d: there is no function '%s'" t.line t.text;
      Nothing

(* Whether there is a barrier of this name. *)
and barrier_call p n =
  let args () = if is p "(" then words_alone p else [] in
  let barrier persist meet scope space =
    let b = { persist; meet; label = p.w.label; space; named = false } in
    emit p (Barrier (b, { plain with scope })); true in
  match n, strip "sync_barrier_" n, strip "p_barrier_" n with
  | ("barrier" | "work_group_barrier" | "sub_group_barrier"), _, _ ->
    let words = args () in
    let meet = if n = "sub_group_barrier" then "sg" else "wg" in
    barrier false meet (find_word scope_of words |? meet) (spaces words)
  | _, Some ("wg" | "kr" as s), _ -> ignore (args ()); barrier false s s []
  | "p_barrier", _, _ when (match p.s.toks with
      | _ :: { kind = Name; _ } :: { text = ","; _ } :: _ -> true | _ -> false) ->
    outside "a persist barrier with a number"
  | "p_barrier", _, _ ->
    (match find_word scope_of (args ()) with
     | Some s -> barrier true s s []
     | None -> wrong p "p_barrier takes a scope")
  | _, _, Some s when List.mem s ("wi" :: places) -> ignore (args ()); barrier true s s []
  | _ -> false

(* Primitive instructions: docs, "Primitive instructions and tags". *)
and primitive p n =
  let attr ~access words =
    let order = List.find_map order_of words and scope = List.find_map brace_scope words in
    let tags = List.filter (fun w -> order_of w = None && brace_scope w = None) words in
    match order, access with
    | None, `Plain -> { plain with tags }
    | None, `None -> { plain with tags; scope = scope |? "" }
    | _ -> { tags; order = order |? "rlx"; scope = scope |? "dev"; atomic = access <> `None } in
  let with_place access f =
    let words = braces p in
    expect p "(";
    let start = p.w.pc in
    let x = place_of p (assignment p) in
    let value () =
      expect p ",";
      let mid = p.w.pc in
      let v = rvalue p (assignment p) in
      unsequenced p start mid; v in
    let words = if n = "__atomic_op" && words = [] then [ "noreturn" ] else words in
    let given = f x (attr ~access words) value in
    expect p ")"; Some given in
  let with_operator f = with_place `Update (fun x attr value ->
    expect p ",";
    let word = (advance p).text in
    let o = if word = "&" && accept p "~" then "&~"
      else List.assoc_opt word operators |? word in
    let v = value () in
    f x attr (apply_operator o v)) in
  match n with
  | "__fence" ->
    let words = braces p in
    if accept p "(" && not (accept p ")") then outside "tokens";
    emit p (Fence (attr ~access:`None words)); Some Token
  | "__cm" -> with_place `None (fun x attr _ -> emit p (Maintain (addr_of x, attr)); Token)
  | "__load" -> with_place `Plain (fun x attr _ -> as_value (load p x attr))
  | "__store" -> with_place `Plain (fun x attr value ->
      let v = value () in
      if is p "," then outside "a store of several values";
      store p x attr v; Nothing)
  | "__xchg" -> with_place `Update (fun x attr value ->
      let v = value () in as_value (fst (update p x attr (fun _ -> v))))
  | "__cmpxchg" -> with_place `Update (fun x attr value ->
      let e = value () in
      let v = value () in as_value (fst (update p x attr ~test:(equals e) (fun _ -> v))))
  | "__atomic_add_unless" -> with_place `Update (fun x attr value ->
      let v = value () in
      let unless = value () in
      let test old = is_zero (equals unless old) in
      as_value (snd (update p x attr ~test (apply_operator "+" v))))
  | "__atomic_op" -> with_operator (fun x attr change ->
      ignore (update p x attr change); Nothing)
  | "__atomic_fetch_op" ->
    with_operator (fun x attr change -> as_value (fst (update p x attr change)))
  | "__atomic_op_return" -> with_operator (fun x attr change ->
      let old, _ = update p x attr change in Rvalue (typed (snd old) (change old), snd old))
  | _ -> None

(* --- launches: docs/models/semantics.md, "Launches" --- *)

(* Whether a type holds a number; a negative one fills what is unsigned. *)
let fits ty v = wrap ty v = v || (not ty.signed && wrap { ty with signed = true } v = v)

let add_location p n shape d values =
  let base = List.length p.table in
  let values = ref values in
  let rec fill n = function
    | Scalar ty ->
      let v = match !values with [] -> 0L | v :: rest -> values := rest; v in
      if not (fits ty v) then wrong p "the value of %s does not fit its type" n;
      p.table <- { name = n; ty; nvm = d.is_nvm; atomic = d.is_atomic; loc_tags = d.tag_words;
                   first = wrap ty v; of_line = List.length p.table } :: p.table
    | Many (k, s) -> for i = 0 to k - 1 do fill (Printf.sprintf "%s[%d]" n i) s done
    | Struct ms -> List.iter (fun (m, s) -> fill (n ^ "." ^ m) s) ms in
  fill n shape;
  Hashtbl.replace p.names n (base, shape)
let known p n = if not (Hashtbl.mem p.names n) then add_location p n (Scalar int32) an_int []

(* Locations of their own: no test can name what begins with a dot. *)
let launch_attr order = { order; scope = "all"; atomic = true; tags = [] }
let hidden p what k = let n = Printf.sprintf ".%s%d" what k in known p n; located p n
let await p q =
  let seen = ref (Num 0L) in
  loop p ~body:ignore ~step:ignore ~test:(fun out ->
    seen := fst (load p q (launch_attr "acq"));
    goto_unless ~own:true p (is_zero !seen) out);
  !seen
let has_launched k = Printf.sprintf ".launched%d" k
let number_one = Num 1L, int32

let launch p =
  let k = count p in
  if not (List.mem (k, p.w.id) p.launched) then p.launched <- (k, p.w.id) :: p.launched;
  store p (hidden p "launch" k) (launch_attr "rel") number_one;
  emit p (Set (has_launched k, Num 1L, []))
let join p =
  let k = count p in
  if not (List.mem k p.joined) then p.joined <- k :: p.joined;
  let wait () = List.iter (fun (id, kernel) ->
    if kernel = k then ignore (await p (hidden p "end" id))) p.kernels in
  (* What its own work-item has not launched it does not wait for. *)
  if List.mem (k, p.w.id) p.launched then only_if p (Var (has_launched k)) wait else wait ()

(* In front of the code of a work-item, and behind it. *)
let kernel p = List.assoc_opt p.w.id p.kernels |? 0
let begin_kernel p =
  if List.mem_assoc (kernel p) p.launched then begin
    let v = await p (hidden p "launch" (kernel p)) in
    goto_unless p (fold_bin "==" int64 v (Num 1L)) p.w.finish
  end
let end_kernel p =
  place p p.w.finish;
  List.iter (fun (k, id) -> if id = p.w.id then
    only_if p (is_zero (Var (has_launched k))) (fun () ->
      store p (hidden p "launch" k) (launch_attr "rel") (Num 2L, int32))) p.launched;
  if List.mem (kernel p) p.joined then
    store p (hidden p "end" p.w.id) (launch_attr "rel") number_one;
  emit p Stop

(* --- statements --- *)

let rec statement p = nested p statement_one
and statement_one p =
  let t = peek p in
  let word = if t.kind = Name then t.text else "" in
  let next () = skip p in
  let semicolon () = expect p ";" in
  if is p "{" then (next (); block p)
  else if accept p ";" then ()
  else if word <> "" && word <> "default" && (peek2 p).text = ":" then begin
    next (); next ();
    p.w.label <- word; statement p; p.w.label <- ""
  end else match word with
    | "if" ->
      next ();
      let other = ref 0 and out = ref 0 in
      condition p other;
      statement p;
      if not (accept p "else") then place p other
      else (goto p out; place p other; statement p; place p out)
    | "while" ->
      next (); loop p ~test:(condition ~own:true p) ~body:(fun () -> statement p) ~step:ignore
    | "do" ->
      next ();
      loop p ~test:ignore ~body:(fun () -> statement p) ~step:(fun out ->
        expect p "while"; condition ~own:true p out; semicolon ())
    | "for" -> scoped p (fun () ->
      next (); expect p "(";
      if starts_type p then declaration p
      else if not (accept p ";") then (discard p (expression p); semicolon ());
      let step = ref [] in
      let read_step _ =
        let rest = p.s.toks in
        p.s.toks <- !step;
        if not (is p ")") then discard p (expression p);
        p.s.toks <- rest in
      loop p ~body:(fun () -> statement p) ~step:read_step ~test:(fun out ->
        if not (is p ";") then goto_unless ~own:true p (fst (rvalue p (expression p))) out;
        semicolon (); step := p.s.toks; ignore (arguments p)))
    | "switch" -> switch p
    | "break" -> next (); semicolon (); goto p (List.hd p.w.breaks)
    | "continue" -> next (); semicolon (); goto p (List.hd p.w.continues)
    | "return" -> next (); semicolon (); goto p p.w.finish
    | "crash" -> next (); if (peek p).kind = Quoted then next (); semicolon (); emit p Crash
    | "launch" when (peek2 p).kind = Number -> next (); launch p; semicolon ()
    | "join" when (peek2 p).kind = Number -> next (); join p; semicolon ()
    | _ when starts_type p -> declaration p
    | _ -> simple p

and simple p =
  let t = peek p in
  if try_expand p && is p "{" then (statement p; ignore (accept p ";"))
  else begin
    (* A barrier goes with or without parentheses. *)
    let bare = peek p == t && t.kind = Name && (peek2 p).text <> "(" && not (is_reg p t.text) in
    if not (bare && (skip p; barrier_call p t.text)) then begin
      if bare then p.s.toks <- t :: p.s.toks;
      discard p (expression p)
    end;
    expect p ";"
  end

and condition ?(own = false) p out =
  expect p "(";
  let c, _ = rvalue p (expression p) in
  expect p ")"; goto_unless ~own p c out

and block ?(behind = ignore) p =
  scoped p (fun () -> while not (is p "}") do (if ends_here p then bad p "'}'"); statement p done);
  behind ();
  expect p "}"

and declaration p =
  let d = parse_type p in
  each p (fun p ->
    if is p "*" then outside "a pointer as a register";
    let r = name p in
    let ty = match d.kind with Scalar ty -> ty | _ -> bad p "a type of numbers" in
    if is p "[" then outside "an array of registers";
    begin_register p r ty;
    if accept p "=" then set p r (rvalue p (assignment p)));
  expect p ";"

(* Blocks that come one after the other have one register of a name and a type, which begins with 0 in each. *)
and begin_register p r ty =
  let scope = List.hd p.w.scopes and outer = List.tl p.w.scopes in
  let given = Hashtbl.mem p.initial (p.w.id, r) && outer = [] in
  let before = if given then None else List.assoc_opt r p.w.regs in
  if List.mem r scope then wrong p "'%s' is declared twice" r;
  if before <> None && not (List.mem r p.w.gone) then outside "a register that hides another one";
  if before <> None && before <> Some ty then outside "registers of one name and of two types";
  if before = None then new_reg p r ty else set p r (Num 0L, int32);
  p.w.gone <- List.filter (( <> ) r) p.w.gone; p.w.scopes <- (r :: scope) :: outer

(* The body first, behind a jump to the tests; these jump to the cases. *)
and switch p =
  skip p; expect p "(";
  let v, ty = rvalue p (expression p) in
  expect p ")"; expect p "{";
  let r = temp p (promote ty) and tests = ref 0 and out = ref 0 and cases = ref [] in
  let default = ref out in
  set p r (v, ty);
  goto p tests;
  let breaks = p.w.breaks in
  p.w.breaks <- out :: breaks;
  scoped p (fun () -> while not (accept p "}") do
    if accept p "case" then begin
      let c, _ = rvalue p (conditional p) in
      expect p ":"; cases := (c, ref p.w.pc) :: !cases
    end else if accept p "default" then (expect p ":"; default := ref p.w.pc)
    else statement p
  done);
  p.w.breaks <- breaks;
  goto p out;
  place p tests;
  let jump target = later p (fun () -> Case !target) in
  List.iter (fun (c, target) ->
    only_if p (fold_bin "==" int64 (Var r) c) (fun () -> jump target)) (List.rev !cases);
  jump !default;
  place p out

(* --- the initial state --- *)

let constant p = match rvalue p (conditional p) with
  | Num v, ty -> v, ty
  | _ -> bad p "a constant"

let dimensions p shape =
  let rec sizes () = if not (accept p "[") then [] else
      let k, _ = constant p in
      expect p "]"; Int64.to_int k :: sizes () in
  List.fold_right (fun k s -> Many (k, s)) (sizes ()) shape

(* The values of a shape, in the order of its elements: a list within a list is a member or row; what it
   leaves out is 0. *)
let rec member p shape = nested p (fun p ->
  let listed = accept p "{" in
  let v = elements p shape in
  if listed then (expect p "}"; ignore (accept p ",")); v)
and elements p = function
  | Scalar _ when is p "}" -> [ 0L ]
  | Scalar _ -> let v, _ = constant p in ignore (accept p ","); [ v ]
  | Many (n, s) -> List.concat (List.init n (fun _ -> member p s))
  | Struct ms -> List.concat_map (fun (_, s) -> member p s) ms

let definition p = (* const, enum, struct: true if one was read *)
  let third = match p.s.toks with _ :: _ :: t :: _ -> t.text | _ -> "" in
  if is p "const" && (peek2 p).text <> "nvm" then begin
    skip p;
    let typed = starts_type p in
    let d = parse_type p in
    each p (fun p ->
      let n = name p in
      expect p "=";
      let v, ty = constant p in
      let ty = match d.kind with Scalar t when typed -> t | _ -> ty in
      Hashtbl.replace p.constants n (wrap ty v, ty));
    expect p ";"; true
  end else if accept p "enum" then begin
    if (peek p).kind = Name then skip p;
    expect p "{";
    let next = ref 0L in
    ignore (list_up_to p "}" (fun p ->
      let n = name p in
      if accept p "=" then next := fst (constant p);
      Hashtbl.replace p.constants n (!next, int32); next := Int64.add !next 1L));
    expect p ";"; true
  end else if is p "struct" && third = "{" then begin
    skip p;
    let n = name p in
    expect p "{";
    let rec members () = if accept p "}" then [] else begin
        let d = parse_type p in
        if d.is_atomic then Hashtbl.replace p.said (-1) true;
        let some = several p (fun p -> let m = name p in m, dimensions p d.kind) in
        expect p ";"; some @ members ()
      end in
    Hashtbl.replace p.structs n (Struct (members ()));
    expect p ";"; true
  end else false

let ids p n = match Hashtbl.find_opt p.names n with
  | Some (base, shape) -> List.init (size shape) (fun i -> base + i)
  | None -> fault "line: there is no %s" n

let lines p = (* line {x, y}; line(4) a; *)
  (* What has a location in common is one line. *)
  let together ids =
    let all = Array.of_list (List.rev p.table) in
    let joined = List.map (fun id -> all.(id).of_line) ids in
    p.table <- List.map (fun l ->
      if List.mem l.of_line joined then { l with of_line = List.hd joined } else l) p.table in
  let rec chunks k l = if l <> [] then begin
      together (List.filteri (fun i _ -> i < k) l); chunks k (List.filteri (fun i _ -> i >= k) l)
    end in
  if accept p "(" then begin
    let k, _ = constant p in
    expect p ")";
    each p (fun p -> chunks (Int64.to_int k) (ids p (name p)))
  end else begin
    expect p "{";
    together (List.concat (list_up_to p "}" (fun p ->
      let n = name p in
      if not (is p "[" || is p ".") then ids p n
      else match postfix p (Pointer (located p n)) with
        | Target q when (addr_of q).dims = [] -> [ (addr_of q).base ]
        | _ -> bad p "a location")))
  end

let item_number t = int_of_string (match strip "P" t.text with Some s -> s | None -> t.text)

let locations p =
  let typed = starts_type p in
  let d = parse_type p in
  let one p =
    ignore (accept p "*");
    let boxed = accept p "[" in
    let n = name p in
    if boxed then expect p "]";
    let shape = dimensions p d.kind in
    let values = if not (accept p "=") then []
      else if accept p "{" then (let v = elements p shape in expect p "}"; v)
      else (let v = fst (constant p) in List.init (size shape) (fun _ -> v)) in
    if Hashtbl.mem p.names n then fault "%s is declared twice" n;
    if is p "@" then outside "aliases and proxies";
    add_location p n shape d values;
    match d.kind with
    | Struct _ -> ()
    | _ -> List.iter (fun l ->
        if typed then Hashtbl.replace p.said l d.is_atomic;
        if d.kernel_atomic then Hashtbl.replace p.atomic_t l ()) (ids p n) in
  each p one;
  if not (is p "}") then expect p ";"

let initial_state p =
  expect p "{";
  while not (accept p "}") do
    if accept p ";" || definition p then ()
    else if is p "line" && List.mem (peek2 p).text [ "{"; "(" ] then
      (skip p; lines p; ignore (accept p ";"))
    else if is p "unit" && (peek2 p).text = "(" then outside "units of persistence"
    else if is p "tags" && (peek2 p).text = "{" then outside "tags of single elements"
    else if (peek p).kind = Number || (peek2 p).text = ":" then begin
      let item = item_number (advance p) in
      expect p ":";
      let r = name p in
      expect p "=";
      let v, _ = constant p in
      if not (fits int32 v) then outside "a register of more than 32 bits in the initial state";
      Hashtbl.replace p.initial (item, r) v; ignore (accept p ";")
    end else locations p
  done

(* --- work-items --- *)

(* Braces are tags where '@', parameters or the code stand behind them. *)
let has_tags p =
  let rec go = function
    | { text = "}"; _ } :: { text; _ } :: _ -> List.mem text [ "@"; "("; "{" ]
    | { kind = Name; _ } :: rest | { text = "," | "-"; _ } :: rest -> go rest
    | _ -> false in
  is p "{" && go (List.tl p.s.toks)

let initial_regs p id =
  Hashtbl.fold (fun (i, r) v l -> if i = id then (r, v) :: l else l) p.initial []

(* Its tags and places; what its code is read with. *)
let begin_item p id =
  let tags = if has_tags p then braces p else [] in
  let place p =
    let w = name p in
    let k = count p in
    let w = match w with "cta" -> "wg" | "gpu" -> "dev" | w -> w in
    if not (List.mem w places) then fault "there is no place '%s'" w;
    w, k in
  let at = if accept p "@" then several p place else [] in
  let regs = List.map (fun (r, _) -> r, int32) (initial_regs p id) in
  p.kernels <- (id, List.assoc_opt "kr" at |? 0) :: List.remove_assoc id p.kernels;
  p.w <- work id regs;
  tags, at

let end_item p (item_tags, places) =
  let code = Array.of_list (List.rev_map (fun (_, make) -> make ()) p.w.code) in
  { id = p.w.id; places; item_tags; code; lines = Array.of_list (List.rev_map fst p.w.code);
    starts = initial_regs p p.w.id;
    unsequenced = List.filter (fun (a, b, c) -> a < b && b < c) p.w.pairs;
    declared = p.w.params; types = p.w.regs }

let parameters p =
  if accept p "(" then
    ignore (list_up_to p ")" (fun p ->
      let d = parse_type p in
      let star = accept p "*" in
      ignore (accept p "const");
      let n = name p in
      let any_size = is p "[" && (peek2 p).text = "]" in
      let shape = if any_size then (expect p "["; expect p "]"; d.kind) else dimensions p d.kind in
      let rec element = function Many (_, s) -> element s | s -> s in
      (match Hashtbl.find_opt p.names n with
       | Some (base, s) when Hashtbl.mem p.said base && element s <> element shape ->
         wrong p "%s is declared with another type" n
       | _ -> ());
      if not (Hashtbl.mem p.names n) then begin
        if not star && shape == d.kind then outside "a parameter that is no pointer";
        add_location p n shape { d with is_atomic = false } []
      end;
      List.iter (fun l -> p.w.params <- (l, (d.space_word, d.is_atomic)) :: p.w.params) (ids p n)))

let work_item p id =
  let head = begin_item p id in
  parameters p;
  begin_kernel p;
  expect p "{"; block ~behind:(fun () -> end_kernel p) p;
  end_item p head

let is_item p =
  let t = peek p in
  t.kind = Name && String.length t.text > 1 && t.text.[0] = 'P' && digit t.text.[1]

let rec work_items p id =
  if not (is_item p) then []
  else begin
    let t = advance p in
    if item_number t <> id then fault "line %d: found %s, expected P%d" t.line t.text id;
    let item = work_item p id in
    item :: work_items p (id + 1)
  end

(* --- conditions --- *)

let term p =
  let t = advance p in
  let location n = Pointer (located p n) in
  let loc v =
    let a = addr_of (place_of p v) in
    if a.dims <> [] then fault "a condition has an index outside of its array";
    Loc a.base in
  match t.kind, t.text with
  | Mark, "[" -> let n = name p in expect p "]"; loc (location n)
  | Mark, "*" -> loc (location (name p))
  | Mark, "-" -> let v, ty = number_of (advance p) in Int (Int64.neg v, ty)
  | (Name | Number), _ when accept p ":" -> Register (item_number t, name p)
  | Number, _ -> Int (number_of t)
  | _, "true" -> Int (1L, int32)
  | _, ("false" | "NULL") -> Int (0L, int32)
  | _, n when Hashtbl.mem p.constants n -> Int (Hashtbl.find p.constants n)
  | _, n -> loc (postfix p (location n))

let rec prop p =
  let a = disjunction p in
  if accept p "=>" then Or (Not a, prop p) else a
and disjunction p =
  let a = conjunction p in
  if accept p "\\/" || accept p "||" then Or (a, disjunction p) else a
and conjunction p =
  let a = negation p in
  if accept p "/\\" || accept p "&&" then And (a, conjunction p) else a
and negation p = nested p (fun p ->
  if ((is p "all" || is p "some") && (peek2 p).kind = Name) || (is p "init" && (peek2 p).text = "(") then
    outside "conditions that count";
  if accept p "~" || accept p "!" || accept p "not" then Not (negation p)
  else if accept p "(" then (if accept p ")" then True else (let a = prop p in expect p ")"; a))
  else
    let a = term p in
    match List.find_opt (accept p) ("=" :: "<>" :: compared), a with
    | Some mark, _ ->
      let op = match mark with "=" -> "==" | "<>" -> "!=" | op -> op in
      Cmp (op, int64, a, term p)
    | None, Int (1L, _) -> True
    | None, Int (0L, _) -> Not True
    | None, _ -> bad p "a comparison")

(* Values are compared in their common type; a number has the type of the other side. *)
let rec typed_prop locs (items : item array) q =
  let again = typed_prop locs items in
  let type_of = function
    | Int (_, ty) -> ty
    | Loc l -> locs.(l).ty
    | Register (t, r) -> match if t < Array.length items then List.assoc_opt r items.(t).types else None with
      | Some ty -> ty
      | None -> fault "a condition names a register of P%d that is not there: %s" t r in
  let beside b = function
    | Int (v, _) ->
      let ty = type_of b in
      if not (fits ty v) then fault "a condition has a number that its type does not hold";
      Int (wrap ty v, ty)
    | a -> a in
  match q with
  | Cmp (op, _, a, b) ->
    let a = beside b a in
    let b = beside a b in
    Cmp (op, common (type_of a) (type_of b), a, b)
  | And (a, b) -> And (again a, again b)
  | Or (a, b) -> Or (again a, again b)
  | Not a -> Not (again a)
  | True -> True

let condition_line p =
  if (is p "property" || is p "observe") && (peek2 p).kind = Name then outside "properties";
  if is p "property" || is p "observe" then outside "properties";
  let states = if accept p "crash" then After_crash else if accept p "recovered" then Recovered
    else (ignore (accept p "final"); Final) in
  let quantifier = if accept p "exists" then Exists else if accept p "forall" then Forall
    else if is p "refines" then outside "refines"
    else if accept p "~" then (expect p "exists"; Never) else bad p "a condition" in
  { states; quantifier; prop = prop p }

(* --- PTX: docs, "PTX" --- *)

let ptx_orders =
  [ "relaxed", "rlx"; "acquire", "acq"; "release", "rel"; "acq_rel", "acq_rel"; "sc", "sc" ]
let ptx_scopes = [ "cta", "wg"; "gpu", "dev"; "sys", "all" ]
let ptx_scope s = List.assoc_opt s ptx_scopes

(* A definition as an instruction: what is no location and no scope is a register; one that gives a value
   has its register first. *)
let called p (m : macro) first line register =
  let result = if m.statement then None else Some (register ()) in
  if result <> None && not (ends_here p) then expect p ",";
  let operands, stop = List.partition (fun (t : token) -> t.kind <> End) p.s.toks in
  let read (t : token) =
    if t.kind <> Name || Hashtbl.mem p.names t.text then t
    else match ptx_scope t.text with
      | Some s -> { t with text = s ^ "_scope" }
      | None -> known_reg p t.text int32; t in
  let args = List.map read operands and end_of = { kind = Mark; text = ";"; line } :: stop in
  p.s.toks <- { kind = Name; text = first; line }
              :: (if m.formals = None then end_of else between line ("(", ")") args end_of);
  match result with
  | None -> simple p
  | Some r -> let v = rvalue p (expression p) in expect p ";"; set p r v

let instruction p labels =
  let line = (peek p).line in
  let first = name p in
  let rec dots () = if accept p "." then (let w = (advance p).text in w :: dots ()) else [] in
  let words = dots () in
  let order = List.find_map (fun w -> List.assoc_opt w ptx_orders) words in
  let attr = match order with
    | Some order ->
      { plain with order; atomic = true; scope = List.find_map ptx_scope words |? "dev" }
    | None when List.mem "volatile" words ->
      { plain with order = "rlx"; scope = "all"; atomic = true }
    | None -> plain in
  let then_ x = expect p ","; x () in
  let memory () =
    let boxed = accept p "[" in
    let n = name p in
    if boxed then expect p "]";
    known p n; located p n in
  let register () = let r = name p in known_reg p r int32; r in
  let operand () =
    if accept p "-" then Num (wrap int32 (Int64.neg (number p)))
    else if (peek p).kind = Number then Num (wrap int32 (number p))
    else Var (register ()) in
  let give r v = emit p (Set (r, v, [])) in
  let label () =
    let l = name p in
    if not (Hashtbl.mem labels l) then Hashtbl.replace labels l (ref (-1));
    Hashtbl.find labels l in
  let barrier persist label =
    let scope = match persist, words with
      | false, _ -> "wg"
      | true, [ "thread" ] -> "wi"
      | true, [ w ] when ptx_scope w <> None -> Option.get (ptx_scope w)
      | _ -> bad p "a scope" in
    let b = { persist; meet = scope; label; space = []; named = not persist } in
    emit p (Barrier (b, { plain with scope })) in
  let calculated = [ "mul", "*"; "div", "/" ] @ operators in
  (* The jump is taken where the opposite does not hold. *)
  let jumps = [ "beq", "!="; "bne", "=="; "blt", ">="; "ble", ">"; "bgt", "<="; "bge", "<" ] in
  match first with
  | "mov" | "ld" when words = [] -> let r = register () in give r (then_ operand)
  | "ld" -> let r = register () in emit p (Load (r, addr_of (then_ memory), attr))
  | "st" -> let q = memory () in emit p (Store (addr_of q, then_ operand, attr))
  | "atom" | "red" ->
    if order = None then outside "an atom without an order";
    let r = if first = "red" then temp p int32 else (let r = register () in expect p ","; r) in
    let q = memory () in
    let v = then_ operand in
    let change = match List.nth words (List.length words - 1) with
      | "cas" ->
        let w = then_ operand in
        update p q attr ~test:(equals (v, int32)) (fun _ -> w, int32)
      | "exch" -> update p q attr (fun _ -> v, int32)
      | s when List.mem_assoc s operators ->
        update p q attr (fun (old, ty) -> fold_bin (List.assoc s operators) ty old v, ty)
      | s -> fault "line %d: there is no atom of '%s'" line s in
    give r (fst (fst change))
  | "fence" when order <> None -> emit p (Fence { attr with atomic = false })
  | "membar" ->
    let levels = [ [ "cta" ], "wg"; [ "gl" ], "dev"; [ "sys" ], "all" ] in
    let scope = match List.assoc_opt words levels with Some s -> s | None -> bad p "a level" in
    emit p (Fence { plain with order = "sc"; scope })
  | "bar" | "barrier" ->
    if List.mem "arrive" words then outside "a barrier that arrives";
    let n = match operand () with
      | Num v -> v
      | _ -> outside "a barrier with a number that is computed" in
    if is p "," then outside "a barrier with an id or a quorum";
    barrier false (Int64.to_string n)
  | "pbar" -> if List.mem "sync" words then outside "a persist barrier with a number"; barrier true ""
  | "crash" -> if (peek p).kind = Quoted then skip p; emit p Crash
  | "pragma" -> skip p
  | "launch" -> launch p
  | "join" -> join p
  | "goto" | "bra" -> goto p (label ())
  | _ when List.mem_assoc first jumps ->
    let a = operand () in
    let b = then_ operand in
    let target = then_ label in
    goto_unless p (fold_bin (List.assoc first jumps) int32 a b) target
  | _ when List.mem_assoc first calculated && words = [] ->
    let r = register () in
    let a = then_ operand in
    give r (Bin (List.assoc first calculated, int32, a, then_ operand))
  | _ when Hashtbl.mem p.macros first -> called p (Hashtbl.find p.macros first) first line register
  | _ -> outside "the PTX instruction %s%s" first (String.concat "" (List.map (( ^ ) ".") words))

(* Cells are gathered by column, and each column is read as one program. *)
let table p =
  let rec row cell cells =
    if ends_here p then bad p "';'";
    let t = advance p in
    match if t.kind = Mark then t.text else "" with
    | ";" -> List.rev (List.rev cell :: cells)
    | "|" -> row [] (List.rev cell :: cells)
    | "||" -> row [] ([] :: List.rev cell :: cells)
    | _ -> row (t :: cell) cells in
  let behind =
    [ "exists"; "forall"; "~"; "final"; "crash"; "recovered"; "filter"; "locations"; "recovery"; "expect" ] in
  let is_instruction () =
    is p "crash" && ((peek2 p).kind = Quoted || List.mem (peek2 p).text [ "|"; ";"; "||" ]) in
  let rec rows () =
    if ends_here p || (List.exists (is p) behind && not (is_instruction ())) then []
    else let r = row [] [] in r :: rows () in
  let heads = row [] [] in
  let rows = rows () and rest = p.s.toks in
  let too_long r = List.length r > List.length heads in
  if List.exists too_long rows then fault "a row has too many cells";
  let ends line = { kind = End; text = "the end of a cell"; line } in
  let read_cell labels cell =
    p.s.toks <- cell @ [ ends (match cell with t :: _ -> t.line | [] -> 0) ];
    if (peek p).kind = Name && (peek2 p).text = ":" then begin
      let l = name p in
      expect p ":";
      match Hashtbl.find_opt labels l with
      | Some target -> place p target
      | None -> Hashtbl.replace labels l (ref p.w.pc)
    end;
    if not (ends_here p) then instruction p labels;
    if not (ends_here p) then bad p "the end of the cell" in
  let column i head =
    let stop = ends (List.hd head).line in
    p.s.toks <- List.tl head @ [ stop ];
    let h = begin_item p i in
    begin_kernel p;
    let labels = Hashtbl.create 7 in
    List.iter (fun r -> Option.iter (read_cell labels) (List.nth_opt r i)) rows;
    Hashtbl.iter (fun l target -> if !target < 0 then fault "there is no label %s" l) labels;
    p.s.toks <- [ stop ];
    end_kernel p;
    end_item p h in
  let items = List.mapi column heads in
  p.s.toks <- rest; items

(* Read twice where kernels are launched: who launches and joins which is known the second time. *)
let items p ~alone =
  p.kernels <- []; p.launched <- []; p.joined <- [];
  let start = p.s.toks in
  let read () =
    p.s.toks <- start;
    if p.ptx_test then table p
    else if alone && not (is_item p) then [ work_item p 0 ] else work_items p 0 in
  let first = read () in
  p.kernels <- List.sort compare p.kernels;
  Array.of_list (if p.launched = [] && p.joined = [] then first else read ())

(* --- files --- *)

let read_definitions p path =
  let toks = ref (tokens Definitions (read_file path)) in
  let q = { p with s = { p.s with toks = !toks } } in
  (* Lines that name models or order tags: what they say is no part of what a test does. *)
  let rec pass_lines () =
    if List.mem (peek q).text [ "models"; "order" ] && (peek2 q).kind = Name then begin
      let line = (peek q).line in
      while not (ends_here q) && (peek q).line = line do skip q done;
      pass_lines ()
    end in
  pass_lines ();
  while not (ends_here q) do
    let n = name q in
    let formals = if accept q "(" then Some (list_up_to q ")" name) else None in
    let line = (peek q).line in
    let statement = accept q "{" in
    (* An expression goes on to the end of its line. *)
    let ends depth =
      if statement then depth = 0 && is q "}" else ends_here q || (peek q).line <> line in
    let rec body depth =
      if ends depth then []
      else if ends_here q then bad q "'}'"
      else
        let t = advance q in
        t :: body (depth + match t.text with "{" -> 1 | "}" -> -1 | _ -> 0) in
    let body = body 0 in
    if statement then expect q "}";
    (* A body knows the names above it, as they are there; words in braces are no names. *)
    let rec called = function
      | { text; _ } :: { text = "{"; _ } :: rest when strip "__" text <> None -> behind_braces rest
      | { text; _ } :: rest -> text :: called rest
      | [] -> []
    and behind_braces = function
      | { text = "}"; _ } :: rest -> called rest
      | _ :: rest -> behind_braces rest
      | [] -> [] in
    if Hashtbl.mem p.in_bodies n then outside "a definition of what is used above it";
    List.iter (fun n -> if not (List.mem n (formals |? [])) then Hashtbl.replace p.in_bodies n ()) (called body);
    Hashtbl.replace p.macros n { formals; body; statement };
    pass_lines ()
  done

(* expect VISIBILITY + PERSISTENCY : VERDICT; of lines that name an engine nothing is heeded. *)
let expect_line p lines =
  let line = (advance p).line in
  while not (ends_here p) && (peek p).line = line do skip p done;
  let text = String.trim lines.(line - 1) in
  let cut c l = match String.index_opt l c with
    | Some i -> String.trim (String.sub l 0 i), String.trim (String.sub l (i + 1) (String.length l - i - 1))
    | None -> fault "line %d: there is no '%c'" line c in
  match strip "expect " text, String.contains text '[' with
  | _, true -> []
  | None, _ -> fault "line %d: 'expect' does not begin it" line
  | Some rest, _ ->
    let pair, verdict = cut ':' rest in
    let v, m = cut '+' pair in
    [ v, m, List.hd (String.split_on_char ' ' verdict) ]

(* The dialect, and the rest but for titles and metadata (lines NAME=..), which stand before all else. *)
let split_text text =
  let metadata l = match String.index_opt l '=' with
    | Some i -> l.[0] >= 'A' && l.[0] <= 'Z' && String.for_all (fun c -> letter c || digit c) (String.sub l 0 i)
    | None -> false in
  let rec head seen dialect = function
    | [] -> dialect, List.rev seen
    | l :: rest ->
      let t = String.trim l in
      if t = "" || strip "//" (t ^ " ") <> None then head (l :: seen) dialect rest
      else if dialect = "" then head ("" :: seen) (List.hd (String.split_on_char ' ' t)) rest
      else if t.[0] = '"' then head (l :: seen) dialect rest
      else if metadata l then head ("" :: seen) dialect rest
      else dialect, List.rev_append seen (l :: rest) in
  head [] "" (String.split_on_char '\n' text)

let test ~find path =
  let dialect, lines = split_text (read_file path) in
  if dialect = "CUDA" then outside "compiled kernels";
  if not (List.mem dialect [ "OPENCL"; "C"; "PTX" ]) then fault "the dialect %s" dialect;
  let rec no_std = function
    | { text = "std" | "cuda"; kind = Name; _ } :: { text = "::"; _ } :: rest -> no_std rest
    | t :: rest -> t :: no_std rest
    | [] -> [] in
  let h () = Hashtbl.create 16 in
  let p = { s = { toks = no_std (tokens Test (String.concat "\n" lines)); depth = 0; what = "" };
            ptx_test = dialect = "PTX"; c_test = dialect = "C"; macros = h (); in_bodies = h (); constants = h ();
            structs = h (); names = h (); table = []; initial = h (); said = h (); atomic_t = h ();
            kernels = []; launched = []; joined = []; w = work (-1) []; calls = 0 } in
  while (peek p).kind = Quoted do skip p done;
  while accept p "uses" do read_definitions p (find (advance p).text) done;
  while definition p do () done;
  if Hashtbl.mem p.said (-1) && p.c_test then outside "atomic members of structs in C";
  initial_state p;
  let program = items p ~alone:false in
  let conditions = ref [] and filter = ref None and shown = ref [] and recovery = ref No_recovery in
  let lines = Array.of_list lines and expects = ref [] in
  let read_recovery () =
    let relaunch = accept p "relaunch" in
    let restartable = accept p "restartable" in
    if relaunch then (expect p ";"; recovery := Relaunch restartable)
    else begin
      Hashtbl.reset p.initial;
      let items = items p ~alone:true in
      if Array.exists (fun (i : item) -> Array.mem Crash i.code) items then fault "a crash point in recovery";
      recovery := Program (items, restartable)
    end in
  let rec locations () = if not (accept p "]") then begin
      if starts_type p then ignore (parse_type p);
      let n = (peek p).text in
      let whole = match Hashtbl.find_opt p.names n with
        | Some (_, (Many _ | Struct _)) -> not (List.mem (peek2 p).text [ "["; "." ])
        | _ -> false in
      shown := (if whole then List.map (fun l -> Loc l) (ids p (name p)) else [ term p ]) @ !shown;
      ignore (accept p ";"); locations ()
    end in
  while not (ends_here p) do
    if accept p ";" then ()
    else if accept p "recovery" then read_recovery ()
    else if accept p "filter" then begin
      let q = prop p in
      filter := Some (match !filter with Some other -> And (other, q) | None -> q)
    end
    else if accept p "locations" then (expect p "["; locations ())
    else if is p "expect" then begin
      let more = expect_line p lines in
      let twice (v, m, _) = List.exists (fun (w, n, _) -> (v, m) = (w, n)) !expects in
      if List.exists twice more then fault "an expectation stands twice";
      expects := !expects @ more
    end
    else conditions := condition_line p :: !conditions
  done;
  let locs = Array.of_list (List.rev p.table) in
  let recovering = match !recovery with Program (items, _) -> items | _ -> program in
  let typed c =
    let lost = function Loc l -> not locs.(l).nvm | _ -> false in
    if c.states = After_crash && List.exists lost (terms c.prop) then
      fault "a crash condition names what is lost in a crash";
    { c with prop = typed_prop locs (if c.states = Recovered then recovering else program) c.prop } in
  { ptx = p.ptx_test; locs; items = program; recovery = !recovery; expects = !expects; shown = !shown;
    conditions = List.rev_map typed !conditions;
    filter = Option.map (typed_prop locs program) !filter }
