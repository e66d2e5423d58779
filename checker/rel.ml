(* Sets and relations of at most 62 events: a set is a word, a relation has a word for each event,
   the set of its successors. Operators as in docs/models/cat.md, "The language". *)

type set = int
type t = int array

let most = 62
let bit i = 1 lsl i
let mem i s = s land bit i <> 0
let full n = bit n - 1

(* The place of the only element of a set: 2 has 66 different powers modulo 67. *)
let place_of =
  let table = Array.make 67 0 in
  for i = 0 to most - 1 do table.(bit i mod 67) <- i done;
  fun low -> table.(low mod 67)

(* Calls f with each element, the least first. *)
let rec iter f s = if s <> 0 then (f (place_of (s land (-s))); iter f (s land (s - 1)))

let of_list l = List.fold_left (fun s i -> s lor bit i) 0 l
let filter n p = let s = ref 0 in for i = 0 to n - 1 do if p i then s := !s lor bit i done; !s

(* Of integers alone, which is quicker than Array.init. *)
let rows n f : t = let r = Array.make n 0 in for i = 0 to n - 1 do r.(i) <- f i done; r
let empty n : t = Array.make n 0
let init n p = rows n (fun i -> filter n (p i))
let union (a : t) (b : t) = rows (Array.length a) (fun i -> a.(i) lor b.(i))
let inter (a : t) (b : t) = rows (Array.length a) (fun i -> a.(i) land b.(i))
let diff (a : t) (b : t) = rows (Array.length a) (fun i -> a.(i) land lnot b.(i))
let complement (a : t) = let n = Array.length a in rows n (fun i -> full n land lnot a.(i))
let identity n s = rows n (fun i -> s land bit i)
let product n a b = rows n (fun i -> if mem i a then b else 0)
let domain (a : t) = filter (Array.length a) (fun i -> a.(i) <> 0)
let range (a : t) = Array.fold_left (lor) 0 a

let image (a : t) s =
  let rec add r s = if s = 0 then r else add (r lor a.(place_of (s land (-s)))) (s land (s - 1)) in
  add 0 s
let compose (a : t) (b : t) = rows (Array.length a) (fun i -> image b a.(i))

let inverse (a : t) : t =
  let r = empty (Array.length a) in
  Array.iteri (fun i row -> iter (fun j -> r.(j) <- r.(j) lor bit i) row) a; r

let closure (a : t) : t =
  let r = Array.copy a in
  let n = Array.length r in
  for k = 0 to n - 1 do
    let row = r.(k) in
    if row <> 0 then for i = 0 to n - 1 do if mem k r.(i) then r.(i) <- r.(i) lor row done
  done; r

(* A transitive relation with one pair more, and what follows from it. *)
let extend (a : t) i j =
  let behind = a.(j) lor bit j in
  rows (Array.length a) (fun k -> if k = i || mem i a.(k) then a.(k) lor behind else a.(k))

let reflexive (a : t) = rows (Array.length a) (fun i -> a.(i) lor bit i)
let is_empty (a : t) = Array.for_all (fun row -> row = 0) a
let equal (a : t) (b : t) = is_empty (rows (Array.length a) (fun i -> a.(i) lxor b.(i)))
let is_irreflexive (a : t) = filter (Array.length a) (fun i -> mem i a.(i)) = 0

(* No cycle: events without predecessors among those left are taken away until none is left. *)
let is_acyclic (a : t) =
  let rec peel left =
    let kept = left land image a left in
    left = 0 || (kept <> left && peel kept) in
  peel (full (Array.length a))
