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
        about="How well each worker does each job; where a pair is missing, the job cannot be done.",
    )
    assigned = m.find(
        "assigned",
        cl.Function(worker, job, injective=True),
        about="Which job each worker does. A worker may stay without one, and no job is done twice.",
    )
    m.require((cl.member(pair, cl.defined(worth)) for pair in assigned), name="Workers get only jobs that they can do.")
    m.maximise(
        cl.sum(w for pair, w in worth if cl.member(pair, assigned)),
        about="The worth of all jobs that are done.",
    )
    return m
