(* Crash states of an execution: docs/models/semantics.md, "Crash cuts". The rules are implications
   between "executed" and "durable"; a state is tried by what its last durable writes need. *)

open Value
open Program
open Run
open Skeleton

type needs = { exec : int; durable : int }
type t = {
  s : Skeleton.t;
  by_exec : needs array; by_durable : needs array;   (* what needs, directly *)
  cannot : int;                                      (* writes that never are durable *)
  later : Rel.t;                                     (* versions of a location, in the order in which they land *)
  base : needs;
}

exception Impossible

let close c ~forbidden from =
  let rec go done_ todo =
    let all = { exec = done_.exec lor todo.exec; durable = done_.durable lor todo.durable } in
    if all.durable land c.cannot <> 0 || all.exec land forbidden <> 0 then raise Impossible;
    let next = ref { exec = 0; durable = 0 } in
    let take n = next := { exec = !next.exec lor n.exec; durable = !next.durable lor n.durable } in
    Rel.iter (fun i -> take c.by_exec.(i)) (todo.exec land lnot done_.exec);
    Rel.iter (fun i -> take c.by_durable.(i)) (todo.durable land lnot done_.durable);
    if !next.exec land lnot all.exec = 0 && !next.durable land lnot all.durable = 0 then all else go all !next in
  go { exec = 0; durable = 0 } from

(* get: the contract's relations, at their lower bounds; can_persist at its upper one. *)
let make s ~get ~can_persist =
  let n = s.n in
  let initial = Skeleton.set s "IW" and nvw = Skeleton.set s "NVM" land Skeleton.set s "W" in
  let on_writes r = Rel.inter r (Rel.product n nvw nvw) in
  let loc = Skeleton.relation s "loc" in
  let lands = Rel.inter (on_writes (get "lands-before")) loc in
  let lands = Rel.diff (Rel.union lands (Rel.inter loc (Rel.product n (initial land nvw) (nvw land lnot initial)))) (Skeleton.relation s "id") in
  let before = Rel.inverse (Rel.union (on_writes (get "persist-before")) lands) in
  let classes = let a = on_writes (get "persist-atomic") in Rel.closure (Rel.union a (Rel.inverse a)) in
  let moving = nvw land lnot initial in
  let executes = Rel.inverse (get "executes-before") in
  let durable_first = Rel.inverse (Rel.inter (get "durable-before") (Rel.product n moving (Rel.full n))) in
  let exec_first = Rel.inverse (Rel.inter (get "durable-after") (Rel.product n (Rel.full n) moving)) in
  let by_exec = Array.init n (fun i -> { exec = executes.(i); durable = durable_first.(i) }) in
  let by_durable = Array.init n (fun i -> { exec = exec_first.(i) lor Rel.bit i; durable = before.(i) lor classes.(i) }) in
  let c = { s; by_exec; by_durable; cannot = moving land lnot can_persist; later = Rel.closure lands; base = { exec = initial; durable = initial land nvw } } in
  c, Rel.is_irreflexive c.later

(* Which assignment of a register is the last that is there: docs, "Registers". A work-item that stands
   at crash statements between two events has passed some of them: `passed`, of those behind `at` events. *)
type stand = { at : int; passed : int }

(* states: (values of non-volatile locations, values of registers), each once, into a table. *)
let states c ~(mode : [ `Anywhere | `Point of int * int * int | `End ]) ~nvm ~registers ~value ~written found =
  let s = c.s in
  let own t from upto = (* events of a work-item, by place *)
    let r = ref 0 in for i = from to upto - 1 do r := !r lor Rel.bit (s.first.(t) + i) done; !r in
  let length t = Array.length s.chosen.(t).events in
  let forbidden, wanted, stands = match mode with
    | `Anywhere -> 0, 0, []
    | `Point (t, n, k) -> own t n (length t), own t 0 n, [ t, { at = n; passed = k } ]
    | `End -> 0, Rel.full s.n, [] in
  let fixed = List.map fst stands in
  let extend now more = close c ~forbidden { exec = now.exec lor more.exec; durable = now.durable lor more.durable } in
  let needs_exec t = function
    | Loaded l -> List.fold_left (fun e k -> e lor Rel.bit (s.first.(t) + k)) 0 l
    | Computed (n, _) -> own t 0 n in
  let there now stands t a =
    now.exec land needs_exec t a = needs_exec t a
    && match a with
    | Loaded _ | Computed (_, 0) -> true
    | Computed (n, k) -> mode = `End || now.exec land own t n (length t) <> 0
                         || (match List.assoc_opt t stands with Some st -> st.at = n && k <= st.passed | None -> false) in
  let last_ok now stands chosen =
    List.for_all (fun (t, r, k) ->
      let l = List.filter (fun (q, _, _) -> q = r) s.chosen.(t).assigned in
      not (List.exists Fun.id (List.mapi (fun i (_, _, a) -> i > k && there now stands t a) l))) chosen in
  let rec locations now stands chosen regs picked values = function
    | [] -> Hashtbl.replace found (List.rev values, regs) ()
    | loc :: rest ->
      let ws = List.filter (fun i -> s.event.(i).kind = W && s.event.(i).loc = loc) (List.init s.n Fun.id) in
      if ws = [] then locations now stands chosen regs picked (s.starts.(loc) :: values) rest
      else List.iter (fun w ->
        match extend now { exec = 0; durable = Rel.bit w } with
        | exception Impossible -> ()
        | next ->
          let picked = w :: picked in
          if List.for_all (fun p -> c.later.(p) land next.durable land lnot (Rel.bit p) = 0) picked && last_ok next stands chosen then
            match written w with
            | Some v -> locations next stands chosen regs picked (v :: values) rest
            | None -> outside "a value that justifies itself") ws in
  let rec registers_of now stands chosen regs = function
    | [] -> if last_ok now stands chosen then locations now stands chosen (List.rev regs) [] [] nvm
    | (t, r) :: rest ->
      let l = List.filter (fun (q, _, _) -> q = r) s.chosen.(t).assigned in
      let start = List.assoc_opt r s.items.(t).starts in
      registers_of now stands ((t, r, -1) :: chosen) (start :: regs) rest;
      List.iteri (fun k (_, e, a) ->
        let stands' = match a with
          | Computed (n, p) when p > 0 && mode <> `End && not (List.mem t fixed) ->
            (match List.assoc_opt t stands with
             | Some st when st.at > n || (st.at = n && st.passed >= p) -> stands
             | _ -> (t, { at = n; passed = p }) :: List.remove_assoc t stands)
          | _ -> stands in
        match extend now { exec = needs_exec t a; durable = 0 } with
        | exception Impossible -> ()
        | next -> (* behind a crash statement that it does not stand behind: some later event is there *)
          let go next stands = if there next stands t a then
              match value t e with
              | Some v -> registers_of next stands ((t, r, k) :: chosen) (Some v :: regs) rest
              | None -> outside "a value that justifies itself" in
          go next stands') l in
  match close c ~forbidden { c.base with exec = c.base.exec lor wanted } with
  | exception Impossible -> ()
  | now -> registers_of now stands [] [] registers

(* Every crash state of an execution, in the mode that is asked for. *)
let all c ~mode ~nvm ~registers ~value ~written found =
  let one mode = states c ~mode ~nvm ~registers ~value ~written found in
  match mode with
  | `Anywhere -> one `Anywhere
  | `End -> if not (Array.exists (fun (p : path) -> p.ending = Bound) c.s.chosen) then one `End
  | `Points ->
    Array.iteri (fun t (p : path) ->
      let rec each seen = function
        | [] -> ()
        | n :: rest -> one (`Point (t, n, List.length (List.filter ((=) n) seen))); each (n :: seen) rest in
      each [] p.crashes) c.s.chosen
