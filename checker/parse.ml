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
type value = Rvalue of pure * ty | Local of string | Pointer of pointer | Target of pointer | Word of string | Nothing

type macro = { formals : string list option; body : token list; statement : bool }

type state = {
  mutable toks : token list;
  ptx_test : bool; c_test : bool;
  macros : (string, macro) Hashtbl.t;
  constants : (string, int64 * ty) Hashtbl.t;
  structs : (string, shape) Hashtbl.t;
  names : (string, int * shape) Hashtbl.t;                (* locations *)
  mutable table : loc list;                               (* newest first *)
  initial : (int * string, int64) Hashtbl.t;              (* registers of the initial state *)
  said : (int, bool) Hashtbl.t;                           (* what the initial state says: atomic *)
  atomic_t : (int, unit) Hashtbl.t;
  (* Of the work-item that is being read: *)
  mutable regs : (string * ty) list;
  mutable params : (int * (string * bool)) list;
  mutable code : instr list; mutable at_lines : int list; mutable pc : int;
  mutable pairs : (int * int * int) list;
  mutable fresh : int;
  mutable patches : (int * int ref) list;                 (* jumps to labels *)
  mutable breaks : int ref list; mutable continues : int ref list;
  (* Kernels: of each work-item; those that are launched, by whom; those that are joined. *)
  mutable kernels : (int * int) list; mutable launched : (int * int) list; mutable joined : int list; mutable id : int;
  mutable finish : int ref;                               (* where its code ends *)
  mutable label : string; mutable depth : int; mutable nesting : int;
}

let peek p = List.hd p.toks
let peek2 p = match p.toks with _ :: t :: _ -> t | _ -> List.hd p.toks
let is p text = (peek p).kind <> Quoted && (peek p).kind <> End && (peek p).text = text
let bad p what = fault "line %d: found '%s', expected %s" (peek p).line (peek p).text what
let advance p = let t = peek p in if t.kind <> End then p.toks <- List.tl p.toks; t
let accept p text = is p text && (ignore (advance p); true)
let expect p text = if not (accept p text) then bad p ("'" ^ text ^ "'")
let name p = if (peek p).kind = Name then (advance p).text else bad p "a name"
let rec list_of p close item = (* items with commas between, up to close *)
  if accept p close then [] else
  let x = item p in
  if accept p "," then x :: list_of p close item else (expect p close; [ x ])

let number_of t =
  let s = String.lowercase_ascii t.text in
  let n = String.length s in
  let rec cut i = if i > 1 && (s.[i - 1] = 'u' || s.[i - 1] = 'l') then cut (i - 1) else i in
  let digits = String.sub s 0 (cut n) and suffix = String.sub s (cut n) (n - cut n) in
  let digits = if String.length digits > 1 && digits.[0] = '0' && digit digits.[1] then "0o" ^ digits else digits in
  let v = match Int64.of_string_opt digits, Int64.of_string_opt ("0u" ^ digits) with
    | Some v, _ | None, Some v -> v
    | _ -> fault "line %d: the number %s" t.line t.text in
  let unsigned = String.contains suffix 'u' in
  let fits = v >= -0x80000000L && v <= (if unsigned then 0xffffffffL else 0x7fffffffL) in
  let hex = String.length s > 1 && s.[0] = '0' && not unsigned && v > 0x7fffffffL && v <= 0xffffffffL in
  v, (if hex then { bits = 32; signed = false }
      else { bits = (if String.contains suffix 'l' || not fits then 64 else 32); signed = not unsigned })

(* Nothing is nested deeper than the language allows. *)
let nested p f =
  if p.nesting > 200 then fault "line %d: nested too deep" (peek p).line;
  p.nesting <- p.nesting + 1;
  let r = f p in p.nesting <- p.nesting - 1; r

(* --- words --- *)

(* All spellings of orders and scopes. *)
let orders = List.concat_map (fun (long, short) ->
  [ "memory_order_" ^ long, short; "__ATOMIC_" ^ String.uppercase_ascii long, short; "mo_" ^ short, short; "mo_" ^ long, short ])
  [ "relaxed", "rlx"; "acquire", "acq"; "consume", "acq"; "release", "rel"; "acq_rel", "acq_rel"; "seq_cst", "sc" ]
let scopes = List.concat_map (fun (short, long, cuda, hip) ->
  List.map (fun s -> s, short) [ "memory_scope_" ^ long; short ^ "_scope"; "thread_scope_" ^ cuda; "__HIP_MEMORY_SCOPE_" ^ hip ])
  [ "wi", "work_item", "thread", "SINGLETHREAD"; "sg", "sub_group", "", "WAVEFRONT"; "wg", "work_group", "block", "WORKGROUP";
    "kr", "kernel", "", ""; "dev", "device", "device", "AGENT"; "all", "all_svm_devices", "system", "SYSTEM"; "all", "all_devices", "", "" ]
let order_of s = List.assoc_opt s orders
let scope_of s = List.assoc_opt s scopes
let brace_scope s = if List.mem s [ "wi"; "sg"; "wg"; "kr"; "dev"; "all" ] then Some s else scope_of s
let strip prefix s =
  let n = String.length prefix in
  if String.length s > n && String.sub s 0 n = prefix then Some (String.sub s n (String.length s - n)) else None
let is_word s = order_of s <> None || scope_of s <> None
  || List.mem s [ "CLK_GLOBAL_MEM_FENCE"; "CLK_LOCAL_MEM_FENCE"; "memory_order"; "memory_scope" ]

(* --- types --- *)

type declared = { kind : shape; is_nvm : bool; is_atomic : bool; kernel_atomic : bool; space_word : string; tag_words : string list }

let an_int = { kind = Scalar int32; is_nvm = false; is_atomic = false; kernel_atomic = false; space_word = ""; tag_words = [] }
let types = List.concat_map (fun (bits, signed, names) -> List.map (fun n -> n, { bits; signed }) names)
  [ 32, true, [ "int"; "int32_t"; "signed"; "spinlock_t"; "atomic_flag"; "atomic_t" ]; 32, false, [ "unsigned"; "uint"; "uint32_t" ];
    64, true, [ "long"; "int64_t"; "intptr_t"; "ptrdiff_t"; "ssize_t"; "llong"; "intmax_t" ];
    64, false, [ "ulong"; "uint64_t"; "uintptr_t"; "size_t"; "ullong"; "uintmax_t" ];
    16, true, [ "short"; "int16_t" ]; 16, false, [ "ushort"; "uint16_t" ]; 8, true, [ "char"; "schar"; "int8_t" ];
    8, false, [ "uchar"; "uint8_t" ]; 1, false, [ "bool"; "_Bool" ] ]
let type_word s = match List.assoc_opt s types, strip "atomic_" s with
  | None, Some s -> List.assoc_opt s types
  | ty, _ -> ty
let type_marks = [ "nvm"; "struct"; "const"; "volatile"; "global"; "local"; "__global"; "__local"; "_Atomic"; "atomic"; "constant"; "private" ]
let starts_type p = let t = peek p in t.kind = Name && (type_word t.text <> None || List.mem t.text type_marks)

let braces p = (* tags of a word, if any *)
  let rec dashes s = if accept p "-" then dashes (s ^ "-" ^ (advance p).text) else s in
  if accept p "{" then list_of p "}" (fun p -> dashes (name p)) else []

let rec parse_type p =
  let rec words r =
    let t = peek p in
    if t.kind <> Name || not (starts_type p) then r
    else begin
      ignore (advance p);
      let tagged r = { r with tag_words = r.tag_words @ braces p } in
      words (match t.text with
        | "nvm" -> tagged { r with is_nvm = true }
        | "const" | "volatile" | "private" -> r
        | "global" | "__global" | "constant" -> { r with space_word = "global" }
        | "local" | "__local" -> { r with space_word = "local" }
        | "struct" ->
          let n = name p in
          tagged { r with kind = (try Hashtbl.find p.structs n with Not_found -> fault "struct %s is not defined" n) }
        | "_Atomic" | "atomic" when is p "(" || is p "<" ->
          ignore (advance p);
          let inner = parse_type p in
          if not (accept p ")" || accept p ">") then outside "an atomic type with a scope";
          { r with kind = inner.kind; is_atomic = true }
        | "_Atomic" | "atomic" -> { r with is_atomic = true }
        | s ->
          let ty = Option.get (type_word s) in
          let kind = match r.kind, s with
            | Scalar u, "unsigned" -> { u with signed = false }
            | Scalar u, ("int" | "signed") -> u
            | Scalar u, ("long" | "short" | "char") -> { u with bits = ty.bits }
            | _ -> ty in
          tagged { r with kind = Scalar kind; is_atomic = r.is_atomic || strip "atomic_" s <> None; kernel_atomic = s = "atomic_t" })
    end in
  words an_int

(* --- emitting --- *)

let emit p i = p.code <- i :: p.code; p.at_lines <- (peek p).line :: p.at_lines; p.pc <- p.pc + 1
let temp p ty = p.fresh <- p.fresh + 1; let r = Printf.sprintf ".%d" p.fresh in p.regs <- (r, ty) :: p.regs; r
let jump p target make = p.patches <- (p.pc, target) :: p.patches; emit p (make 0)
let place p target = target := p.pc

let fold_bin op ty a b = match a, b with
  | Num x, Num y -> (match apply op ty x y with Some v -> Num v | None -> Bin (op, ty, a, b))
  | a, Num 0L when List.mem op [ "+"; "-"; "|"; "^" ] -> a
  | _ -> Bin (op, ty, a, b)
let conv ty = function Num v -> Num (wrap ty v) | e -> Conv (ty, e)
let typed ty (e, t) = if t = ty then e else conv ty e
let arith op (a, ta) (b, tb) =
  let ty = if op = "<<" || op = ">>" then promote ta else common ta tb in
  let r = fold_bin op ty (typed ty (a, ta)) (typed (if op = "<<" || op = ">>" then promote tb else ty) (b, tb)) in
  r, (if List.mem op compared || op = "&&" || op = "||" then int32 else ty)

let reg_type p r = match List.assoc_opt r p.regs with Some ty -> ty | None -> int64

let plus a b = fold_bin "+" int64 a b
let addr_of ptr =
  match ptr.idx with
  | Num v when v >= 0L && v < Int64.of_int ptr.n ->
    { ptr.at with base = ptr.at.base + (Int64.to_int v * size ptr.shape) }
  | idx -> { ptr.at with dims = ptr.at.dims @ [ (idx, size ptr.shape, ptr.n) ] }
let scalar ptr = match ptr.shape with Scalar ty -> ty | _ -> outside "a struct or an array as a whole"
let rec decay ptr = match ptr.shape with
  | Many (n, shape) -> decay { at = addr_of ptr; shape; idx = Num 0L; n }
  | _ -> ptr
let location p n =
  match Hashtbl.find_opt p.names n with
  | Some (base, Many (n, shape)) -> Pointer { at = { base; dims = [] }; shape; idx = Num 0L; n }
  | Some (base, shape) -> Pointer { at = { base; dims = [] }; shape; idx = Num 0L; n = 1 }
  | None -> fault "line %d: there is no location %s" (peek p).line n

let sc_access = { order = "sc"; scope = "dev"; atomic = true; tags = [] }
let plain_attr p ptr = if p.c_test && Hashtbl.mem p.said ptr.at.base && not (Hashtbl.mem p.atomic_t ptr.at.base) && Hashtbl.find p.said ptr.at.base
  then sc_access else plain
let load p ptr attr =
  let ty = scalar ptr in
  let r = temp p ty in
  emit p (Load (r, addr_of ptr, attr)); Rvalue (Var r, ty)

let rec rvalue p = function
  | Rvalue (e, ty) -> e, ty
  | Local r -> Var r, reg_type p r
  | Target ptr | Pointer ptr -> rvalue p (load p (decay ptr) (plain_attr p ptr))
  | Word w -> fault "line %d: '%s' is no value" (peek p).line w
  | Nothing -> fault "line %d: this gives no value" (peek p).line
let place_of p = function
  | Pointer ptr | Target ptr -> decay ptr
  | _ -> bad p "a location before this"
let set p r (e, _) extra = let ty = reg_type p r in emit p (Set (r, ty, conv ty e, extra))

(* Gives the old value and whether it wrote; value and test are made of the old value. *)
let update p ptr (attr : attr) ?test value =
  let ty = scalar ptr in
  let old = temp p ty and ok = temp p int32 in
  let failed = match attr.order with "acq_rel" -> { attr with order = "acq" } | "rel" -> { attr with order = "rlx" } | _ -> attr in
  emit p (Update { old; addr = addr_of ptr; test = Option.map (fun t -> t (Var old, ty)) test;
                   value = typed ty (value (Var old, ty)); attr; failed; ok });
  Rvalue (Var old, ty), Rvalue (Var ok, int32)
let equals (e, _) (old, ty) = fold_bin "==" int64 old (conv ty e)

let primitives = [ "__load"; "__store"; "__xchg"; "__cmpxchg"; "__atomic_op"; "__atomic_op_return"; "__atomic_fetch_op"; "__cm"; "__fence"; "__atomic_add_unless" ]
let operators = [ "add", "+"; "sub", "-"; "and", "&"; "or", "|"; "xor", "^"; "min", "min"; "max", "max" ]
let apply_operator o v (old, ty) = match o with
  | "min" | "max" -> Bin (o, ty, old, conv ty (fst v)), ty
  | "&~" -> arith "&" (old, ty) (arith "^" v (Num (-1L), int32))
  | _ -> arith o (old, ty) v

let store p ptr attr v = emit p (Store (addr_of ptr, conv (scalar ptr) (fst v), attr))

(* --- macros of definition files --- *)

let rec arguments p = (* token lists up to the parenthesis that closes *)
  let rec one depth acc =
    let t = advance p in
    match t.text with
    | _ when t.kind = End -> bad p "')'"
    | "(" | "[" | "{" when t.kind = Mark -> one (depth + 1) (t :: acc)
    | ")" when depth = 0 && t.kind = Mark -> List.rev acc, true
    | "," when depth = 0 && t.kind = Mark -> List.rev acc, false
    | ")" | "]" | "}" when t.kind = Mark -> one (depth - 1) (t :: acc)
    | _ -> one depth (t :: acc) in
  let arg, last = one 0 [] in
  if last then (if arg = [] then [] else [ arg ]) else arg :: arguments p

let mark line text = { Lexer.kind = Mark; text; line }
let expand p (m : macro) line args =
  let formals = Option.value m.formals ~default:[] in
  if List.length args <> List.length formals then fault "line %d: a wrong number of arguments" line;
  p.depth <- p.depth + 1;
  if p.depth > 20000 then fault "line %d: too many calls of definitions" line;
  let binding = List.combine formals args in
  let put t = match List.assoc_opt t.text binding with
    | Some [ one ] when t.kind = Name -> [ { one with line } ]
    | Some several when t.kind = Name -> (mark line "(" :: several) @ [ mark line ")" ]
    | _ -> [ { t with line } ] in
  let body = List.concat_map put m.body in
  let open_, close = if m.statement then "{", "}" else "(", ")" in
  p.toks <- (mark line open_ :: body) @ (mark line close :: p.toks)

let try_expand p =
  let t = peek p in
  match Hashtbl.find_opt p.macros t.text with
  | Some m when t.kind = Name && (m.formals = None) = ((peek2 p).text <> "(") && (m.formals <> None || not (List.mem_assoc t.text p.regs)) ->
    ignore (advance p);
    let args = if m.formals = None then [] else (ignore (advance p); arguments p) in
    expand p m t.line args; true
  | _ -> false

(* --- expressions --- *)

let levels = [ [ "||" ]; [ "&&" ]; [ "|" ]; [ "^" ]; [ "&" ]; [ "=="; "!=" ]; [ "<"; "<="; ">"; ">=" ]; [ "<<"; ">>" ]; [ "+"; "-" ]; [ "*"; "/"; "%" ] ]
let assigns = [ "+="; "-="; "*="; "/="; "%="; "&="; "|="; "^="; "<<="; ">>=" ]

let word_of p = (* an order, scope or flags, as argument *)
  let first = name p in
  let first = if first = "memory_order" || first = "memory_scope" then (expect p "::"; first ^ "_" ^ name p) else first in
  let rec flags s = if accept p "|" then flags (s ^ "|" ^ name p) else s in
  flags first

(* What nobody uses is read all the same. *)
let discard p = function
  | Target { shape = Scalar _; _ } as v -> ignore (rvalue p v)
  | _ -> ()
let unsequenced p start mid = p.pairs <- (start, mid, p.pc) :: p.pairs

let rec expression p =
  let v = assignment p in
  if accept p "," then (discard p v; expression p) else v

and assignment p =
  let start = p.pc in
  let left = conditional p in
  let t = peek p in
  if t.kind = Mark && t.text = "=" then begin
    ignore (advance p);
    let mid = p.pc in
    let v = rvalue p (assignment p) in
    unsequenced p start mid;
    (match left with
     | Local r -> declare p r; set p r v []; Local r
     | Target ptr | Pointer ptr -> store p (decay ptr) (plain_attr p ptr) v; Rvalue (conv (scalar (decay ptr)) (fst v), scalar (decay ptr))
     | _ -> bad p "a register or location before '='")
  end else if t.kind = Mark && List.mem t.text assigns then begin
    ignore (advance p);
    let op = String.sub t.text 0 (String.length t.text - 1) in
    compound p op left (fun () -> rvalue p (assignment p))
  end else left

(* left op= right; gives the new value. *)
and compound p op left right = match left with
  | Local r -> let v = right () in declare p r; set p r (arith op (Var r, reg_type p r) v) []; Local r
  | Target ptr | Pointer ptr ->
    let ptr = decay ptr in
    let attr = plain_attr p ptr in
    if attr.atomic then
      let v = right () in
      let old = rvalue p (fst (update p ptr attr (fun o -> arith op o v))) in
      Rvalue (conv (snd old) (fst (arith op old v)), snd old)
    else
      let start = p.pc in
      let o = rvalue p (load p ptr attr) in
      let mid = p.pc in
      let v = right () in
      unsequenced p start mid;
      let e, ty = arith op o v in
      store p ptr attr (e, ty); Rvalue (conv (scalar ptr) e, scalar ptr)
  | _ -> bad p "a register or location before this"

and declare p r =
  if not (List.mem_assoc r p.regs) then begin
    if not p.c_test then fault "line %d: there is no register '%s'" (peek p).line r;
    p.regs <- (r, int64) :: p.regs
  end

and conditional p =
  let c = binary p levels in
  if accept p "?" then begin
    let c = rvalue p c in
    let r = temp p int64 and other = ref 0 and out = ref 0 in
    jump p other (fun t -> If (fst c, t, false));
    let a = rvalue p (expression p) in
    emit p (Set (r, int64, fst a, [ fst c ]));
    expect p ":";
    jump p out (fun t -> Goto t);
    place p other;
    let b = rvalue p (conditional p) in
    emit p (Set (r, int64, fst b, [ fst c ]));
    place p out;
    let ty = common (snd a) (snd b) in
    Rvalue (conv ty (Var r), ty)
  end else c

and binary p = function
  | [] -> unary p
  | ops :: tighter ->
    let start = p.pc in
    let rec go left =
      let t = peek p in
      if t.kind = Mark && List.mem t.text ops then begin
        ignore (advance p);
        if t.text = "&&" || t.text = "||" then go (lazily p t.text (rvalue p left) tighter)
        else begin
          let mid0 = p.pc in
          let left = match left with Target ({ shape = Many _; _ } as q) -> Pointer (decay q) | v -> v in
          match left, t.text with
          | (Pointer q), ("+" | "-") when q.n > 1 || (match q.shape with Scalar _ -> false | _ -> true) ->
            let k, _ = rvalue p (binary p tighter) in
            go (Pointer { q with idx = fold_bin t.text int64 q.idx k })
          | _ ->
            let a = rvalue p left in
            let mid = if p.pc > mid0 then p.pc else mid0 in
            let b = rvalue p (binary p tighter) in
            unsequenced p start mid;
            let e, ty = arith t.text a b in
            go (Rvalue (e, ty))
        end
      end else left in
    go (binary p tighter)

(* a && b: b is evaluated only where a does not decide. *)
and lazily p op (a, _) tighter =
  let truth_of e = fold_bin "!=" int64 e (Num 0L) in
  let out = ref 0 and r = temp p int32 in
  emit p (Set (r, int32, truth_of a, []));
  jump p out (fun t -> If ((if op = "&&" then a else fold_bin "==" int64 a (Num 0L)), t, false));
  let b, _ = rvalue p (binary p tighter) in
  emit p (Set (r, int32, truth_of b, [ a ]));
  place p out;
  Rvalue (Var r, int32)

and unary p = nested p unary_one
and unary_one p =
  let t = peek p in
  if try_expand p then unary p
  else if t.kind = Mark then match t.text with
    | "-" -> ignore (advance p); let v = rvalue p (unary p) in let e, ty = arith "-" (Num 0L, int32) v in Rvalue (e, ty)
    | "+" -> ignore (advance p); let v = rvalue p (unary p) in let e, ty = arith "+" (Num 0L, int32) v in Rvalue (e, ty)
    | "~" -> ignore (advance p); let v = rvalue p (unary p) in let e, ty = arith "^" v (Num (-1L), int32) in Rvalue (e, ty)
    | "!" -> ignore (advance p); let v = rvalue p (unary p) in let e, ty = arith "==" v (Num 0L, int32) in Rvalue (e, ty)
    | "*" -> ignore (advance p);
      (match unary p with
       | Pointer ptr -> Target ptr
       | Target ptr -> (match ptr.shape with Many _ -> Target (decay ptr) | _ -> Target ptr)
       | Local r -> fault "line %d: '%s' is a register, no location" t.line r
       | _ -> bad p "a location behind '*'")
    | "&" -> ignore (advance p);
      (match unary p with
       | Target ptr | Pointer ptr -> Pointer ptr
       | Local r -> Word ("&" ^ r)
       | _ -> bad p "a location behind '&'")
    | "++" | "--" -> ignore (advance p);
      let op = String.sub t.text 0 1 in
      compound p op (unary p) (fun () -> Num 1L, int32)
    | "(" when (let q = { p with toks = List.tl p.toks } in starts_type q) ->
      ignore (advance p);
      let d = parse_type p in
      if accept p "*" then outside "a cast of a pointer";
      expect p ")";
      let v, _ = rvalue p (unary p) in
      (match d.kind with Scalar ty -> Rvalue (conv ty v, ty) | _ -> bad p "a type of numbers")
    | _ -> postfix p (primary p)
  else postfix p (primary p)

and primary p =
  let t = advance p in
  match t.kind with
  | Number -> let v, ty = number_of t in Rvalue (Num v, ty)
  | Mark when t.text = "(" -> let v = expression p in expect p ")"; v
  | Name when List.mem_assoc t.text p.regs && not (is p "(") -> Local t.text
  | Name when t.text = "sizeof" -> outside "sizeof"
  | Name when t.text = "ATOMIC_INIT" -> conditional p
  | Name when t.text = "NULL" || t.text = "nullptr" || t.text = "false" -> Rvalue (Num 0L, int32)
  | Name when t.text = "true" -> Rvalue (Num 1L, int32)
  | Name when Hashtbl.mem p.constants t.text -> let v, ty = Hashtbl.find p.constants t.text in Rvalue (Num v, ty)
  | Name when Hashtbl.mem p.names t.text && not (is p "(") -> location p t.text
  | Name when is p "(" || (is p "{" && strip "__" t.text <> None) -> call p t
  | Name when is_word t.text -> Word t.text
  | Name when p.c_test -> Local t.text
  | _ -> fault "line %d: there is no '%s'" t.line t.text

and postfix p v =
  let t = peek p in
  if t.kind <> Mark then v else match t.text with
    | "[" -> ignore (advance p);
      let ptr = (match v with Pointer q -> q | Target q -> decay q | _ -> bad p "an array before '['") in
      let k, _ = rvalue p (expression p) in
      expect p "]";
      postfix p (Target { ptr with idx = plus ptr.idx k })
    | "." | "->" ->
      ignore (advance p);
      let field = name p in
      let ptr = place_of p v in
      (match ptr.shape with
       | Struct ms when List.mem_assoc field ms ->
         let rec offset = function (m, s) :: rest -> if m = field then 0 else size s + offset rest | [] -> 0 in
         let at = addr_of ptr in
         let at = { at with base = at.base + offset ms } in
         postfix p (Target { at; shape = List.assoc field ms; idx = Num 0L; n = 1 })
       | _ when is p "(" -> postfix p (operation p field [ v ])
       | _ -> fault "line %d: there is no member %s" t.line field)
    | "++" | "--" -> ignore (advance p);
      let op = String.sub t.text 0 1 in
      (match v with
       | Local r -> let old = temp p (reg_type p r) in
         emit p (Set (old, reg_type p r, Var r, []));
         ignore (compound p op v (fun () -> Num 1L, int32)); Local old
       | _ ->
         let ptr = place_of p v in
         let attr = plain_attr p ptr in
         if attr.atomic then
           fst (update p ptr attr (fun o -> arith op o (Num 1L, int32)))
         else
           let o = rvalue p (load p ptr attr) in
           store p ptr attr (arith op o (Num 1L, int32)); Rvalue (fst o, snd o))
    | _ -> v

(* The arguments of a call, in no order among themselves: words stay words, the first may be a location, all else is a value. *)
and call_arguments ?(values = false) p =
  expect p "(";
  let start = p.pc and first = ref (not values) in
  list_of p ")" (fun p ->
    let mid = p.pc in
    let t = peek p in
    let v = if t.kind = Name && is_word t.text && not (List.mem_assoc t.text p.regs) && not (Hashtbl.mem p.macros t.text)
      then Word (word_of p) else assignment p in
    let v = match v with
      | Target { shape = Scalar _; _ } when not !first -> let e, ty = rvalue p v in Rvalue (e, ty)
      | v -> v in
    first := false;
    unsequenced p start mid; v)

and attr_of words = (* order, scope *)
  let get f = List.find_map (function Word w -> f w | _ -> None) words in
  { order = Option.value (get order_of) ~default:"sc"; scope = Option.value (get scope_of) ~default:"dev"; atomic = true; tags = [] }

(* atomic_NAME(..), atomic_NAME_explicit(..) and x.NAME(..): docs, "Read-modify-writes". *)
and operation p op before =
  let args = before @ call_arguments ~values:(before <> []) p in
  let ptr = match args with v :: _ -> place_of p v | [] -> bad p "a location" in
  let words = List.filter (function Word w -> w.[0] <> '&' | _ -> false) args in
  let values = List.filter (function Word w -> w.[0] = '&' | _ -> true) (List.tl args) in
  let attr = attr_of words in
  let wrong () = fault "line %d: '%s' does not take that many values" (peek p).line op in
  let one () = match values with [ v ] -> rvalue p v | _ -> wrong () in
  match op, strip "fetch_" op with
  | "load", _ -> load p ptr attr
  | "store", _ -> store p ptr attr (one ()); Nothing
  | "exchange", _ -> let v = one () in fst (update p ptr attr (fun _ -> v))
  | "flag_test_and_set", _ -> fst (update p ptr attr (fun _ -> Num 1L, int32))
  | "flag_clear", _ -> store p ptr attr (Num 0L, int32); Nothing
  | _, Some o when List.mem_assoc o operators ->
    let v = one () in fst (update p ptr attr (apply_operator (List.assoc o operators) v))
  | ("compare_exchange_strong" | "compare_exchange_weak"), _ ->
    let expected, desired = match values with [ e; d ] -> e, rvalue p d | _ -> wrong () in
    (* What receives the old value where it fails. *)
    let e, receive = match expected with
      | Word w -> let r = String.sub w 1 (String.length w - 1) in (Var r, reg_type p r), Some (fun v -> set p r v [])
      | Pointer q ->
        let q = decay q in
        let attr = plain_attr p q in
        rvalue p (load p q attr), Some (store p q attr)
      | v -> rvalue p v, None in
    let old, ok = update p ptr attr ~test:(equals e) (fun _ -> desired) in
    (match List.filter_map (function Word w -> order_of w | _ -> None) words, p.code with
     | [ _; f ], Update u :: rest -> p.code <- Update { u with failed = { attr with order = f } } :: rest
     | _ -> ());
    Option.iter (fun receive ->
      let skip = ref 0 in
      jump p skip (fun t -> If (fold_bin "==" int64 (fst (rvalue p ok)) (Num 0L), t, false));
      receive (rvalue p old); place p skip) receive;
    ok
  | _ -> fault "line %d: there is no operation '%s'" (peek p).line op

and call p t =
  let n = t.text in
  match strip "atomic_" n with
  | Some "work_item_fence" | Some "thread_fence" ->
    let words = call_arguments p in
    emit p (Fence { (attr_of words) with atomic = false; tags = "." :: spaces words }); Nothing
  | Some op ->
    let l = String.length op in
    operation p (if l > 9 && String.sub op (l - 9) 9 = "_explicit" then String.sub op 0 (l - 9) else op) []
  | None ->
    if List.mem n primitives then primitive p n
    else if barrier_call p n then Nothing
    else fault "line %d: there is no function '%s'" t.line n

and spaces words =
  let all = List.concat_map (function Word w -> String.split_on_char '|' w | _ -> []) words in
  (if List.mem "CLK_GLOBAL_MEM_FENCE" all then [ ".global" ] else []) @ (if List.mem "CLK_LOCAL_MEM_FENCE" all then [ ".local" ] else [])

and barrier_call p n =
  let args () = if is p "(" then call_arguments p else [] in
  let bar persist meet scope space =
    emit p (Barrier ({ persist; meet; label = p.label; space; named = false }, { plain with scope })); true in
  match n with
  | "barrier" | "work_group_barrier" | "sub_group_barrier" ->
    let a = args () in
    let meet = if n = "sub_group_barrier" then "sg" else "wg" in
    let scope = Option.value (List.find_map (function Word w -> scope_of w | _ -> None) a) ~default:meet in
    bar false meet scope (spaces a)
  | "sync_barrier_wg" -> ignore (args ()); bar false "wg" "wg" []
  | "sync_barrier_kr" -> ignore (args ()); bar false "kr" "kr" []
  | "p_barrier" ->
    (match List.filter_map (function Word w -> scope_of w | _ -> None) (args ()) with
     | [ s ] -> bar true s s []
     | _ -> fault "line %d: p_barrier takes a scope" (peek p).line)
  | _ -> (match strip "p_barrier_" n with
      | Some ("wi" | "sg" | "wg" | "kr" | "dev" as s) -> ignore (args ()); bar true s s []
      | _ -> false)

(* Primitive instructions: docs, "Primitive instructions and tags". *)
and primitive p n =
  let words = braces p in
  let order = List.find_map order_of words and scope = List.find_map brace_scope words in
  let tags = List.filter (fun w -> order_of w = None && brace_scope w = None) words in
  let attr kind = match order, kind with
    | None, `Access -> { plain with tags }
    | None, `Other -> { plain with scope = Option.value scope ~default:""; tags }
    | _ -> { order = Option.value order ~default:"rlx"; scope = Option.value scope ~default:"dev"; atomic = kind <> `Other; tags } in
  if n = "__fence" then begin
    if accept p "(" then expect p ")";
    emit p (Fence (attr `Other)); Nothing
  end else begin
    expect p "(";
    let start = p.pc in
    let x = place_of p (assignment p) in
    let value () =
      expect p ",";
      let mid = p.pc in
      let v = rvalue p (assignment p) in
      unsequenced p start mid; v in
    let update = update p x in
    let result = match n with
      | "__cm" -> emit p (Maintain (addr_of x, attr `Other)); Nothing
      | "__load" -> load p x (attr `Access)
      | "__store" -> store p x (attr `Access) (value ()); Nothing
      | "__xchg" -> let v = value () in fst (update (attr `Update) (fun _ -> v))
      | "__cmpxchg" ->
        let e = value () in
        let v = value () in fst (update (attr `Update) ~test:(equals e) (fun _ -> v))
      | "__atomic_add_unless" ->
        let v = value () in
        let test old = fold_bin "==" int32 (equals (value ()) old) (Num 0L) in
        snd (update (attr `Update) ~test (apply_operator "+" v))
      | _ ->
        expect p ",";
        let word = (advance p).text in
        let o = if word = "&" && accept p "~" then "&~" else Option.value (List.assoc_opt word operators) ~default:word in
        let v = value () in
        let attr = attr `Update in
        let attr = if n = "__atomic_op" && words = [] then { attr with tags = [ "noreturn" ] } else attr in
        let old = fst (update attr (apply_operator o v)) in
        let now () = let old = rvalue p old in Rvalue (conv (snd old) (fst (apply_operator o v old)), snd old) in
        if n = "__atomic_op" then Nothing else if n = "__atomic_fetch_op" then old else now () in
    expect p ")"; result
  end

(* --- launches: docs/models/semantics.md, "Launches" --- *)

(* Locations of their own: no test can name what begins with a dot. *)
let launch_attr order = { order; scope = "all"; atomic = true; tags = [] }
let hidden p what k = match location p (Printf.sprintf ".%s%d" what k) with Pointer q -> q | _ -> assert false
let await p q =
  let out = ref 0 and head = ref p.pc in
  let v, _ = rvalue p (load p q (launch_attr "acq")) in
  jump p out (fun t -> If (fold_bin "==" int64 v (Num 0L), t, true));
  jump p head (fun t -> Goto t); place p out; v
let has_launched k = Printf.sprintf ".launched%d" k

let launch p word =
  let k = Int64.to_int (fst (number_of (advance p))) in
  if word = "launch" then begin
    store p (hidden p "launch" k) (launch_attr "rel") (Num 1L, int32);
    emit p (Set (has_launched k, int32, Num 1L, []))
  end else begin
    (* What its own work-item has not launched it does not wait for. *)
    let out = ref 0 in
    if List.mem (k, p.id) p.launched then jump p out (fun t -> If (Var (has_launched k), t, false));
    List.iter (fun (id, kernel) -> if kernel = k then ignore (await p (hidden p "end" id))) p.kernels;
    place p out
  end

(* In front of the code of a work-item, and behind it. *)
let kernel p = Option.value (List.assoc_opt p.id p.kernels) ~default:0
let begin_kernel p =
  p.finish <- ref 0;
  if List.mem_assoc (kernel p) p.launched then begin
    let v = await p (hidden p "launch" (kernel p)) in
    jump p p.finish (fun t -> If (fold_bin "==" int64 v (Num 1L), t, false))
  end
let end_kernel p =
  place p p.finish;
  List.iter (fun (k, id) -> if id = p.id then begin
    let out = ref 0 in
    jump p out (fun t -> If (fold_bin "==" int64 (Var (has_launched k)) (Num 0L), t, false));
    store p (hidden p "launch" k) (launch_attr "rel") (Num 2L, int32);
    place p out
  end) p.launched;
  if List.mem (kernel p) p.joined then store p (hidden p "end" p.id) (launch_attr "rel") (Num 1L, int32);
  emit p Stop

(* --- statements --- *)

let with_loop p breaks continues f =
  let b = p.breaks and c = p.continues in
  p.breaks <- breaks :: b; p.continues <- continues :: c;
  f ();
  p.breaks <- b; p.continues <- c

let rec statement p = nested p statement_one
and statement_one p =
  let t = peek p in
  if t.kind = Mark && t.text = "{" then (ignore (advance p); block p)
  else if accept p ";" then ()
  else if t.kind = Name && (peek2 p).text = ":" && (peek2 p).kind = Mark && not (List.mem t.text [ "default" ]) then begin
    ignore (advance p); ignore (advance p);
    p.label <- t.text; statement p; p.label <- ""
  end else match t.text with
    | _ when t.kind <> Name -> simple p
    | "if" -> ignore (advance p);
      let other = ref 0 in
      condition p other;
      statement p;
      if accept p "else" then begin
        let out = ref 0 in
        jump p out (fun t -> Goto t);
        place p other; statement p; place p out
      end else place p other
    | "while" -> ignore (advance p);
      let out = ref 0 and head = ref p.pc in
      condition ~own:true p out;
      with_loop p out head (fun () -> statement p);
      jump p head (fun t -> Goto t); place p out
    | "do" -> ignore (advance p);
      let out = ref 0 and head = ref p.pc and again = ref 0 in
      with_loop p out again (fun () -> statement p);
      expect p "while"; place p again;
      condition ~own:true p out; expect p ";";
      jump p head (fun t -> Goto t); place p out
    | "for" -> ignore (advance p); expect p "(";
      if not (accept p ";") then (if starts_type p then declaration p else (discard p (expression p); expect p ";"));
      let out = ref 0 and head = ref p.pc and next = ref 0 in
      if not (is p ";") then (let c, _ = rvalue p (expression p) in jump p out (fun t -> If (c, t, true)));
      expect p ";";
      let step = p.toks in
      ignore (arguments p);
      with_loop p out next (fun () -> statement p);
      place p next;
      let rest = p.toks in
      p.toks <- step;
      if not (is p ")") then discard p (expression p);
      p.toks <- rest;
      jump p head (fun t -> Goto t); place p out
    | "switch" -> switch p
    | "break" -> ignore (advance p); expect p ";"; jump p (List.hd p.breaks) (fun t -> Goto t)
    | "continue" -> ignore (advance p); expect p ";"; jump p (List.hd p.continues) (fun t -> Goto t)
    | "return" -> ignore (advance p); expect p ";"; emit p Stop
    | "crash" -> ignore (advance p); if (peek p).kind = Quoted then ignore (advance p); expect p ";"; emit p Crash
    | "launch" | "join" when (peek2 p).kind = Number -> ignore (advance p); launch p t.text; expect p ";"
    | _ when starts_type p -> declaration p
    | _ -> simple p

and simple p =
  if not (try_expand p) then begin
    let t = peek p in
    if t.kind = Name && (peek2 p).text <> "(" && not (List.mem_assoc t.text p.regs) && (ignore (advance p); barrier_call p t.text) then expect p ";"
    else begin
      if peek p != t then p.toks <- t :: p.toks;
      discard p (expression p); expect p ";"
    end
  end else if is p "{" then (statement p; ignore (accept p ";")) else (discard p (expression p); expect p ";")

and condition ?(own = false) p out =
  expect p "(";
  let c, _ = rvalue p (expression p) in
  expect p ")";
  jump p out (fun t -> If (c, t, own))

and block ?(behind = ignore) p =
  while not (is p "}") do (if (peek p).kind = End then bad p "'}'"); statement p done;
  behind ();
  ignore (advance p)

and declaration p =
  let d = parse_type p in
  let rec one () =
    if is p "*" then outside "a pointer as a register";
    let r = name p in
    let ty = match d.kind with Scalar ty -> ty | _ -> bad p "a type of numbers" in
    if is p "[" then outside "an array of registers";
    if accept p "=" then begin
      if not (List.mem_assoc r p.regs) then p.regs <- (r, ty) :: p.regs;
      let v = rvalue p (assignment p) in
      p.regs <- (r, ty) :: List.remove_assoc r p.regs; set p r v []
    end else p.regs <- (r, ty) :: List.remove_assoc r p.regs;
    if accept p "," then one () in
  one (); expect p ";"

(* The body first, behind a jump to the tests; these jump to the cases. *)
and switch p =
  ignore (advance p); expect p "(";
  let v, ty = rvalue p (expression p) in
  expect p ")"; expect p "{";
  let r = temp p (promote ty) and tests = ref 0 and out = ref 0 and cases = ref [] and default = ref None in
  set p r (v, ty) [];
  jump p tests (fun t -> Goto t);
  let continues = match p.continues with c :: _ -> c | [] -> ref 0 in
  with_loop p out continues (fun () ->
    while not (accept p "}") do
      if accept p "case" then begin
        let c, _ = rvalue p (conditional p) in
        expect p ":"; cases := (c, ref p.pc) :: !cases
      end else if accept p "default" then (expect p ":"; default := Some (ref p.pc))
      else statement p
    done);
  jump p out (fun t -> Goto t);
  place p tests;
  List.iter (fun (c, target) ->
    let next = ref 0 in
    jump p next (fun t -> If (fold_bin "==" int64 (Var r) c, t, false));
    jump p target (fun t -> Case t);
    place p next) (List.rev !cases);
  (match !default with Some target -> jump p target (fun t -> Case t) | None -> ());
  place p out

(* --- the initial state --- *)

let constant p = match rvalue p (conditional p) with Num v, ty -> v, ty | _ -> bad p "a constant"

let add_location p n shape d values =
  let base = List.length p.table in
  let values = ref values in
  let rec fill n shape = match shape with
    | Scalar ty ->
      let v = match !values with [] -> 0L | v :: rest -> values := rest; v in
      let id = List.length p.table in
      p.table <- { name = n; ty; nvm = d.is_nvm; atomic = d.is_atomic; loc_tags = d.tag_words; first = wrap ty v; of_line = id } :: p.table
    | Many (k, s) -> for i = 0 to k - 1 do fill (Printf.sprintf "%s[%d]" n i) s done
    | Struct ms -> List.iter (fun (m, s) -> fill (n ^ "." ^ m) s) ms in
  fill n shape;
  Hashtbl.replace p.names n (base, shape)

let dimensions p shape =
  let rec go () = if accept p "[" then (let k, _ = constant p in expect p "]"; Int64.to_int k :: go ()) else [] in
  List.fold_right (fun k s -> Many (k, s)) (go ()) shape

(* The values of a shape, in the order of its elements: a list within a list is a member or row; what it leaves out is 0. *)
let rec member p shape = nested p (fun p ->
  if accept p "{" then (let v = elements p shape in expect p "}"; ignore (accept p ","); v) else elements p shape)
and elements p = function
  | Scalar _ -> if is p "}" then [ 0L ] else (let v = fst (constant p) in ignore (accept p ","); [ v ])
  | Many (n, s) -> List.concat (List.init n (fun _ -> member p s))
  | Struct ms -> List.concat_map (fun (_, s) -> member p s) ms

let definition p = (* const, enum, struct: true if one was read *)
  if is p "const" && not (List.mem (peek2 p).text [ "nvm" ]) then begin
    ignore (advance p);
    let typed = starts_type p in
    let d = parse_type p in
    let rec one () =
      let n = name p in
      expect p "=";
      let v, ty = constant p in
      let ty = match d.kind with Scalar t when typed -> t | _ -> ty in
      Hashtbl.replace p.constants n (wrap ty v, ty);
      if accept p "," then one () in
    one (); expect p ";"; true
  end else if accept p "enum" then begin
    if (peek p).kind = Name then ignore (advance p);
    expect p "{";
    let next = ref 0L in
    ignore (list_of p "}" (fun p ->
      let n = name p in
      if accept p "=" then next := fst (constant p);
      Hashtbl.replace p.constants n (!next, int32); next := Int64.add !next 1L));
    expect p ";"; true
  end else if is p "struct" && (match p.toks with _ :: _ :: t :: _ -> t.text = "{" | _ -> false) then begin
    ignore (advance p);
    let n = name p in
    expect p "{";
    let members = ref [] in
    while not (accept p "}") do
      let d = parse_type p in
      if d.is_atomic then Hashtbl.replace p.said (-1) true;
      let rec one () = let m = name p in members := (m, dimensions p d.kind) :: !members; if accept p "," then one () in
      one (); expect p ";"
    done;
    expect p ";";
    Hashtbl.replace p.structs n (Struct (List.rev !members)); true
  end else false

let lines p = (* line {x, y}; line(4) a; *)
  let set ids = match ids with
    | [] -> ()
    | id :: _ -> p.table <- List.mapi (fun i l ->
        if List.mem (List.length p.table - 1 - i) ids then { l with of_line = id } else l) p.table in
  let whole n = match Hashtbl.find_opt p.names n with
    | Some (base, shape) -> List.init (size shape) (fun i -> base + i) | None -> fault "line: there is no %s" n in
  if accept p "(" then begin
    let k, _ = constant p in
    expect p ")";
    let rec one () =
      let ids = whole (name p) in
      let rec chunks l = match l with [] -> () | _ ->
        let k = min (Int64.to_int k) (List.length l) in
        set (List.filteri (fun i _ -> i < k) l); chunks (List.filteri (fun i _ -> i >= k) l) in
      chunks ids; if accept p "," then one () in
    one ()
  end else begin
    expect p "{";
    set (List.concat (list_of p "}" (fun p ->
      let n = name p in
      if is p "[" || is p "." then match postfix p (location p n) with
        | Target q when (addr_of q).dims = [] -> [ (addr_of q).base ] | _ -> bad p "a location" else whole n)))
  end

let initial_state p =
  expect p "{";
  while not (accept p "}") do
    if accept p ";" || definition p then ()
    else if is p "line" && (let q = (peek2 p).text in q = "{" || q = "(") then (ignore (advance p); lines p; ignore (accept p ";"))
    else if (peek p).kind = Number || ((peek2 p).text = ":") then begin
      let t = advance p in
      let item = int_of_string (match strip "P" t.text with Some s -> s | None -> t.text) in
      expect p ":";
      let r = name p in
      expect p "=";
      Hashtbl.replace p.initial (item, r) (fst (constant p)); ignore (accept p ";")
    end else begin
      let typed = starts_type p in
      let d = parse_type p in
      let rec one () =
        ignore (accept p "*");
        let boxed = accept p "[" in
        let n = name p in
        if boxed then expect p "]";
        let shape = dimensions p d.kind in
        let values = if not (accept p "=") then [] else if is p "{" then member p shape
          else (let v = fst (constant p) in List.init (size shape) (fun _ -> v)) in
        if Hashtbl.mem p.names n then fault "%s is declared twice" n;
        if is p "@" then outside "aliases and proxies";
        add_location p n shape d values;
        (match d.kind with
         | Struct _ -> ()
         | _ ->
           let base, shape = Hashtbl.find p.names n in
           for i = 0 to size shape - 1 do
             if typed then Hashtbl.replace p.said (base + i) d.is_atomic;
             if d.kernel_atomic then Hashtbl.replace p.atomic_t (base + i) ()
           done);
        if accept p "," then one () in
      one ();
      if not (is p "}") then expect p ";"
    end
  done

(* --- work-items --- *)

(* Braces are tags where '@', parameters or the code stand behind them. *)
let has_tags p =
  let rec go = function
    | { text = "}"; _ } :: { text; _ } :: _ -> List.mem text [ "@"; "("; "{" ]
    | { kind = Name; _ } :: rest | { text = ("," | "-"); _ } :: rest -> go rest
    | _ -> false in
  is p "{" && go (List.tl p.toks)

let header p = (* tags and places *)
  let tags = if has_tags p then braces p else [] in
  let places = ref [] in
  if accept p "@" then begin
    let rec one () =
      let w = name p in
      let k, _ = number_of (advance p) in
      let w = match w with "cta" -> "wg" | "gpu" -> "dev" | w -> w in
      if not (List.mem w [ "sg"; "wg"; "kr"; "dev" ]) then fault "there is no place '%s'" w;
      places := (w, Int64.to_int k) :: !places;
      if accept p "," then one () in
    one ()
  end;
  tags, !places

let parameters p =
  if accept p "(" then
    ignore (list_of p ")" (fun p ->
      let d = parse_type p in
      let star = accept p "*" in
      if accept p "const" then ();
      let n = name p in
      let shape = if is p "[" then (if (peek2 p).text = "]" then (ignore (advance p); ignore (advance p); d.kind) else dimensions p d.kind) else d.kind in
      if not star && shape == d.kind && not (Hashtbl.mem p.names n) then outside "a parameter that is no pointer";
      if not (Hashtbl.mem p.names n) then add_location p n shape { d with is_atomic = false } [];
      let base, known = Hashtbl.find p.names n in
      for i = 0 to size known - 1 do
        p.params <- (base + i, (d.space_word, d.is_atomic)) :: p.params
      done))

let is_item_name s = String.length s > 1 && s.[0] = 'P' && digit s.[1]

(* What the work-items that follow say of kernels. *)
let scan_kernels p =
  p.kernels <- []; p.launched <- []; p.joined <- [];
  let number t = Int64.to_int (fst (number_of t)) in
  let rec go id = function
    | [] | { text = "recovery"; kind = Name; _ } :: _ -> ()
    | { text; kind = Name; _ } :: ({ text = "@" | "(" | "{" | "|" | ";"; _ } :: _ as rest) when is_item_name text ->
      let id = int_of_string (String.sub text 1 (String.length text - 1)) in
      p.kernels <- (id, 0) :: p.kernels; go id rest
    | { text = "kr"; kind = Name; _ } :: ({ kind = Number; _ } as n) :: rest ->
      p.kernels <- List.map (fun (i, k) -> if i = id then i, number n else i, k) p.kernels; go id rest
    | { text = "launch"; kind = Name; _ } :: ({ kind = Number; _ } as n) :: rest -> p.launched <- (number n, id) :: p.launched; go id rest
    | { text = "join"; kind = Name; _ } :: ({ kind = Number; _ } as n) :: rest -> p.joined <- number n :: p.joined; go id rest
    | { text = "|"; kind = Mark; _ } :: rest when p.ptx_test -> go (id + 1) rest   (* columns of a table *)
    | { text = "||"; kind = Mark; _ } :: rest when p.ptx_test -> go (id + 2) rest
    | { text = ";"; kind = Mark; _ } :: rest when p.ptx_test -> go 0 rest
    | _ :: rest -> go id rest in
  go 0 p.toks;
  p.kernels <- List.sort_uniq compare p.kernels;
  let make n = if not (Hashtbl.mem p.names n) then add_location p n (Scalar int32) an_int [] in
  List.iter (fun (k, _) -> make (Printf.sprintf ".launch%d" k)) p.launched;
  List.iter (fun (id, k) -> if List.mem k p.joined then make (Printf.sprintf ".end%d" id)) p.kernels

let begin_item p id =
  p.id <- id;
  p.regs <- []; p.params <- []; p.code <- []; p.at_lines <- []; p.pc <- 0; p.pairs <- []; p.patches <- []; p.breaks <- []; p.continues <- [];
  Hashtbl.iter (fun (i, r) _ -> if i = id then p.regs <- (r, int64) :: p.regs) p.initial

let end_item p id (tags, places) =
  let finish = !(p.finish) in
  let code = Array.mapi (fun i ins -> if ins = Stop && i < finish then Goto finish else ins) (Array.of_list (List.rev p.code)) in
  List.iter (fun (at, target) ->
    code.(at) <- (match code.(at) with If (c, _, own) -> If (c, !target, own) | Case _ -> Case !target | _ -> Goto !target)) p.patches;
  { id; places; item_tags = tags; code; lines = Array.of_list (List.rev p.at_lines);
    unsequenced = List.filter (fun (a, b, c) -> a < b && b < c) p.pairs;
    starts = Hashtbl.fold (fun (i, r) v l -> if i = id then (r, v) :: l else l) p.initial [];
    declared = p.params }

let work_item p id =
  let head = header p in
  begin_item p id;
  parameters p;
  begin_kernel p;
  expect p "{"; block ~behind:(fun () -> end_kernel p) p;
  end_item p id head

let is_item p = (peek p).kind = Name && is_item_name (peek p).text

let rec work_items p id =
  if is_item p then begin
    let t = advance p in
    if t.text <> Printf.sprintf "P%d" id then fault "line %d: found %s, expected P%d" t.line t.text id;
    let item = work_item p id in
    item :: work_items p (id + 1)
  end else []

(* --- conditions --- *)

let term p =
  let t = advance p in
  let located v = match v with
    | Pointer q | Target q -> let a = addr_of (decay q) in if a.dims <> [] then fault "a condition has an index outside of its array"; Loc a.base
    | _ -> fault "a condition has '%s'" t.text in
  let known n = if not (Hashtbl.mem p.names n) then
      add_location p n (Scalar int32) an_int [] in
  if t.kind = Mark && t.text = "[" then (let n = name p in expect p "]"; known n; located (location p n))
  else if t.kind = Mark && t.text = "-" then Int (Int64.neg (fst (number_of (advance p))))
  else if is p ":" then (ignore (advance p); Register (int_of_string (match strip "P" t.text with Some s -> s | None -> t.text), name p))
  else if t.kind = Number then Int (fst (number_of t))
  else if t.kind = Mark && t.text = "*" then (let n = name p in known n; located (location p n))
  else match t.text with
    | "true" -> Int 1L
    | "false" | "NULL" -> Int 0L
    | n when Hashtbl.mem p.constants n -> Int (fst (Hashtbl.find p.constants n))
    | n -> known n; located (postfix p (location p n))

let rec prop p = let a = disjunction p in if accept p "=>" then Or (Not a, prop p) else a
and disjunction p = let a = conjunction p in if accept p "\\/" || accept p "||" then Or (a, disjunction p) else a
and conjunction p = let a = negation p in if accept p "/\\" || accept p "&&" then And (a, conjunction p) else a
and negation p = nested p negation_one
and negation_one p =
  if accept p "~" || accept p "!" || accept p "not" then Not (negation p)
  else if accept p "(" then (if accept p ")" then True else (let a = prop p in expect p ")"; a))
  else
    let a = term p in
    let t = peek p in
    let op = match t.text with "=" -> "==" | "<>" -> "!=" | s -> s in
    if t.kind = Mark && List.mem op compared then begin
      ignore (advance p);
      let b = term p in
      let typed a b = match a, b with Int v, Loc l -> Int (wrap (List.nth p.table (List.length p.table - 1 - l)).ty v) | _ -> a in
      Cmp (op, typed a b, typed b a)
    end else match a with
      | Int 1L -> True
      | Int 0L -> Not True
      | _ -> bad p "a comparison"

let condition_line p =
  let states = if accept p "crash" then After_crash else if accept p "recovered" then Recovered else (ignore (accept p "final"); Final) in
  let quantifier = if accept p "exists" then Exists else if accept p "forall" then Forall
    else if is p "refines" then outside "refines"
    else if accept p "~" then (expect p "exists"; Never) else bad p "a condition" in
  { states; quantifier; prop = prop p }

(* --- PTX: docs, "PTX". --- *)

let ptx_order s = match s with
  | "relaxed" -> Some "rlx" | "acquire" -> Some "acq" | "release" -> Some "rel" | "acq_rel" -> Some "acq_rel" | "sc" -> Some "sc" | _ -> None
let ptx_scope s = match s with "cta" -> Some "wg" | "gpu" -> Some "dev" | "sys" -> Some "all" | _ -> None

(* A definition as an instruction: what is no location and no scope is a register; one that gives a value has its register first. *)
let called p (m : macro) first line register =
  let result = if m.statement then None else Some (register ()) in
  if result <> None && (peek p).kind <> End then expect p ",";
  let stop = List.filter (fun (t : token) -> t.kind = End) p.toks in
  let read (t : token) =
    if t.kind = Name && not (Hashtbl.mem p.names t.text) then match ptx_scope t.text with
      | Some s -> { t with text = s ^ "_scope" }
      | None -> if not (List.mem_assoc t.text p.regs) then p.regs <- (t.text, int32) :: p.regs; t
    else t in
  let args = List.map read (List.filter (fun (t : token) -> t.kind <> End) p.toks) in
  let call = if m.formals = None then [] else (mark line "(" :: args) @ [ mark line ")" ] in
  p.toks <- ({ kind = Name; text = first; line } :: call) @ (mark line ";" :: stop);
  match result with
  | None -> simple p
  | Some r -> let v = rvalue p (expression p) in expect p ";"; set p r v []

let instruction p labels =
  let t = peek p in
  let first = name p in
  let rec dots () = if accept p "." then (let w = (advance p).text in w :: dots ()) else [] in
  let words = dots () in
  let order = List.find_map ptx_order words and scope = List.find_map ptx_scope words in
  let attr = match order with
    | Some order -> { order; scope = Option.value scope ~default:"dev"; atomic = true; tags = [] }
    | None when List.mem "volatile" words -> { order = "rlx"; scope = "all"; atomic = true; tags = [] }
    | None -> plain in
  let comma () = expect p "," in
  let place_in_memory () =
    let boxed = accept p "[" in
    let n = name p in
    if boxed then expect p "]";
    if not (Hashtbl.mem p.names n) then add_location p n (Scalar int32) an_int [];
    (match location p n with Pointer q -> q | _ -> assert false) in
  let register () = let r = name p in if not (List.mem_assoc r p.regs) then p.regs <- (r, int32) :: p.regs; r in
  let operand () =
    if accept p "-" then Num (wrap int32 (Int64.neg (fst (number_of (advance p)))))
    else if (peek p).kind = Number then Num (wrap int32 (fst (number_of (advance p))))
    else Var (register ()) in
  let binop s = List.assoc_opt s ([ "mul", "*"; "div", "/" ] @ operators) in
  let label () =
    let l = name p in
    match Hashtbl.find_opt labels l with Some r -> r | None -> let r = ref (-1) in Hashtbl.replace labels l r; r in
  let half = function Some o -> o | None -> outside "an atom without an order" in
  match first with
  | "ld" when words = [] ->
    let r = register () in comma (); emit p (Set (r, int32, operand (), []))
  | "mov" -> let r = register () in comma (); emit p (Set (r, int32, operand (), []))
  | "ld" -> let r = register () in comma (); let q = place_in_memory () in emit p (Load (r, addr_of q, attr))
  | "st" -> let q = place_in_memory () in comma (); emit p (Store (addr_of q, operand (), attr))
  | "atom" | "red" ->
    ignore (half order);
    let r = if first = "atom" then (let r = register () in comma (); r) else temp p int32 in
    let q = place_in_memory () in
    comma ();
    let v = operand () in
    let old, _ = match List.nth words (List.length words - 1) with
      | "cas" -> comma (); let w = operand () in update p q attr ~test:(equals (v, int32)) (fun _ -> w, int32)
      | "exch" -> update p q attr (fun _ -> v, int32)
      | s -> (match List.assoc_opt s operators with
          | Some o -> update p q attr (fun (old, t) -> fold_bin o t old v, t)
          | None -> fault "line %d: there is no atom of '%s'" t.line s) in
    emit p (Set (r, int32, fst (rvalue p old), []))
  | "fence" when order <> None -> emit p (Fence { attr with atomic = false })
  | "membar" ->
    let scope = match words with [ "cta" ] -> "wg" | [ "gl" ] -> "dev" | [ "sys" ] -> "all" | _ -> bad p "a level" in
    emit p (Fence { order = "sc"; scope; atomic = false; tags = [] })
  | "bar" | "barrier" ->
    if List.mem "arrive" words then outside "a barrier that arrives";
    let v = match operand () with Num v -> v | _ -> outside "a barrier with a number that is computed" in
    if is p "," then outside "a barrier with an id or a quorum";
    emit p (Barrier ({ persist = false; meet = "wg"; label = Int64.to_string v; space = []; named = true }, { plain with scope = "wg" }))
  | "pbar" ->
    let s = match words with [ "thread" ] -> "wi" | [ "cta" ] -> "wg" | [ "gpu" ] -> "dev" | [ "sys" ] -> "all" | _ -> bad p "a scope" in
    emit p (Barrier ({ persist = true; meet = s; label = ""; space = []; named = false }, { plain with scope = s }))
  | "crash" -> if (peek p).kind = Quoted then ignore (advance p); emit p Crash
  | "pragma" -> ignore (advance p)
  | "launch" | "join" -> launch p first
  | "goto" | "bra" -> jump p (label ()) (fun t -> Goto t)
  | "beq" | "bne" | "blt" | "ble" | "bgt" | "bge" ->
    let a = operand () in comma ();
    let b = operand () in comma ();
    let target = label () in
    let op = List.assoc first [ "beq", "!="; "bne", "=="; "blt", ">="; "ble", ">"; "bgt", "<="; "bge", "<" ] in
    jump p target (fun t -> If (fold_bin op int32 a b, t, false))
  | s when binop s <> None && words = [] ->
    let r = register () in comma ();
    let a = operand () in comma ();
    let b = operand () in
    emit p (Set (r, int32, Bin (Option.get (binop s), int32, a, b), []))
  | _ when Hashtbl.mem p.macros first -> called p (Hashtbl.find p.macros first) first t.line register
  | _ -> outside "the PTX instruction %s%s" first (String.concat "" (List.map (( ^ ) ".") words))

(* Cells are gathered by column, and each column is read as one program. *)
let ptx_items p =
  let split_row () =
    let rec go cell cells =
      let t = advance p in
      if t.kind = End then bad p "';'"
      else if t.kind = Mark && t.text = ";" then List.rev (List.rev cell :: cells)
      else if t.kind = Mark && t.text = "|" then go [] (List.rev cell :: cells)
      else if t.kind = Mark && t.text = "||" then go [] ([] :: List.rev cell :: cells)
      else go (t :: cell) cells in
    go [] [] in
  let heads = split_row () in
  let columns = Array.make (List.length heads) [] in
  let starts_condition () = List.mem (peek p).text [ "exists"; "forall"; "~"; "final"; "crash"; "recovered"; "filter"; "locations"; "recovery" ]
    && (peek p).kind <> Quoted && not ((peek p).text = "crash" && ((peek2 p).kind = Quoted || List.mem (peek2 p).text [ "|"; ";"; "||" ])) in
  while (peek p).kind <> End && not (starts_condition ()) do
    let row = split_row () in
    if List.length row > Array.length columns then fault "a row has too many cells";
    List.iteri (fun i c -> columns.(i) <- c :: columns.(i)) row
  done;
  let rest = p.toks in
  let stop line = { Lexer.kind = End; text = "the end of a cell"; line } in
  let items = List.mapi (fun i head ->
    let line = (List.hd head).line in
    p.toks <- head @ [ stop line ];
    ignore (advance p);
    let h = header p in
    begin_item p i;
    begin_kernel p;
    let labels = Hashtbl.create 7 in
    List.iter (fun cell ->
      p.toks <- cell @ [ stop (match cell with t :: _ -> t.line | [] -> 0) ];
      if (peek2 p).text = ":" && (peek p).kind = Name then begin
        let l = name p in
        ignore (advance p);
        match Hashtbl.find_opt labels l with
        | Some r -> r := p.pc
        | None -> Hashtbl.replace labels l (ref p.pc)
      end;
      if (peek p).kind <> End then instruction p labels;
      if (peek p).kind <> End then bad p "the end of the cell") (List.rev columns.(i));
    Hashtbl.iter (fun l r -> if !r < 0 then fault "there is no label %s" l) labels;
    p.toks <- [ stop line ];
    end_kernel p;
    end_item p i h) heads in
  p.toks <- rest;
  items

(* --- files --- *)

let read_definitions p path =
  let q = { p with toks = tokens ~model:false (read_file path) } in
  while (peek q).kind <> End do
    let n = name q in
    let formals = if is q "(" then (ignore (advance q); Some (list_of q ")" name)) else None in
    if is q "{" then begin
      ignore (advance q);
      let rec body depth acc =
        let t = advance q in
        if t.kind = End then bad q "'}'"
        else if t.kind = Mark && t.text = "}" && depth = 0 then List.rev acc
        else body (depth + (match t.text with "{" -> 1 | "}" -> -1 | _ -> 0)) (t :: acc) in
      Hashtbl.replace p.macros n { formals; body = body 0 []; statement = true }
    end else begin
      (* An expression goes on to the end of its line. *)
      let line = (peek q).line in
      let rec body acc = if (peek q).kind <> End && (peek q).line = line then body (advance q :: acc) else List.rev acc in
      Hashtbl.replace p.macros n { formals; body = body []; statement = false }
    end
  done

(* expect VISIBILITY + PERSISTENCY [engine] : VERDICT *)
let expect_line l =
  match String.index_opt l ':' with
  | Some colon when not (String.contains l '[') ->
    let models = String.sub l 6 (colon - 6) in
    let rest = String.trim (String.sub l (colon + 1) (String.length l - colon - 1)) in
    let verdict = List.hd (String.split_on_char ' ' rest) in
    (match String.split_on_char '+' models with
     | [ v; m ] -> [ String.trim v, String.trim m, verdict ]
     | _ -> [])
  | _ -> []

let test ~find path =
  let text = read_file path in
  let is_expect l = String.length l > 7 && String.sub l 0 7 = "expect " in
  let all = String.split_on_char '\n' text in
  let expects = List.concat_map (fun l -> if is_expect l then expect_line l else []) all in
  (* The first word and the name, then metadata: lines that begin with NAME=. *)
  let metadata l = match String.index_opt l '=' with
    | Some i -> i > 0 && l.[0] >= 'A' && l.[0] <= 'Z' && String.for_all (fun c -> letter c || digit c) (String.sub l 0 i) && not (String.contains l ';')
    | None -> false in
  let seen = ref false in
  let kept = List.map (fun l ->
    let t = String.trim l in
    if is_expect l || (metadata t && l.[0] <> ' ') then ""
    else if !seen || t = "" || (String.length t > 1 && String.sub t 0 2 = "//") then l else (seen := true; "")) all in
  let dialect, title =
    let first = List.find (fun l -> let t = String.trim l in t <> "" && not (String.length t > 1 && String.sub t 0 2 = "//")) all in
    match String.index_opt first ' ' with
    | Some i -> String.sub first 0 i, String.trim (String.sub first i (String.length first - i))
    | None -> first, "" in
  if not (List.mem dialect [ "OPENCL"; "C"; "PTX" ]) then fault "the dialect %s" dialect;
  let toks = tokens ~model:false (String.concat "\n" kept) in
  let rec no_std = function
    | { text = "std" | "cuda"; kind = Name; _ } :: { text = "::"; _ } :: rest -> no_std rest
    | t :: rest -> t :: no_std rest
    | [] -> [] in
  let h () = Hashtbl.create 16 in
  let p = { toks = no_std toks; ptx_test = dialect = "PTX"; c_test = dialect = "C"; macros = h (); constants = h (); structs = h (); names = h ();
            table = []; initial = h (); said = h (); atomic_t = h (); regs = []; params = []; code = []; at_lines = []; pc = 0; pairs = [];
            fresh = 0; patches = []; breaks = []; continues = []; kernels = []; launched = []; joined = []; id = 0; finish = ref 0; label = ""; depth = 0; nesting = 0 } in
  while (peek p).kind = Quoted do ignore (advance p) done;
  while accept p "uses" do read_definitions p (find (advance p).text) done;
  while definition p do () done;
  if Hashtbl.mem p.said (-1) && p.c_test then outside "atomic members of structs in C";
  initial_state p;
  let items () = scan_kernels p; if p.ptx_test then ptx_items p else work_items p 0 in
  let program = items () in
  let recovery () = if accept p "recovery" then begin
      let relaunch = accept p "relaunch" in
      let restartable = accept p "restartable" in
      if relaunch then (expect p ";"; Relaunch restartable)
      else begin
        Hashtbl.reset p.initial;
        p.kernels <- []; p.launched <- []; p.joined <- [];
        let r = if p.ptx_test || is_item p then items () else [ work_item p 0 ] in
        Program (Array.of_list r, restartable)
      end
    end else No_recovery in
  let conditions = ref [] and filter = ref None and shown = ref [] and after = ref No_recovery in
  while (peek p).kind <> End do
    if accept p ";" then ()
    else if is p "recovery" then after := recovery ()
    else if accept p "filter" then filter := Some (prop p)
    else if accept p "locations" then begin
      expect p "[";
      let rec go () = if not (accept p "]") then begin
          if starts_type p then ignore (parse_type p);
          if (peek p).kind = Name && (match Hashtbl.find_opt p.names (peek p).text with Some (_, Scalar _) | None -> false | _ -> true) && (peek2 p).text <> "[" && (peek2 p).text <> "." then begin
            let base, s = Hashtbl.find p.names (name p) in
            shown := List.init (size s) (fun i -> Loc (base + i)) @ !shown
          end else shown := term p :: !shown;
          ignore (accept p ";"); go () end in
      go ()
    end else conditions := condition_line p :: !conditions
  done;
  (* A parameter may call a location atomic, too; what the initial state says holds for all. *)
  let locs = Array.of_list (List.rev p.table) in
  { title; ptx = p.ptx_test; locs; items = Array.of_list program; recovery = !after; conditions = List.rev !conditions; filter = !filter;
    shown = !shown; expects }
