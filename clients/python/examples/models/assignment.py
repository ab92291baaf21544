import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Assignment",
        about="Workers differ in what they can do and in how well they do it. Give each worker at most one job, and each job to at most one worker, for the greatest total worth.",
    )
    worker = m.given_enum("worker")
    job = m.given_enum("job")
    worth = m.given(
        "worth",
        cl.Function((worker, job), cl.Int(1, None)),
        about="Not every worker can do every job: where a pair is missing, the job cannot be done.",
    )
    assigned = m.find("assigned", cl.Function(worker, job, injective=True))
    m.require(cl.member(pair, cl.defined(worth)) for pair in assigned)
    m.maximise(
        cl.sum(w for pair, w in worth if cl.member(pair, assigned)),
        about="Both generators together range over the pairs with a worth that are assigned.",
    )
    return m
