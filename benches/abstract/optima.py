#!/usr/bin/env python3
"""Finds the best values of the instances with OR-Tools CP-SAT, and writes them into results.json.

    benches/abstract/optima.py [--limit SECONDS] [--filter TEXT]

The models here were written for CP-SAT by hand and share nothing with conjure-like: they choose numbers where the Essence
models have partitions and sequences, and break symmetries. A value that was there before is replaced only by a better one,
or by a proof. Needs Python's module `ortools`. Run instances.py afterwards, which copies the values into the parameter files.
"""

import argparse
import json
from itertools import combinations
from pathlib import Path

from ortools.sat.python import cp_model

HERE = Path(__file__).resolve().parent
FILE = HERE / "results.json"


def assignment(m, rows, columns, name=""):
    """Each row has exactly one column."""
    table = [[m.new_bool_var(f"{name}{r}_{c}") for c in range(columns)] for r in range(rows)]
    for row in table:
        m.add_exactly_one(row)
    return table


def classes(m, count, most):
    """A partition: `of[i][j]` says that the class with the smallest member j holds i."""
    of = [[m.new_bool_var("") if j <= i else m.new_constant(0) for j in range(most)] for i in range(count)]
    for i in range(count):
        m.add_exactly_one(of[i])
        for j in range(most):
            m.add_implication(of[i][j], of[j][j])
    return of


def dot(numbers, variables):
    return sum(n * x for n, x in zip(numbers, variables))


def bin_packing(m, things, capacity, extent):
    extent = sorted(extent, reverse=True)
    # First fit gives an upper bound on the number of boxes.
    boxes, first_fit = [], []
    for one in extent:
        fitting = next((b for b, load in enumerate(boxes) if load + one <= capacity), None)
        if fitting is None:
            boxes.append(0)
            fitting = len(boxes) - 1
        boxes[fitting] += one
        first_fit.append(fitting)
    within = assignment(m, things, len(boxes))
    for row, fitting in zip(within, first_fit):
        for b, x in enumerate(row):
            m.add_hint(x, b == fitting)
    used = [m.new_bool_var("") for _ in boxes]
    for b, use in enumerate(used):
        m.add(dot(extent, [within[t][b] for t in range(things)]) <= capacity * use)
        if b:
            m.add_implication(use, used[b - 1])
    m.add(sum(used) * capacity >= sum(extent))
    m.minimize(sum(used))


def steel_mill(m, orders, colours, weight, colour, capacities):
    of = classes(m, orders, orders)
    loss = [min((c - load for c in capacities if c >= load), default=0) for load in range(max(capacities) + 1)]
    lost = []
    for j in range(orders):
        load, left = m.new_int_var(0, max(capacities), ""), m.new_int_var(0, max(loss), "")
        m.add(load == dot(weight, [of[i][j] for i in range(orders)]))
        m.add_element(load, [0, *loss[1:]], left)
        lost.append(left)
        present = []
        for c in range(1, colours + 1):
            here = m.new_bool_var("")
            for i in range(j, orders):
                if colour[i] == c:
                    m.add_implication(of[i][j], here)
            present.append(here)
        m.add(sum(present) <= 2)
    m.minimize(sum(lost))


def balanced_curriculum(
    m, courses, periods, credits, requires, least_load, most_load, least_courses, most_courses
):
    at = assignment(m, courses, periods)
    when = [dot(range(periods), row) for row in at]
    most = m.new_int_var(least_load, most_load, "")
    for p in range(periods):
        load = dot(credits, [row[p] for row in at])
        m.add(load >= least_load)
        m.add(load <= most)
        m.add_linear_constraint(sum(row[p] for row in at), least_courses, most_courses)
    for later, earlier in requires:
        m.add(when[earlier - 1] < when[later - 1])
    m.minimize(most)


def warehouse_location(m, warehouses, stores, upkeep, capacity, cost):
    from_ = assignment(m, stores, warehouses)
    used = [m.new_bool_var("") for _ in range(warehouses)]
    for w, use in enumerate(used):
        m.add(sum(row[w] for row in from_) <= capacity[w])
        for row in from_:
            m.add_implication(row[w], use)
    m.minimize(upkeep * sum(used) + sum(dot(c, row) for c, row in zip(cost, from_)))


def template_design(m, designs, slots, templates, demand):
    sheets = [m.new_int_var(1, max(demand), "") for _ in range(templates)]
    copies = [[m.new_int_var(0, slots, "") for _ in demand] for _ in sheets]
    for row in copies:
        m.add(sum(row) == slots)
    for a, b in zip(sheets, sheets[1:]):
        m.add(a <= b)
    for d, wanted in enumerate(demand):
        printed = []
        for sheet, row in zip(sheets, copies):
            product = m.new_int_var(0, slots * max(demand), "")
            m.add_multiplication_equality(product, [sheet, row[d]])
            printed.append(product)
        m.add(sum(printed) >= wanted)
    m.add(sum(sheets) * slots >= sum(demand))
    m.minimize(sum(sheets))


def lot_sizing(m, orders, periods, items, stocking, item, due, change):
    made = [m.new_int_var(1, d, "") for d in due]
    m.add_all_different(made)
    for (a, ia), (b, ib) in combinations(enumerate(item), 2):
        if ia == ib:  # orders of the same item are made in the order of their due dates
            m.add(made[a] < made[b]) if due[a] <= due[b] else m.add(made[b] < made[a])
    arcs, costs = [], []
    for a in range(orders):
        arcs += [(0, a + 1, m.new_bool_var("")), (a + 1, 0, m.new_bool_var(""))]
        for b in range(orders):
            if a != b and not (item[a] == item[b] and due[a] > due[b]):
                x = m.new_bool_var("")
                arcs.append((a + 1, b + 1, x))
                costs.append(change[item[a] - 1][item[b] - 1] * x)
                m.add(made[a] < made[b]).only_enforce_if(x)
    m.add_circuit(arcs)
    m.minimize(stocking * (sum(due) - sum(made)) + sum(costs))


def transshipment(m, warehouses, hubs, customers, stock, demand, cost_in, cost_out):
    inward = [[m.new_int_var(0, s, "") for _ in range(hubs)] for s in stock]
    outward = [[m.new_int_var(0, d, "") for d in demand] for _ in range(hubs)]
    for w, s in enumerate(stock):
        m.add(sum(inward[w]) <= s)
    for c, d in enumerate(demand):
        m.add(sum(row[c] for row in outward) == d)
    for h in range(hubs):
        m.add(sum(row[h] for row in inward) == sum(outward[h]))
    m.minimize(sum(map(dot, cost_in, inward)) + sum(map(dot, cost_out, outward)))


def vehicle_routing(m, customers, vehicles, capacity, demand, distance):
    arcs, costs, starts = [], [], []
    load = [0, *(m.new_int_var(d, capacity, "") for d in demand)]
    for a in range(customers + 1):
        for b in range(customers + 1):
            if a != b:
                x = m.new_bool_var("")
                arcs.append((a, b, x))
                costs.append(distance[a][b] * x)
                if a == 0:
                    starts.append(x)
                elif b:
                    m.add(load[b] >= load[a] + demand[b - 1]).only_enforce_if(x)
    m.add_multiple_circuit(arcs)
    m.add(sum(starts) <= vehicles)
    m.add(sum(starts) * capacity >= sum(demand))
    m.minimize(sum(costs))


def rack_configuration(m, models, cards, places, power, connectors, price, needs, demand):
    racks = []
    for _ in range(places):
        model = [m.new_bool_var("") for _ in range(models)]
        plugged = [m.new_int_var(0, max(connectors), "") for _ in range(cards)]
        m.add(sum(model) <= 1)
        m.add(sum(plugged) <= dot(connectors, model))
        m.add(dot(needs, plugged) <= dot(power, model))
        racks.append((model, plugged))
    for (a, _), (b, _) in zip(racks, racks[1:]):
        m.add(dot(price, a) >= dot(price, b))
    for card, wanted in enumerate(demand):
        m.add(sum(plugged[card] for _, plugged in racks) == wanted)
    m.minimize(sum(dot(price, model) for model, _ in racks))


def sonet(m, nodes, rings, capacity, traffic):
    on = [[m.new_bool_var("") for _ in range(rings)] for _ in range(nodes)]
    for r in range(rings):
        m.add(sum(row[r] for row in on) <= capacity)
    for r in range(rings - 1):
        m.add(sum(row[r] for row in on) >= sum(row[r + 1] for row in on))
    for a, b in traffic:
        common = []
        for x, y in zip(on[a - 1], on[b - 1]):
            both = m.new_bool_var("")
            m.add_implication(both, x)
            m.add_implication(both, y)
            common.append(both)
        m.add_bool_or(common)
    for node, row in enumerate(on, 1):
        partners = sum(node in pair for pair in traffic)
        m.add(sum(row) * (capacity - 1) >= partners)
    m.minimize(sum(map(sum, on)))


def bus_drivers(m, pieces, shifts, covers):
    chosen = [m.new_bool_var("") for _ in covers]
    for piece in range(1, pieces + 1):
        m.add_exactly_one(x for x, shift in zip(chosen, covers) if piece in shift["set"])
    m.minimize(sum(chosen))


def tank_allocation(m, tanks, liquids, capacity, amount, neighbours, dangerous, forbidden):
    holds = [[m.new_bool_var("") for _ in range(liquids)] for _ in range(tanks)]
    for row in holds:
        m.add_at_most_one(row)
    for liquid, least in enumerate(amount):
        m.add(dot(capacity, [row[liquid] for row in holds]) >= least)
    for liquid, tank in forbidden:
        m.add(holds[tank - 1][liquid - 1] == 0)
    for a, b in neighbours:
        for p, q in dangerous:
            m.add_bool_or(holds[a - 1][p - 1].negated(), holds[b - 1][q - 1].negated())
            m.add_bool_or(holds[a - 1][q - 1].negated(), holds[b - 1][p - 1].negated())
    m.maximize(dot(capacity, (1 - sum(row) for row in holds)))


def broadcasting(m, nodes, source, energy):
    arcs = {(a, b): m.new_bool_var("") for a in range(nodes) for b in range(nodes) if a != b}
    hops = [m.new_int_var(0, nodes - 1, "") for _ in range(nodes)]
    power = [m.new_int_var(0, max(row), "") for row in energy]
    for b in range(nodes):
        if b == source - 1:
            m.add(hops[b] == 0)
            continue
        m.add_exactly_one(x for (_, c), x in arcs.items() if c == b)
    for (a, b), x in arcs.items():
        if b == source - 1:
            m.add(x == 0)
        m.add(hops[b] == hops[a] + 1).only_enforce_if(x)
        m.add(power[a] >= energy[a][b] * x)
    m.minimize(sum(power))


def still_life(m, n):
    cell = {(r, c): m.new_bool_var("") if 0 < r <= n and 0 < c <= n else 0 for r in range(-1, n + 3) for c in range(-1, n + 3)}
    for r in range(n + 2):
        for c in range(n + 2):
            around = [cell[s, d] for s in (r - 1, r, r + 1) for d in (c - 1, c, c + 1) if (s, d) != (r, c)]
            around = [x for x in around if not isinstance(x, int)]
            count = m.new_int_var(0, 8, "")
            m.add(count == sum(around))
            if isinstance(cell[r, c], int):
                m.add(count != 3)
            else:
                m.add_linear_constraint(count, 2, 3).only_enforce_if(cell[r, c])
                m.add(count != 3).only_enforce_if(cell[r, c].negated())
    m.maximize(sum(cell.values()))


def queen_armies(m, n):
    squares = [(r, c) for r in range(n) for c in range(n)]
    white = {s: m.new_bool_var("") for s in squares}
    black = {s: m.new_bool_var("") for s in squares}
    lines = {}
    for r, c in squares:
        for line in (("row", r), ("column", c), ("down", r - c), ("up", r + c)):
            lines.setdefault(line, []).append((r, c))
    for line in lines.values():
        mine = m.new_bool_var("")
        for s in line:
            m.add_implication(white[s], mine)
            m.add_implication(black[s], mine.negated())
    m.add(sum(white.values()) == sum(black.values()))
    m.maximize(sum(white.values()))


def optimal_code(m, length, symbols, distance):
    words = [[]]
    for _ in range(length):
        words = [[*word, s] for word in words for s in range(symbols)]
    chosen = [m.new_bool_var("") for _ in words]
    for (v, x), (w, y) in combinations(zip(words, chosen), 2):
        if sum(a != b for a, b in zip(v, w)) < distance:
            m.add_at_most_one(x, y)
    m.add(chosen[0] == 1)
    m.maximize(sum(chosen))


def progressive_party(m, boats, periods, capacity, crew):
    host = [m.new_bool_var("") for _ in range(boats)]
    visits = [[[m.new_bool_var("") for _ in range(boats)] for _ in range(boats)] for _ in range(periods)]
    for at in visits:
        for b in range(boats):
            m.add_exactly_one(at[b])
            m.add(at[b][b] == host[b])
            for h in range(boats):
                m.add_implication(at[b][h], host[h])
        for h in range(boats):
            m.add(dot(crew, [at[b][h] for b in range(boats)]) <= capacity[h]).only_enforce_if(host[h])
    for b in range(boats):
        for h in range(boats):
            if b != h:
                m.add_at_most_one(at[b][h] for at in visits)
    for a, b in combinations(range(boats), 2):
        together = []
        for at in visits:
            met = m.new_bool_var("")
            together.append(met)
            for h in range(boats):
                m.add_bool_or(at[a][h].negated(), at[b][h].negated(), met)
        m.add_at_most_one(together)
    m.minimize(sum(host))


def project_scheduling(m, tasks, resources, duration, use, capacity, before):
    horizon = sum(duration)
    starts = [m.new_int_var(0, horizon, "") for _ in range(tasks)]
    finish = m.new_int_var(0, horizon, "")
    intervals = [m.new_fixed_size_interval_var(s, d, "") for s, d in zip(starts, duration)]
    for s, d in zip(starts, duration):
        m.add(s + d <= finish)
    for a, b in before:
        m.add(starts[a - 1] + duration[a - 1] <= starts[b - 1])
    for r in range(resources):
        m.add_cumulative(intervals, [row[r] for row in use], capacity[r])
    m.minimize(finish)


def tail_assignment(m, airports, aircraft, flights, ground, base, from_airport, to_airport, leaves, lands, cost):
    flown = []
    for a in range(aircraft):
        arcs = [(0, 0, m.new_bool_var(""))]
        flies = [m.new_bool_var("") for _ in range(flights)]
        for f in range(flights):
            arcs += [(f + 1, f + 1, flies[f].negated()), (f + 1, 0, m.new_bool_var(""))]
            if from_airport[f] == base[a]:
                arcs.append((0, f + 1, m.new_bool_var("")))
            for g in range(flights):
                if to_airport[f] == from_airport[g] and lands[f] + ground <= leaves[g]:
                    arcs.append((f + 1, g + 1, m.new_bool_var("")))
        m.add_circuit(arcs)
        flown.append(flies)
    for f in range(flights):
        m.add_exactly_one(flies[f] for flies in flown)
    m.minimize(sum(map(dot, cost, flown)))


def round_trip(m, cities, distance):
    arcs = [(a, b, m.new_bool_var("")) for a in range(cities) for b in range(cities) if a != b]
    m.add_circuit(arcs)
    m.minimize(sum(distance[a][b] * x for a, b, x in arcs))


def solved(problem, data, limit):
    """The result of CP-SAT for an instance after some seconds, and True if its objective is maximised."""
    model = cp_model.CpModel()
    globals()[problem.replace("-", "_")](model, **data)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = limit
    solver.parameters.num_workers = 8
    status = solver.solve(model)
    is_maximised = model.proto.objective.scaling_factor < 0
    result = {"by": "CP-SAT", "seconds": round(solver.wall_time, 1)}
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None, is_maximised
    if status == cp_model.OPTIMAL:
        return result | {"optimum": round(solver.objective_value)}, is_maximised
    bound = round(solver.best_objective_bound)
    return result | {"best known": round(solver.objective_value), "bound": bound}, is_maximised


def is_news(new, old, is_maximised):
    """True if a result is better than the one before: a proof, or a better value."""
    if "optimum" in old:
        assert new.get("optimum", old["optimum"]) == old["optimum"], "two values were proved optimal"
        return False
    if "optimum" in new or not old:
        return True
    new, old = new["best known"], old["best known"]
    return new > old if is_maximised else new < old


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--limit", type=float, default=60, metavar="SECONDS", help="time limit of an instance (60)")
    parser.add_argument("--filter", default="", metavar="TEXT", help="only instances with this in their names")
    options = parser.parse_args()
    for file in sorted(HERE.glob("*/*.json")):
        problem, size = file.parent.name, file.stem
        if options.filter not in f"{problem} {size}":
            continue
        result, is_maximised = solved(problem, json.loads(file.read_text()), options.limit)
        print(problem, size, result, flush=True)
        results = json.loads(FILE.read_text()) if FILE.exists() else {}
        if result and is_news(result, results.get(problem, {}).get(size, {}), is_maximised):
            results.setdefault(problem, {})[size] = result
            FILE.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
