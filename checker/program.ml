(* What a test is: locations, the code of each work-item as instructions with jumps, conditions.
   Forms and meanings: docs/using/language.md. *)

open Value

(* order: "" rlx acq rel acq_rel sc; scope: "" wi sg wg kr dev all. *)
type attr = { order : string; scope : string; atomic : bool; tags : string list }
let plain = { order = ""; scope = ""; atomic = false; tags = [] }

(* An expression over registers; operators have the type of their operands. *)
type pure = Num of int64 | Var of string | Bin of string * ty * pure * pure | Conv of ty * pure

(* A location: the first one it may be, and indices, each with its stride and its bound. *)
type addr = { base : int; dims : (pure * int * int) list }

type barrier = { persist : bool; meet : string; label : string; space : string list; named : bool }

type instr =
  | Set of string * pure * pure list          (* register, value, what the value also depends on *)
  | Load of string * addr * attr
  | Store of addr * pure * attr
  | Update of { old : string; addr : addr; test : pure option; value : pure; attr : attr;
                failed : attr; ok : string }  (* writes if test holds; ok becomes 1 or 0 *)
  | Fence of attr
  | Maintain of addr * attr
  | Barrier of barrier * attr
  | Crash
  | If of pure * int * bool                   (* jumps where it is 0; true: the condition of a loop *)
  | Goto of int
  | Case of int                               (* a jump of a switch, never to another iteration *)
  | Stop

type loc = {
  name : string; ty : ty; nvm : bool; atomic : bool; loc_tags : string list; first : int64; of_line : int;
}

type item = {
  id : int; places : (string * int) list;     (* sg wg kr dev *)
  item_tags : string list;
  code : instr array; lines : int array;
  unsequenced : (int * int * int) list;       (* code from a to b, and from b to c: operands of one operator *)
  starts : (string * int64) list;             (* registers that begin with a value *)
  declared : (int * (string * bool)) list;    (* what it says of a location: space, atomic *)
  types : (string * ty) list;                 (* of registers *)
}

type term = Int of (int64 * ty) | Loc of int | Register of int * string
type prop =
  | True | Cmp of string * ty * term * term | And of prop * prop | Or of prop * prop | Not of prop
type states = Final | After_crash | Recovered
type quantifier = Exists | Never | Forall
type condition = { states : states; quantifier : quantifier; prop : prop }

type recovery = No_recovery | Relaunch of bool | Program of item array * bool (* restartable *)

type test = {
  ptx : bool; locs : loc array; items : item array; recovery : recovery;
  conditions : condition list; filter : prop option; shown : term list;
  expects : (string * string * string) list;  (* visibility, persistency, verdict *)
}

let rec terms = function
  | True -> []
  | Cmp (_, _, a, b) -> [ a; b ]
  | And (a, b) | Or (a, b) -> terms a @ terms b
  | Not a -> terms a

(* value: of a term; None is "no value", of which every comparison is false. *)
let rec holds value = function
  | True -> true
  | Cmp (op, ty, a, b) -> (match value a, value b with
      | Some a, Some b -> apply op ty (wrap ty a) (wrap ty b) = Some 1L
      | _ -> false)
  | And (a, b) -> holds value a && holds value b
  | Or (a, b) -> holds value a || holds value b
  | Not a -> not (holds value a)

let rec vars = function
  | Num _ -> []
  | Var r -> [ r ]
  | Bin (_, _, a, b) -> vars a @ vars b
  | Conv (_, a) -> vars a
