"""The acceptance cases of puzzles, played over one transport. What Puzzlebox does well must come out the same; what it does
badly must come out as the target of the case says."""
from __future__ import annotations

import asyncio
import json
import re
import time
from pathlib import Path

from checks import Checks
from hub import Hub
from wire import Modern, Wire, answer_of

CASES = json.loads((Path(__file__).resolve().parents[1] / "acceptance/puzzle_cases.json").read_text())["cases"]
UPDATED, LIST_CHANGED = "notifications/resources/updated", "notifications/resources/list_changed"
NOTHING_MORE_SECONDS = 0.3
# So long the hub is silent between two notices that the list has changed.
LIST_GAP_SECONDS = 0.25
# Here Puzzlebox tells what we do not.
QUIETER = {"PB24-dangling-target", "PB35-log-stream"}
# What only revisions with sessions have.
OLD_ONLY = {"PB01-handshake", "PB35-log-stream", "PB38-stream-resume"}
NOT_FOUND = {True: -32002, False: -32602}
INVALID = -32602
LOOP = {"initialState": "A", "states": {"A": {"actions": {"go": {"targetState": "B"}}},
                                        "B": {"actions": {"go": {"targetState": "A"}}}}}


class Scene:
    """One case with a hub of its own, two clients, and what earlier steps have saved."""

    def __init__(self, case: dict, hub: Hub, way: type[Wire]):
        self.case, self.hub, self.way = case, hub, way
        self.saved: dict[str, str] = {}
        self.clients: dict[str, Wire] = {}

    async def __aenter__(self) -> Scene:
        for name in "AB":
            self.clients[name] = await self.way.open(self.hub.port)
        return self

    async def __aexit__(self, *_) -> None:
        for client in self.clients.values():
            client.close()

    def filled(self, value):
        """With the ids that were saved. An id that no step has given stays as it is."""
        text = re.sub(r"\$\{(\w+)\}", lambda name: self.saved.get(name[1], name[0]), json.dumps(value))
        return json.loads(text)

    async def play(self, step: dict):
        """What came of a step."""
        if "method" in step:
            return await self.request(step)
        if "expect_notifications" in step:
            wanted = self.filled(step["expect_notifications"])
            count = 0 if self.case["id"] in QUIETER else step["count"]
            seconds = NOTHING_MORE_SECONDS if count else wanted["within_ms"] / 1000
            return await self.clients[wanted["client"]].hears(wanted["method"], count, seconds, wanted.get("uri"))
        if "repeat" in step:
            return [await self.play(step["step"]) for _ in range(step["repeat"])]
        if "page_through" in step:
            return await self.pages(step["page_through"])
        if "race" in step:
            return await self.race(step["race"], step["action"])
        if "big_add_kib" in step:
            return await self.clients["A"].ask("tools/call", {"name": "add_puzzle", "arguments": {
                "config": {"initialState": "A", "states": {"A": {"exitGuard": "x" * (step["big_add_kib"] << 10)}}}}})
        if "cut_stream" in step:
            return await self.clients[step["cut_stream"]].cut()
        if "resume_stream" in step:
            return await self.clients[step["resume_stream"]].listen()
        if "restart" in step:
            self.hub.kill()
            await self.hub.start()
            return [await client.comes_back() for client in self.clients.values()]
        if "initialize" in step:
            return None
        raise ValueError(f"no such step: {step}")

    async def request(self, step: dict) -> dict:
        client, params = self.clients[step["client"]], self.filled(step["params"])
        if step["method"] == "resources/subscribe":
            return await client.subscribe(params["uri"])
        if step["method"] == "resources/unsubscribe":
            return await client.unsubscribe(params["uri"])
        answer = await client.ask(step["method"], params)
        if "save" in step and "result" in answer:
            self.saved[step["save"]] = answer_of(answer)[0].get("puzzleId", "none")
        return answer

    async def pages(self, method: str) -> list[list[dict]]:
        pages, cursor = [], None
        while True:
            answer = await self.clients["A"].ask(method, {"cursor": cursor} if cursor else {})
            pages.append(answer["result"]["resources"])
            cursor = answer["result"].get("nextCursor")
            if not cursor:
                return pages

    async def race(self, count: int, action: str) -> list[tuple[dict, bool]]:
        racers = await asyncio.gather(*(self.way.open(self.hub.port) for _ in range(count)))
        arguments = {"puzzleId": self.saved["pid"], "actionName": action}
        answers = await asyncio.gather(*(racer.call("perform_action_on_puzzle", **arguments) for racer in racers))
        for racer in racers:
            racer.close()
        return answers


async def play_all(checks: Checks, way: type[Wire]) -> None:
    """All cases, some at a time, each on a hub of its own."""
    few = asyncio.Semaphore(3)

    async def one(case: dict) -> None:
        async with few, Hub() as hub, Scene(case, hub, way) as scene:
            await judge(checks, scene)

    cases = [case for case in CASES if way.name in case["transports"] or way is Modern]
    async with asyncio.TaskGroup() as group:
        for case in cases:
            if way is not Modern or case["id"] not in OLD_ONLY:
                group.create_task(one(case))


async def judge(checks: Checks, scene: Scene) -> None:
    case = scene.case
    judge_of_case = JUDGES.get(case["id"].split("-")[0])
    if case["verdict"] == "exceed" and not judge_of_case:
        raise ValueError(f"nobody judges {case['id']}")
    came = []
    for number, step in enumerate(case["steps"]):
        came.append(await scene.play(step))
        if not judge_of_case:
            same, detail = is_same(scene, step, came[-1])
            checks.check(f"{scene.way.name}: {case['id']}, step {number + 1}: as Puzzlebox", same, detail)
    if judge_of_case:
        for rule, holds in (await judge_of_case(scene, came)).items():
            checks.check(f"{scene.way.name}: {case['id']}: {rule}", holds, came)


def is_same(scene: Scene, step: dict, came) -> tuple[bool, object]:
    """Whether the facts that Puzzlebox told are told."""
    observed = scene.filled(step["observed"])
    if "expect_notifications" in step:
        wanted = [{"method": message["method"], "params": message["params"]} for message in observed["messages"]]
        told = [{"method": message["method"], "params": uri_only(message)} for message in came]
        return told == wanted, told
    if "repeat" in step:
        return all("result" in answer for answer in came), came
    if "page_through" in step:
        uris = [resource["uri"] for page in came for resource in page if resource["uri"].startswith("puzzlebox:")]
        return (len(uris), len(set(uris))) == (observed["total"], observed["unique"]) and all(came), came
    if step["method"] == "tools/call":
        facts, told = json.loads(observed["result"]["content"][0]["text"]), answer_of(came)[0]
        return {field: told.get(field) for field in facts} == facts, told
    if step["method"] == "resources/list":
        ours = [(one["uri"], one["name"]) for one in came["result"]["resources"] if one["uri"].startswith("puzzlebox:")]
        return ours == [(one["uri"], one["name"]) for one in observed["result"]["resources"]], came
    if step["method"] == "resources/templates/list":
        ours = [{field: one.get(field) for field in observed["result"]["resourceTemplates"][0]}
                for one in came["result"]["resourceTemplates"]]
        return observed["result"]["resourceTemplates"][0] in ours, came
    return "result" in came, came


def uri_only(message: dict) -> dict:
    """What a notification says, but for what the protocol adds."""
    return {field: value for field, value in message["params"].items() if field != "_meta"}


def tool_error(came: dict, *words: str) -> bool:
    """Whether a tool has refused it, and named all this."""
    answer, is_error = answer_of(came)
    return is_error and all(word in json.dumps(answer["error"]) for word in words)


def faults(came: dict) -> list[str]:
    return [fault["path"] for fault in answer_of(came)[0]["error"].get("faults", [])]


async def count(scene: Scene) -> int:
    return (await scene.clients["A"].call("count_puzzles"))[0]["count"]


async def handshake(scene: Scene, came: list) -> dict[str, bool]:
    port, params = scene.hub.port, {"capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    old, new = [await scene.way.greet(port, {**params, "protocolVersion": version}) for version in
                ("2025-06-18", "2025-11-25")]
    modern = await Modern.open(port)
    discovered = await modern.ask("server/discover")
    modern.close()
    capabilities = old["result"]["capabilities"]
    return {
        "it answers with the version that was asked for": old["result"]["protocolVersion"] == "2025-06-18",
        "it says who it is": old["result"]["serverInfo"]["name"] == "turnroom",
        "it has what Puzzlebox has": {"prompts", "resources", "tools", "logging"} <= set(capabilities),
        "subscriptions and changes of the list": capabilities["resources"] == {"subscribe": True, "listChanged": True},
        "completions": "completions" in capabilities,
        "2025-11-25": new["result"]["protocolVersion"] == "2025-11-25",
        "2026-07-28": "2026-07-28" in json.dumps(discovered.get("result", {})),
    }


async def tools(_: Scene, came: list) -> dict[str, bool]:
    ours = {tool["name"]: tool["inputSchema"] for tool in came[0]["result"]["tools"]}
    needed = {"add_puzzle": {"config"}, "get_puzzle_snapshot": {"puzzleId"}, "count_puzzles": set(),
              "perform_action_on_puzzle": {"puzzleId", "actionName"}}
    rules = {f"{name} takes what it took": name in ours and wanted == set(ours[name].get("required", []))
             and wanted <= set(ours[name]["properties"]) for name, wanted in needed.items()}
    config = ours["add_puzzle"]["properties"]["config"]
    return {**rules, "any machine may be given": (config["type"], config["additionalProperties"]) == ("object", True)}


async def unknown_puzzle(scene: Scene, came: list) -> dict[str, bool]:
    error = came[2].get("error", {})
    return {
        "the snapshot names it": tool_error(came[0], "puzzle_not_found", "none"),
        "the action names it": tool_error(came[1], "puzzle_not_found", "none") and not answer_of(came[1])[0]["success"],
        "the read has the code of the revision": error.get("code") == NOT_FOUND[scene.way.is_old],
        "the read names the address": error.get("data", {}).get("uri") == "puzzlebox://puzzle/none",
    }


async def bad_arguments(_: Scene, came: list) -> dict[str, bool]:
    return {
        "what is missing is named": tool_error(came[0], "puzzleId") and tool_error(came[2], "actionName"),
        "what is of another kind is named": tool_error(came[1], "puzzleId", "7"),
        "a tool that does not exist": came[3].get("error", {}).get("code") == INVALID,
        "a call without a tool": came[4].get("error", {}).get("code") == INVALID,
    }


async def subscribe_anything(scene: Scene, came: list) -> dict[str, bool]:
    rules = {"a foreign address is refused": "error" in came[1]}
    if scene.way.is_old:
        return {**rules, "an unknown puzzle is refused": came[0].get("error", {}).get("code") == NOT_FOUND[True]}
    await scene.clients["A"].call("add_puzzle", config={**LOOP, "id": "none"})
    told = await scene.clients["B"].hears(UPDATED, 1, NOTHING_MORE_SECONDS, "puzzlebox://puzzle/none")
    return {**rules, "who waits for a puzzle is told when it comes": len(told) == 1}


async def list_changed(scene: Scene, came: list) -> dict[str, bool]:
    told = [*came[1], *await scene.clients["B"].hears(LIST_CHANGED, 1 - len(came[1]), NOTHING_MORE_SECONDS)]
    own = await scene.clients["A"].hears(LIST_CHANGED, 1, NOTHING_MORE_SECONDS)
    begun = time.monotonic()
    await asyncio.gather(*(scene.clients["A"].call("add_puzzle", config=LOOP) for _ in range(40)))
    most = 2 + (time.monotonic() - begun) / LIST_GAP_SECONDS
    many = await scene.clients["B"].hears(LIST_CHANGED, 1, 1.5)
    await scene.clients["A"].call("remove_puzzle", puzzleId=scene.saved["pid"])
    removed = await scene.clients["B"].hears(LIST_CHANGED, 1, NOTHING_MORE_SECONDS)
    return {"both are told once": (len(told), len(own)) == (1, 1),
            "not for each of many": 1 <= len(many) <= most, "also when one is removed": len(removed) == 1}


async def read(_: Scene, came: list) -> dict[str, bool]:
    contents = came[1]["result"]["contents"][0]
    told = json.loads(contents["text"])
    return {"it is JSON": contents["mimeType"] == "application/json",
            "it tells how the puzzle stands": (told["currentState"], told["availableActions"]) == ("DRAFT", ["SUBMIT"])}


async def read_foreign(scene: Scene, came: list) -> dict[str, bool]:
    foreign = [came[index].get("error", {}) for index in (0, 3, 4)]
    one_slash = json.loads(came[2]["result"]["contents"][0]["text"])
    return {
        "there is no such resource": all(error.get("code") == NOT_FOUND[scene.way.is_old] for error in foreign),
        "and it is named": all(error.get("data", {}).get("uri") for error in foreign),
        "one slash is the same": one_slash["puzzleId"] == scene.saved["pid"],
    }


async def malformed(_: Scene, came: list) -> dict[str, bool]:
    return {
        "no machine": tool_error(came[0], "config") and tool_error(came[1], "config"),
        "no initial state": "config.initialState" in faults(came[2]),
        "no states": "config.states" in faults(came[3]) and "config.states" in faults(came[4]),
        "no target": "config.states.A.actions.x.targetState" in faults(came[5]),
        "a machine in a string is taken": not answer_of(came[6])[1],
        "nothing else was added": answer_of(came[7])[0]["count"] == 1,
    }


async def empty_states(scene: Scene, came: list) -> dict[str, bool]:
    return {"it is refused": "config.states" in faults(came[0]), "there is none": await count(scene) == 0}


async def initial_missing(scene: Scene, came: list) -> dict[str, bool]:
    is_told = tool_error(came[0], "config.initialState", "`A`", "`B`")
    return {"it is refused, with the states there are": is_told, "there is none": await count(scene) == 0}


async def dangling_target(scene: Scene, came: list) -> dict[str, bool]:
    return {"it is refused": faults(came[0]) == ["config.states.A.actions.go.targetState"],
            "nobody is told of it": came[3] == [], "there is none": await count(scene) == 0}


async def key_and_name(scene: Scene, came: list) -> dict[str, bool]:
    return {"it is refused": {"config.states.a.name", "config.states.b.name"} <= set(faults(came[0])),
            "there is none": await count(scene) == 0}


async def duplicate(scene: Scene, came: list) -> dict[str, bool]:
    plain = [(await scene.clients["A"].call("add_puzzle", config=LOOP))[0]["puzzleId"] for _ in range(2)]
    return {
        "its id is honoured": scene.saved["p1"] == "mine",
        "a second use is refused": tool_error(came[1], "puzzle_exists", "mine"),
        "there is one": answer_of(came[2])[0]["count"] == 1,
        "it can be read": answer_of(came[3])[0].get("currentState") == "DRAFT",
        "without an id there are two": len(set(plain)) == 2,
    }


async def guards(scene: Scene, came: list) -> dict[str, bool]:
    client, judge_of_it = scene.clients["A"], {"reviewer": "@Bob"}
    answer = answer_of(came[1])[0]
    config = {"initialState": "A", "policy": judge_of_it, "states": {
        "A": {"exitGuard": "Is it done?", "actions": {"go": {"targetState": "B"}}}, "B": {"enterGuard": "Is it good?"}}}
    puzzle = (await client.call("add_puzzle", config=config))[0]["puzzleId"]
    about = {"puzzleId": puzzle}
    await scene.clients["B"].subscribe(f"puzzlebox://puzzle/{puzzle}")
    waiting = asyncio.create_task(client.call("perform_action_on_puzzle", **about, actionName="go", actor="@Ada",
                                              wait_seconds=30))
    asked = (await client.call("wait_for_puzzle", **about, since_version=1, timeout_seconds=30))[0]
    first = asked["pending"][0]["guardId"]
    heard = (await client.call("answer_guard", **about, guardId=first, verdict="pass", by="@Bob"))[0]
    second = heard["pending"][0]
    refused = (await client.call("answer_guard", **about, guardId=second["guardId"], verdict="refuse", by="@Bob",
                                 reason="it is not good"))[0]
    told, is_error = await waiting
    history = (await client.call("get_puzzle_history", **about))[0]["events"]
    return {
        "nobody can be asked: it is refused": tool_error(came[1], "guard_unavailable", "exitGuard"),
        "it stays where it is": answer_of(came[2])[0]["currentState"] == "A" and answer["currentState"] == "A",
        "exit first, then enter": (asked["pending"][0]["question"], second["question"]) == ("Is it done?", "Is it good?"),
        "a refusal keeps the state": refused["currentState"] == "A",
        "it says who, which and why": is_error and told["success"] is False and all(
            word in told["reason"] for word in ("@Bob", "enterGuard", "it is not good")),
        "the history tells it": [event["what"] for event in history] == ["added", "asked", "answered", "asked",
                                                                        "answered", "refused"],
    }


async def prompts(scene: Scene, came: list) -> dict[str, bool]:
    added = await scene.clients["A"].call("add_puzzle", config={**LOOP, "id": "p-mine"})
    completed = await scene.clients["A"].ask("completion/complete", scene.case["steps"][1]["params"])
    return {"prompts are served": "prompts" in came[0].get("result", {}),
            "ids are completed": added[0]["puzzleId"] in completed["result"]["completion"]["values"]}


async def log(scene: Scene, came: list) -> dict[str, bool]:
    return {"a level is taken": "result" in came[2], "it filters": came[4] == [],
            "a level that does not exist": came[7].get("error", {}).get("code") == INVALID}


async def race(_: Scene, came: list) -> dict[str, bool]:
    won = [answer for answer, is_error in came[1] if not is_error]
    lost = [answer for answer, is_error in came[1] if is_error]
    return {
        "one wins": [answer["success"] for answer in won] == [True],
        "the others know what they lost to": len(lost) == 39 and all(
            (answer["success"], answer["currentState"], answer["availableActions"]) == (False, "TAKEN", [])
            for answer in lost),
        "it is taken once": (answer_of(came[2])[0]["currentState"], answer_of(came[2])[0]["version"]) == ("TAKEN", 2),
    }


async def too_big(scene: Scene, came: list) -> dict[str, bool]:
    whole = await scene.play({"big_add_kib": 9 << 10})
    many = {f"S{number}": {} for number in range(201)}
    states = await scene.clients["A"].call("add_puzzle", config={"initialState": "S0", "states": many})
    actions = {f"a{number}": {"targetState": "A"} for number in range(51)}
    crowd = await scene.clients["A"].call("add_puzzle", config={"initialState": "A", "states": {"A": {"actions": actions}}})
    guard = await scene.clients["A"].call(
        "add_puzzle", config={"initialState": "A", "states": {"A": {"exitGuard": "x" * 4001}}})
    limits = [(came[0], "262144"), (came[1], "262144")]
    small = [(states, "200"), (crowd, "50"), (guard, "4,000")]
    return {
        "a machine that is too large": all(tool_error(one, "limit_exceeded", limit) for one, limit in limits),
        "states, actions, guards": all(is_error and answer["error"]["code"] == "limit_exceeded"
                                       and limit.replace(",", "") in answer["error"]["message"].replace(",", "")
                                       for (answer, is_error), limit in small),
        "a body that is too large": whole.get("http") == 413 and "8388608" in json.dumps(whole.get("error")),
        "nothing was added": await count(scene) == 0,
    }


async def resume(scene: Scene, came: list) -> dict[str, bool]:
    client, uri = scene.clients["B"], f"puzzlebox://puzzle/{scene.saved['pid']}"
    scene.hub.kill()
    await scene.hub.start()
    await client.comes_back()
    back = await client.hears(UPDATED, 1, NOTHING_MORE_SECONDS, uri)
    await scene.clients["A"].call("perform_action_on_puzzle", puzzleId=scene.saved["pid"], actionName="go")
    later = await client.hears(UPDATED, 1, NOTHING_MORE_SECONDS, uri)
    # It asks for a new one before the older one is gone.
    await client.listen()
    client.heard(UPDATED)
    await scene.clients["A"].call("perform_action_on_puzzle", puzzleId=scene.saved["pid"], actionName="go")
    again = await client.hears(UPDATED, 1, NOTHING_MORE_SECONDS, uri)
    return {"it was told": len(came[3]) == 1, "the missed one is replayed": len(came[7]) >= 1,
            "later ones come": len(came[9]) >= 1, "after a restart it is told that something may have changed": len(back) >= 1,
            "and of what comes then": len(later) >= 1, "and on the newest of two streams": len(again) >= 1}


async def restart(scene: Scene, came: list) -> dict[str, bool]:
    client, about = scene.clients["A"], {"puzzleId": scene.saved["pid"]}
    history = (await client.call("get_puzzle_history", **about))[0]["events"]
    return {
        "the puzzle is there": answer_of(came[3])[0]["count"] == 1,
        "in its state": answer_of(came[4])[0]["currentState"] == "B",
        "with its history": [(event["version"], event["what"]) for event in history] == [(1, "added"), (2, "moved")],
    }


JUDGES = {
    "PB01": handshake, "PB02": tools, "PB06": unknown_puzzle, "PB07": bad_arguments, "PB13": subscribe_anything,
    "PB15": list_changed, "PB19": read, "PB20": read_foreign, "PB21": malformed, "PB22": empty_states,
    "PB23": initial_missing, "PB24": dangling_target, "PB25": key_and_name, "PB28": duplicate, "PB31": guards,
    "PB34": prompts, "PB35": log, "PB36": race, "PB37": too_big, "PB38": resume, "PB39": restart,
}
