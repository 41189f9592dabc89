"""A Secret Hitler player who judges by what each government did, and by what it knows for certain.

python -m examples.secret_hitler_bot --host --bots 6
"""

from collections import defaultdict

from parlour_client import Decision, Move, command

DOUBT = {"fascist": 1.0, "liberal": -0.8}
"""How suspicious a government becomes by enacting such a policy."""
CERTAIN = 10


def bot(decision: Decision) -> Move | None:
    view, trusted = decision.view, trust(decision)
    ours = view["party"]
    wanted = [at for at, tile in enumerate(view["hand"]) if tile == ours]
    others = [at for at, tile in enumerate(view["hand"]) if tile != ours]
    if decision.can("ChancellorNomination"):
        friend = max(view["eligible"], key=lambda name: trusted[name])
        return decision.choose("ChancellorNomination", player=friend)
    if decision.can("Vote"):
        government = trusted[view["candidate"]] + trusted[view["chancellor"]]
        everybody = sum(trusted[player["username"]] for player in decision.alive)
        return decision.choose("Vote", ja=government / 2 >= everybody / len(decision.alive))
    if decision.can("PresidentPolicies"):
        return decision.choose("PresidentPolicies", keep=(wanted + others)[:2])
    if decision.can("ChancellorPolicy"):
        veto = None if wanted else decision.maybe("VetoRequest")
        return veto or decision.choose("ChancellorPolicy", enact=(wanted + others)[0])
    if decision.can("VetoConfirm"):
        return decision.choose("VetoConfirm", accept=not wanted)
    if decision.can("NextPresident"):
        friend = max(view["targets"], key=lambda name: trusted[name])
        return decision.choose("NextPresident", player=friend)
    for power in ("InvestigateAffiliation", "ExecutePlayer"):
        if decision.can(power):
            enemy = min(view["targets"], key=lambda name: trusted[name])
            return decision.choose(power, player=enemy)
    return decision.random()


def trust(decision: Decision) -> defaultdict[str, float]:
    """Return the degree to which each player seems to be on our side."""
    view = decision.view
    doubts: defaultdict[str, float] = defaultdict(float)
    for entry in view["history"]:
        if entry["by"] == "government":
            for who in (entry["president"], entry["chancellor"]):
                doubts[who] += DOUBT[entry["enacted"]]
            if entry["enacted"] == "fascist" and "liberal" in (entry["passedOn"] or ()):
                doubts[entry["chancellor"]] += CERTAIN  # we saw that there was a choice
    for who, known in view["knows"].items():
        doubts[who] = CERTAIN if known["party"] == "fascist" else -CERTAIN
        if known["role"] == "hitler" and view["fascist"] >= 3:
            doubts[who] += CERTAIN  # now the chancellor's chair wins
    doubts[decision.me] = CERTAIN if view["party"] == "fascist" else -CERTAIN
    side = 1 if view["party"] == "fascist" else -1
    return defaultdict(float, {who: side * doubt for who, doubt in doubts.items()})


if __name__ == "__main__":
    command(bot, "Secret Hitler, by deeds.", game="secret_hitler", name="Notary")
