(* Integers of the language and expressions over what reads return: docs/models/semantics.md,
   "Programs"; docs/using/language.md, "Initial state" (types and conversions, as in C11 6.3.1). *)

exception Outside of string  (* a form of test or model that is not known here *)
exception Fault of string    (* the input is wrong *)
exception Unknown_value      (* a value is wanted that is not known *)
let outside fmt = Printf.ksprintf (fun s -> raise (Outside s)) fmt
let fault fmt = Printf.ksprintf (fun s -> raise (Fault s)) fmt

let ( |? ) o otherwise = Option.value o ~default:otherwise
(* A function that remembers what it has given. *)
let memo f =
  let known = Hashtbl.create 31 in
  fun x -> match Hashtbl.find_opt known x with
    | Some y -> y
    | None -> let y = f x in Hashtbl.replace known x y; y

type ty = { bits : int; signed : bool }
let int32 = { bits = 32; signed = true }
let int64 = { bits = 64; signed = true }
let bool = { bits = 1; signed = false }

let wrap ty v =
  if ty.bits = 64 then v
  else if ty.bits = 1 then (if v = 0L then 0L else 1L)
  else
    let by = 64 - ty.bits in
    let up = Int64.shift_left v by in
    if ty.signed then Int64.shift_right up by else Int64.shift_right_logical up by

let promote ty = if ty.bits < 32 then int32 else ty
let common a b =
  let a = promote a and b = promote b in
  if a.bits > b.bits then a else if b.bits > a.bits then b else { a with signed = a.signed && b.signed }

(* What an expression is: a number, what the k-th event of the same work-item has read, an
   operation in the type of its operands, a conversion. *)
type sym =
  | K of int64
  | Read of int
  | Op of string * ty * sym * sym
  | To of ty * sym

let truth b = if b then 1L else 0L
let compared = [ "<"; "<="; ">"; ">="; "=="; "!=" ]

(* None: a division by zero. *)
let apply op ty a b =
  let cmp = if ty.signed then Int64.compare a b else Int64.unsigned_compare a b in
  let count () = Int64.to_int b land (ty.bits - 1) in
  let number v = Some (wrap ty v) in
  match op with
  | "+" -> number (Int64.add a b)
  | "-" -> number (Int64.sub a b)
  | "*" -> number (Int64.mul a b)
  | "/" when b = 0L -> None
  | "%" when b = 0L -> None
  | "/" when b = -1L && ty.signed -> number (Int64.neg a)
  | "%" when b = -1L && ty.signed -> Some 0L
  | "/" -> number (if ty.signed then Int64.div a b else Int64.unsigned_div a b)
  | "%" -> number (if ty.signed then Int64.rem a b else Int64.unsigned_rem a b)
  | "&" -> number (Int64.logand a b)
  | "|" -> number (Int64.logor a b)
  | "^" -> number (Int64.logxor a b)
  | "<<" -> number (Int64.shift_left a (count ()))
  | ">>" when ty.signed -> number (Int64.shift_right a (count ()))
  | ">>" -> number (Int64.shift_right_logical a (count ()))
  | "<" -> Some (truth (cmp < 0))
  | "<=" -> Some (truth (cmp <= 0))
  | ">" -> Some (truth (cmp > 0))
  | ">=" -> Some (truth (cmp >= 0))
  | "==" -> Some (truth (a = b))
  | "!=" -> Some (truth (a <> b))
  | "&&" -> Some (truth (a <> 0L && b <> 0L))
  | "||" -> Some (truth (a <> 0L || b <> 0L))
  | "min" -> Some (if cmp <= 0 then a else b)
  | "max" -> Some (if cmp >= 0 then a else b)
  | _ -> outside "the operator %s" op

(* The expression with what read gives put in; None where it gives none and that matters. *)
let rec eval read = function
  | K v -> Some v
  | Read k -> read k
  | To (ty, e) -> Option.map (wrap ty) (eval read e)
  | Op (op, ty, a, b) ->
    match op, eval read a, eval read b with
    | _, Some a, Some b -> apply op ty a b
    | ("&&" | "&" | "*"), Some 0L, _ | ("&&" | "&" | "*"), _, Some 0L -> Some 0L
    | "||", Some v, None when v <> 0L -> Some 1L
    | "||", None, Some v when v <> 0L -> Some 1L
    | _ -> None

let number e = eval (fun _ -> None) e

(* Truth values stay themselves where they are converted or compared with 0, so that a path knows what
   it has assumed. *)
let is_truth = function Op (o, _, _, _) -> List.mem o ("&&" :: "||" :: compared) | _ -> false
let op name ty a b = match name, a, b with
  | "!=", a, K 0L when is_truth a -> a
  | "==", Op ("==", _, a, K 0L), K 0L when is_truth a -> a
  | ("==" | "!="), a, b when a = b -> K (truth (name = "=="))
  | _ -> let e = Op (name, ty, a, b) in match number e with Some v -> K v | None -> e
let convert ty e = match e with K v -> K (wrap ty v) | e when is_truth e -> e | _ -> To (ty, e)
