import conjure_like as cl


def model() -> cl.Builder:
    m = cl.Builder(
        "Job shop",
        about="Each task takes some time on one machine, a machine works on one task at a time, and some tasks must be finished before others start. When should each task start so that all is done as early as possible?",
    )
    task = m.given_enum("task")
    machine = m.given_enum("machine")
    duration = m.given(
        "duration",
        cl.Function(task, cl.Int(1, None), total=True),
        about="How long each task takes, the machine that it runs on, and which task comes before which.",
    )
    runs_on = m.given("runs_on", cl.Function(task, machine, total=True))
    before = m.given("before", cl.Relation(task, task))
    horizon = m.letting(
        "horizon", cl.sum(duration(t) for t in task), about="One after the other the tasks take no longer than this."
    )
    start = m.find(
        "start",
        cl.Function(task, cl.Int(0, horizon), total=True),
        picture="gantt, lengths from duration, lanes from runs_on",
        about="When each task starts.",
    )
    finish = m.find("finish", cl.Int(0, horizon), about="When everything is done.")
    m.require((start(t) + duration(t) <= finish for t in task), name="Every task ends before everything is done.")
    m.require((start(a) + duration(a) <= start(b) for a, b in before), name="What comes before a task is done when it starts.")
    m.require(
        (
            (start(a) + duration(a) <= start(b)) | (start(b) + duration(b) <= start(a))
            for a in task
            for b in task
            if (a < b) & (runs_on(a) == runs_on(b))
        ),
        name="On the same machine, one task ends before the other begins, in either order.",
    )
    m.minimise(finish, about="The time at which everything is done.")
    return m
