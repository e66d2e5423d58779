(* Evaluates a model on a partial choice with lower and upper bounds: whatever completes the choice,
   each expression contains its lower bound and is contained in its upper one. Operators as in
   docs/models/cat.md, "The language"; '~' and the right of '\' exchange the bounds. This is the table of
   docs/inside/certificates.md, "Why it is enough", and its induction is over `compute`. *)

open Cat

type value = Set of Rel.set | Rel of Rel.t
type side = Low | High
let other = function Low -> High | High -> Low

module Table = Hashtbl.Make (struct type t = int let equal = ( = ) let hash = Fun.id end)

type known = {
  skeleton : Skeleton.t; model : model;
  moving : side -> string -> Rel.t;                      (* bounds of what is chosen, by name *)
  fixed : value Table.t;                                 (* what no choice changes, by node *)
  low : value Table.t; high : value Table.t;             (* what choices change *)
  vars : (int * Rel.t) list; within : value Table.t;     (* in a recursion: variables, what has some *)
}

let set = function Set s -> s | Rel _ -> invalid_arg "set"
let rel k = function Rel r -> r | Set 0 -> Rel.empty k.skeleton.n | Set _ -> invalid_arg "rel"

let rec eval k side (n : node) =
  let table = if n.within then k.within else if not n.dynamic then k.fixed
    else match side with Low -> k.low | High -> k.high in
  match Table.find_opt table n.id with
  | Some v -> v
  | None -> let v = compute k side n in Table.replace table n.id v; v

and compute k side n =
  let size = k.skeleton.n in
  let at n = eval k side n in
  let s n = set (at n) and r n = rel k (at n) in
  let both sets rels a b = match a, b with
    | Set a, Set b -> Set (sets a b)
    | a, b -> Rel (rels (rel k a) (rel k b)) in
  match n.desc with
  | Moving m -> Rel (k.moving side m)
  | Base b when n.sort = Cat.Set -> Set (Skeleton.set k.skeleton b)
  | Base b -> Rel (Skeleton.relation k.skeleton b)
  | Tagged (t, kinds) -> Set (Skeleton.tagged k.skeleton t kinds)
  | Empty -> Set 0
  | Union (a, b) -> both (lor) Rel.union (at a) (at b)
  | Inter (a, b) -> both (land) Rel.inter (at a) (at b)
  | Diff (a, b) -> both (fun a b -> a land lnot b) Rel.diff (at a) (eval k (other side) b)
  | Not a ->
    (match eval k (other side) a with
     | Set s -> Set (Rel.full size land lnot s)
     | Rel r -> Rel (Rel.complement r))
  | Product (a, b) -> Rel (Rel.product size (s a) (s b))
  | Seq (a, b) -> Rel (Rel.compose (r a) (r b))
  | Plus a -> Rel (Rel.closure (r a))
  | Option a -> Rel (Rel.reflexive (r a))
  | Inverse a -> Rel (Rel.inverse (r a))
  | Identity a -> Rel (Rel.identity size (s a))
  | Domain a -> Set (Rel.domain (r a))
  | Range a -> Set (Rel.range (r a))
  | Var v -> Rel (List.assoc v k.vars)
  | Fix (group, member) ->
    (* The least solution, from nothing. *)
    let members = List.nth k.model.groups group in
    let rec iterate now =
      let vars = List.map2 (fun (v, _) r -> v, r) members now @ k.vars in
      let k = { k with vars; within = Table.create 31 } in
      let next = List.map (fun (_, body) -> rel k (eval k side body)) members in
      if List.for_all2 Rel.equal next now then now else iterate next in
    Rel (List.nth (iterate (List.map (fun _ -> Rel.empty size) members)) member)

let bound k side name = eval k side (named k.model name)

(* Whether a check is broken, or kept, whatever completes the choice: all three tests hold of what
   is smaller. *)
let test k (c : check) side = match c.test, eval k side c.node with
  | Is_empty, Set s -> s = 0
  | Is_empty, Rel r -> Rel.is_empty r
  | Acyclic, v -> Rel.is_acyclic (rel k v)
  | Irreflexive, v -> Rel.is_irreflexive (rel k v)
let lost k c = if c.negated then test k c High else not (test k c Low)
let kept k c = if c.negated then not (test k c Low) else test k c High
