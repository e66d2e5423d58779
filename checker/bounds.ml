(* Evaluates a model on a partial choice with lower and upper bounds: whatever completes the choice,
   each expression contains its lower bound and is contained in its upper one. Operators as in
   docs/models/cat.md, "The language"; '~' and the right of '\' exchange the bounds. *)

open Cat

type value = Set of int | Rel of Rel.t
type both = value * value   (* physically equal where the choice decides the value *)

type known = {
  skeleton : Skeleton.t; model : model;
  fixed : (int, value) Hashtbl.t;            (* what no choice changes, by node *)
  moving : (string * both) list;             (* rf co fr sync_fence *)
  choices : both array;
  cache : (int, both) Hashtbl.t;
  vars : (int * both) list;
}

let set = function Set s -> s | Rel _ -> invalid_arg "set"
let rel k = function Rel r -> r | Set 0 -> Rel.empty k.skeleton.n | Set _ -> invalid_arg "rel"

let one f ((l, h) : both) : both = if l == h then (let v = f l in v, v) else f l, f h
let turned f ((l, h) : both) : both = if l == h then (let v = f l in v, v) else f h, f l
let two f ((a, b) : both) ((c, d) : both) : both = if a == b && c == d then (let v = f a c in v, v) else f a c, f b d
let less f ((a, b) : both) ((c, d) : both) : both = if a == b && c == d then (let v = f a c in v, v) else f a d, f b c

let rec eval k (n : node) : both =
  if not n.dynamic then
    let v = match Hashtbl.find_opt k.fixed n.id with
      | Some v -> v
      | None -> let v = fst (compute k n) in Hashtbl.replace k.fixed n.id v; v in
    v, v
  else match Hashtbl.find_opt k.cache n.id with
    | Some v -> v
    | None -> let v = compute k n in Hashtbl.replace k.cache n.id v; v

and compute k n : both =
  let s = k.skeleton in
  let size = s.n in
  let r = rel k in
  let pointwise sets rels a b = match a, b with
    | Set a, Set b -> Set (sets a b)
    | a, b -> Rel (rels (r a) (r b)) in
  match n.desc with
  | Base b when List.mem b dynamic_relations -> List.assoc b k.moving
  | Base b when n.sort = Cat.Set -> let v = Set (Skeleton.set s b) in v, v
  | Base b -> let v = Rel (Skeleton.relation s b) in v, v
  | Tagged (t, kinds) -> let v = Set (Skeleton.tagged s t kinds) in v, v
  | Empty -> let v = Set 0 in v, v
  | Union (a, b) -> two (pointwise (lor) Rel.union) (eval k a) (eval k b)
  | Inter (a, b) -> two (pointwise (land) Rel.inter) (eval k a) (eval k b)
  | Diff (a, b) -> less (pointwise (fun a b -> a land lnot b) Rel.diff) (eval k a) (eval k b)
  | Not a -> turned (function Set s -> Set (Rel.full size land lnot s) | Rel r -> Rel (Rel.complement r)) (eval k a)
  | Product (a, b) -> two (fun a b -> Rel (Rel.product size (set a) (set b))) (eval k a) (eval k b)
  | Seq (a, b) -> two (fun a b -> Rel (Rel.compose (r a) (r b))) (eval k a) (eval k b)
  | Plus a -> one (fun a -> Rel (Rel.closure (r a))) (eval k a)
  | Option a -> one (fun a -> Rel (Rel.reflexive (r a))) (eval k a)
  | Inverse a -> one (fun a -> Rel (Rel.inverse (r a))) (eval k a)
  | Identity a -> one (fun a -> Rel (Rel.identity size (set a))) (eval k a)
  | Domain a -> one (fun a -> Set (Rel.domain (r a))) (eval k a)
  | Range a -> one (fun a -> Set (Rel.range (r a))) (eval k a)
  | Choice c -> k.choices.(c)
  | Var v -> List.assoc v k.vars
  | Fix (group, member) ->
    (* The least solution, from nothing. *)
    let bodies = List.nth k.model.groups group in
    let first = k.model.first_var.(group) in
    let nothing = let v = Rel (Rel.empty size) in v, v in
    let rec iterate now =
      let vars = List.mapi (fun i v -> first + i, v) now @ k.vars in
      let inner = { k with vars; cache = Hashtbl.create 31 } in
      let next = List.map (eval inner) (Array.to_list bodies) in
      let as_rel (l, h) = r l, r h in
      if List.for_all2 (fun a b -> as_rel a = as_rel b) now next then now else iterate next in
    List.nth (iterate (List.map (fun _ -> nothing) (Array.to_list bodies))) member

(* Whether a check is broken, or kept, whatever completes the choice: all three tests hold of what is smaller. *)
let test k (c : check) v = match c.test, v with
  | Is_empty, Set s -> s = 0
  | Is_empty, Rel r -> Rel.is_empty r
  | Acyclic, v -> Rel.is_acyclic (rel k v)
  | Irreflexive, v -> Rel.is_irreflexive (rel k v)
let lost k c = let low, high = eval k c.node in if c.negated then test k c high else not (test k c low)
let kept k c = let low, high = eval k c.node in if c.negated then not (test k c low) else test k c high
