#!/usr/bin/env python3
"""Writes the instances: PROBLEM/SIZE.param for Essence, and the same data as PROBLEM/SIZE.json for the others.

Each problem has a small instance, of the size that a textbook shows, a middle one, as for homework, and a large one,
of the size that papers measure. What is random has a fixed seed, so that the same files come out each time. RESULTS holds
what is known of the best value of each instance; `optima.py` finds these values without conjure-like.
"""

import json
import random
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
from parameters import FromZero, Relation, Sets, essence  # noqa: E402

SIZES = ("small", "middle", "large")
RESULTS = json.loads((HERE / "results.json").read_text()) if (HERE / "results.json").exists() else {}


# Optima from the literature that CP-SAT takes longer to prove; the comments of the instances cite the sources.
PUBLISHED = {
    ("optimal-code", "large"): 20,
    ("progressive-party", "large"): 13,
    ("queen-armies", "large"): 17,
}


def write(problem, size, about, **data):
    published = PUBLISHED.get((problem, size))
    known = {"optimum": published} if published else RESULTS.get(problem, {}).get(size)
    lines = [f"$ {line}" for line in (*about.splitlines(), "model: model.essence", outcome(known))] + [""]
    lines += [f"letting {name} be {essence(value)}" for name, value in data.items()]
    (HERE / problem / f"{size}.param").write_text("\n".join(lines) + "\n")
    (HERE / problem / f"{size}.json").write_text(json.dumps({name: plain_data(value) for name, value in data.items()}) + "\n")


def outcome(known):
    if known is None:
        return "best known: nothing yet"
    if "optimum" in known:
        return f"optimum: {known['optimum']}"
    return f"best known: {known['best known']} ({known['by']}, {known['seconds']} s; the bound is {known['bound']})"


def plain_data(value):
    """A value as MiniZinc reads it: a function to sets holds sets; other sets are lists."""
    is_table = isinstance(value, list) and not isinstance(value, Sets)
    return [{"set": one} if isinstance(one, Sets) else one for one in value] if is_table else value


def seeded(problem, size):
    return random.Random(f"{problem} {size}")


def places(count, rng, side=100):
    return [(rng.randint(0, side), rng.randint(0, side)) for _ in range(count)]


def distances(points):
    return [[round(((a - c) ** 2 + (b - d) ** 2) ** 0.5) for c, d in points] for a, b in points]


def bin_packing(size, things, capacity, least, most):
    rng = seeded("bin-packing", size)
    extent = [rng.randint(least, most) for _ in range(things)]
    about = f"Random sizes between {least} and {most}."
    write("bin-packing", size, about, things=things, capacity=capacity, extent=extent)


def steel_mill(size, orders, colours, capacities):
    rng = seeded("steel-mill", size)
    weight = [rng.randint(1, max(capacities) // 2) for _ in range(orders)]
    colour = [rng.randint(1, colours) for _ in range(orders)]
    write(
        "steel-mill", size, "Random orders; they weigh up to half the largest capacity.",
        orders=orders, colours=colours, weight=weight, colour=colour, capacities=Sets(capacities),
    )  # fmt: skip


def balanced_curriculum(size, courses, periods, edges):
    rng = seeded("balanced-curriculum", size)
    credit = [rng.randint(1, 5) for _ in range(courses)]
    level = [rng.randint(1, periods) for _ in range(courses)]
    pairs = [(a, b) for a in range(1, courses + 1) for b in range(1, courses + 1) if 0 < level[a - 1] - level[b - 1] <= 2]
    mean, load = courses // periods, sum(credit) // periods
    write(
        "balanced-curriculum", size, "Random credits; a course builds on some that are planned a year before.",
        courses=courses, periods=periods, credits=credit, requires=Relation(sorted(rng.sample(pairs, edges))),
        least_load=max(0, load - 5), most_load=load + 6, least_courses=max(1, mean - 2), most_courses=mean + 2,
    )  # fmt: skip


def warehouse_location(size, warehouses, stores, upkeep):
    rng = seeded("warehouse-location", size)
    at, shops = places(warehouses, rng), places(stores, rng)
    capacity = [rng.randint(1, max(2, 3 * stores // warehouses)) for _ in at]
    while sum(capacity) < 1.5 * stores:
        capacity[rng.randrange(warehouses)] += 1
    cost = [[abs(a - c) + abs(b - d) for c, d in at] for a, b in shops]
    write(
        "warehouse-location", size, "Random places in the plane.",
        warehouses=warehouses, stores=stores, upkeep=upkeep, capacity=capacity, cost=cost,
    )  # fmt: skip


def template_design(size, about, slots, templates, demand):
    write(
        "template-design", size, about,
        designs=len(demand), slots=slots, templates=templates, demand=demand,
    )  # fmt: skip


def lot_sizing(size, orders, periods, items):
    rng = seeded("lot-sizing", size)
    item = sorted(rng.randint(1, items) for _ in range(orders))
    while True:  # orders of the same item have different due dates, and all can be met
        due = [rng.randint(2, periods) for _ in item]
        if len(set(zip(item, due))) == orders and all(sum(d <= p for d in due) <= p for p in range(1, periods + 1)):
            break
    item, due = zip(*sorted(zip(item, due)))
    change = [[0 if a == b else rng.randint(10, 30) for b in range(items)] for a in range(items)]
    write(
        "lot-sizing", size, "Random orders, which can all be made in time.",
        orders=orders, periods=periods, items=items, stocking=2, item=item, due=due, change=change,
    )  # fmt: skip


def transshipment(size, warehouses, hubs, customers, most):
    rng = seeded("transshipment", size)
    demand = [rng.randint(1, most) for _ in range(customers)]
    stock = [sum(demand) // warehouses + rng.randint(1, most) for _ in range(warehouses)]
    write(
        "transshipment", size, "Random demand and costs; there is a little more than enough.",
        warehouses=warehouses, hubs=hubs, customers=customers, stock=stock, demand=demand,
        cost_in=[[rng.randint(5, 60) for _ in range(hubs)] for _ in range(warehouses)],
        cost_out=[[rng.randint(5, 60) for _ in range(customers)] for _ in range(hubs)],
    )  # fmt: skip


def vehicle_routing(size, customers, vehicles, capacity):
    rng = seeded("vehicle-routing", size)
    while True:
        demand = [rng.randint(5, 25) for _ in range(customers)]
        if 0.85 < sum(demand) / (vehicles * capacity) < 0.93:
            break
    write(
        "vehicle-routing", size, "Random places in the plane; the vehicles are about nine tenths full.",
        customers=customers, vehicles=vehicles, capacity=capacity, demand=demand,
        distance=FromZero(distances([(50, 50), *places(customers, rng)])),
    )  # fmt: skip


def rack_configuration(size, about, places, models, cards):
    """A model is its power, its connectors and its price; a card the power that it needs and how many there are."""
    power, connectors, price = map(list, zip(*models))
    needs, demand = map(list, zip(*cards))
    write(
        "rack-configuration", size, about,
        models=len(models), cards=len(cards), places=places,
        power=power, connectors=connectors, price=price, needs=needs, demand=demand,
    )  # fmt: skip


def sonet(size, nodes, rings, capacity, density):
    rng = seeded("sonet", size)
    pairs = [[a, b] for a in range(1, nodes + 1) for b in range(a + 1, nodes + 1)]
    traffic = sorted(rng.sample(pairs, round(len(pairs) * density)))
    write("sonet", size, "Random traffic.", nodes=nodes, rings=rings, capacity=capacity, traffic=Sets(traffic))


def bus_drivers(size, pieces, shifts, longest):
    """Some shifts come from a plan that covers all pieces, so that there is a solution."""
    rng = seeded("bus-drivers", size)
    covers = set()
    for _ in range(2):
        left = rng.sample(range(1, pieces + 1), pieces)
        while left:
            length = rng.randint(2, longest)
            covers.add(tuple(sorted(left[:length])))
            left = left[length:]
    while len(covers) < shifts:
        covers.add(tuple(sorted(rng.sample(range(1, pieces + 1), rng.randint(2, longest)))))
    write(
        "bus-drivers", size, "Random shifts, and those of two plans that cover all.",
        pieces=pieces, shifts=shifts, covers=[Sets(shift) for shift in sorted(covers)],
    )  # fmt: skip


def tank_allocation(size, tanks, liquids):
    """The tanks stand in two rows. The amounts come from a random allocation that leaves a fifth free."""
    rng = seeded("tank-allocation", size)
    numbers = range(1, tanks + 1)
    neighbours = [[t, t + 2] for t in numbers if t + 2 <= tanks] + [[t, t + 1] for t in numbers if t % 2 and t < tanks]
    capacity = [rng.randint(10, 40) * 10 for _ in numbers]
    holds = [rng.randint(1, liquids) if rng.random() < 0.8 else 0 for _ in numbers]
    for liquid, tank in enumerate(rng.sample(range(tanks), liquids), 1):
        holds[tank] = liquid
    amount = [
        round(sum(c for c, held in zip(capacity, holds) if held == liquid) * rng.uniform(0.7, 0.98))
        for liquid in range(1, liquids + 1)
    ]
    touching = {tuple(sorted((holds[a - 1], holds[b - 1]))) for a, b in neighbours}
    apart = [[a, b] for a in range(1, liquids + 1) for b in range(a + 1, liquids + 1) if (a, b) not in touching]
    not_in = [(liquid, t) for liquid in range(1, liquids + 1) for t in numbers if holds[t - 1] != liquid]
    write(
        "tank-allocation", size, "Tanks in two rows; the amounts are those of a random allocation.",
        tanks=tanks, liquids=liquids, capacity=capacity, amount=amount, neighbours=Sets(sorted(neighbours)),
        dangerous=Sets(sorted(rng.sample(apart, min(len(apart), liquids)))),
        forbidden=Relation(sorted(rng.sample(not_in, tanks))),
    )  # fmt: skip


def broadcasting(size, nodes):
    points = places(nodes, seeded("broadcasting", size), 30)
    energy = [[(a - c) ** 2 + (b - d) ** 2 for c, d in points] for a, b in points]
    about = "Random places; the energy is the square of the distance."
    write("broadcasting", size, about, nodes=nodes, source=1, energy=energy)


def progressive_party(size, about, periods, fleet):
    capacity, crew = map(list, zip(*fleet))
    write("progressive-party", size, about, boats=len(fleet), periods=periods, capacity=capacity, crew=crew)


def random_fleet(size, boats):
    rng = seeded("progressive-party", size)
    return [(rng.randint(5, 12), rng.randint(2, 4)) for _ in range(boats)]


def project_scheduling(size, tasks, resources, most_needed):
    """Each task has one or two predecessors among the tasks before it."""
    rng = seeded("project-scheduling", size)
    duration = [rng.randint(1, 10) for _ in range(tasks)]
    before = set()
    for late in range(4, tasks + 1):
        near = range(max(1, late - max(4, tasks // 3)), late)
        before |= {(early, late) for early in rng.sample(near, rng.randint(1, min(2, len(near))))}
    use = [[0] * resources for _ in range(tasks)]
    for row in use:
        for resource in rng.sample(range(resources), rng.randint(1, most_needed)):
            row[resource] = rng.randint(1, 10)
    write(
        "project-scheduling", size, "A random project, like those of PSPLIB.",
        tasks=tasks, resources=resources, duration=duration, use=use,
        capacity=[rng.randint(12, 16) for _ in range(resources)], before=Relation(sorted(before)),
    )  # fmt: skip


def tail_assignment(size, airports, aircraft, flights):
    """The flights come from a random plan in which every aircraft departs from its last airport."""
    rng = seeded("tail-assignment", size)
    base = [rng.randint(1, airports) for _ in range(aircraft)]
    plan = []
    at, free = list(base), [rng.randint(0, 20) for _ in base]
    while len(plan) < flights:
        a = min(range(aircraft), key=free.__getitem__)
        to = rng.choice([airport for airport in range(1, airports + 1) if airport != at[a]])
        leaves = free[a] + rng.randint(0, 10)
        lands = leaves + rng.randint(10, 30)
        plan.append((leaves, lands, at[a], to))
        at[a], free[a] = to, lands + 5
    leaves, lands, start, end = map(list, zip(*sorted(plan)))
    write(
        "tail-assignment", size, "The flights of a random plan, and random costs.",
        airports=airports, aircraft=aircraft, flights=flights, ground=5, base=base,
        from_airport=start, to_airport=end, leaves=leaves, lands=lands,
        cost=[[rng.randint(10, 50) for _ in plan] for _ in base],
    )  # fmt: skip


def round_trip(size, cities):
    points = places(cities, seeded("round-trip", size))
    write("round-trip", size, "Random places in the plane.", cities=cities, distance=distances(points))


def simple(problem, about, **columns):
    for size, *values in zip(SIZES, *columns.values()):
        write(problem, size, about, **dict(zip(columns, values)))


# Capacity and crew of the boats at the party that gave the problem its name; the last three can only be guests.
PARTY = [
    (6, 2), (8, 2), (12, 2), (12, 2), (12, 4), (12, 4), (12, 4), (10, 1), (10, 2), (10, 2), (10, 2), (10, 3), (8, 4), (8, 2),
    (8, 3), (12, 6), (8, 2), (8, 2), (8, 4), (8, 2), (8, 4), (8, 5), (7, 4), (7, 4), (7, 2), (7, 2), (7, 4), (7, 5), (6, 2),
    (6, 4), (6, 2), (6, 2), (6, 2), (6, 2), (6, 2), (6, 2), (6, 4), (6, 5), (9, 7), (0, 2), (0, 3), (0, 4),
]  # fmt: skip

# The cost of supplying each store from each warehouse, from CSPLib's example.
STORES = [
    [20, 24, 11, 25, 30], [28, 27, 82, 83, 74], [74, 97, 71, 96, 70], [2, 55, 73, 69, 61], [46, 96, 59, 83, 4],
    [42, 22, 29, 67, 59], [1, 5, 73, 59, 56], [10, 73, 13, 43, 96], [93, 35, 63, 85, 46], [47, 65, 55, 71, 95],
]  # fmt: skip

if __name__ == "__main__":
    bin_packing("small", 8, 20, 4, 12)
    bin_packing("middle", 24, 100, 20, 70)
    bin_packing("large", 100, 150, 20, 100)
    steel_mill("small", 6, 3, [5, 7, 9])
    steel_mill("middle", 15, 6, [12, 14, 17, 18, 19])
    steel_mill("large", 50, 20, [12, 14, 17, 18, 19, 20, 23, 24, 25, 26, 27, 28, 29, 30, 32, 35, 39, 42, 43, 44])
    balanced_curriculum("small", 8, 3, 5)
    balanced_curriculum("middle", 24, 6, 18)
    balanced_curriculum("large", 66, 12, 65)
    write(
        "warehouse-location", "small", "The example of CSPLib.",
        warehouses=5, stores=10, upkeep=30, capacity=[1, 4, 2, 1, 3], cost=STORES,
    )  # fmt: skip
    warehouse_location("middle", 8, 20, 60)
    warehouse_location("large", 20, 50, 100)
    template_design("small", "Four designs.", 5, 2, [20, 35, 50, 90])
    template_design("middle", "The cat food labels of CSPLib.", 9, 2, [250, 255, 260, 500, 500, 800, 1100])
    herbs = [60, 60] + [70] * 8 + [80] * 4 + [90] * 5 + [100] * 4 + [150] + [230] * 4 + [280] * 2
    template_design("large", "Thirty designs, about as the herb cartons of CSPLib.", 42, 3, herbs)
    lot_sizing("small", 5, 7, 3)
    lot_sizing("middle", 10, 12, 4)
    lot_sizing("large", 30, 36, 6)
    transshipment("small", 2, 2, 3, 10)
    transshipment("middle", 3, 3, 8, 20)
    transshipment("large", 10, 10, 40, 60)
    vehicle_routing("small", 5, 2, 45)
    vehicle_routing("middle", 10, 3, 60)
    vehicle_routing("large", 40, 5, 130)
    two = [(150, 8, 150), (200, 16, 200)]
    rack_configuration("small", "Three cards.", 4, [(100, 4, 100), (150, 6, 140)], [(20, 5), (40, 3), (50, 2)])
    rack_configuration("middle", "The second instance of CSPLib.", 10, two, [(20, 20), (40, 8), (50, 4), (75, 2)])
    six = [(50, 2, 50), (150, 4, 150), (250, 6, 250), (350, 10, 320), (500, 14, 440), (700, 18, 600)]
    rack_configuration(
        "large", "Six models and six cards.", 16, six,
        [(20, 30), (40, 16), (50, 10), (75, 8), (90, 6), (120, 4)],
    )  # fmt: skip
    sonet("small", 5, 3, 3, 0.6)
    sonet("middle", 8, 4, 4, 0.45)
    sonet("large", 16, 8, 6, 0.3)
    bus_drivers("small", 8, 12, 3)
    bus_drivers("middle", 24, 77, 4)
    bus_drivers("large", 60, 600, 6)
    tank_allocation("small", 6, 3)
    tank_allocation("middle", 14, 6)
    tank_allocation("large", 40, 16)
    broadcasting("small", 5)
    broadcasting("middle", 10)
    broadcasting("large", 20)
    simple("still-life", "The best values are OEIS A055397.", n=[4, 7, 10])
    simple("queen-armies", "The best values are OEIS A250000.", n=[4, 7, 11])
    simple("optimal-code", "The best values are in Brouwer's tables.", length=[5, 6, 8], symbols=[2, 2, 2], distance=[3, 3, 3])
    progressive_party("small", "Six random boats.", 2, random_fleet("small", 6))
    progressive_party("middle", "Twelve random boats.", 3, random_fleet("middle", 12))
    progressive_party("large", "The party of CSPLib, where thirteen hosts are known to be enough and needed.", 6, PARTY)
    project_scheduling("small", 6, 2, 2)
    project_scheduling("middle", 14, 2, 2)
    project_scheduling("large", 60, 4, 2)
    tail_assignment("small", 3, 2, 6)
    tail_assignment("middle", 4, 3, 14)
    tail_assignment("large", 6, 7, 42)
    round_trip("small", 6)
    round_trip("middle", 14)
    round_trip("large", 58)
