//! Every budget, with the worst that was measured.

use super::budget::{self, Check, number, ratio};
use super::counts::{Calls, Counts};
use super::figures::{CommandFigures, EditCounts, HookFigures, Measured, PlaceFigures};
use super::session_start;
use super::times::Cost;

/// All budgets that something was measured for.
pub(super) fn all(measured: &Measured) -> Vec<Check> {
    let checks = [
        hook(measured),
        edit(measured),
        start(measured),
        places(measured),
        handler(measured),
        commands(measured),
        sync(measured),
        peer_sync(measured),
        active(measured),
        build(measured),
        scale(measured),
        public_items(measured),
    ];
    checks.into_iter().flatten().flatten().collect()
}

type Checks = Vec<Option<Check>>;

fn hook(measured: &Measured) -> Checks {
    let of = |what, limit, figure: &dyn Fn(&HookFigures) -> Option<f64>| {
        let cases = measured.hooks.iter().filter_map(|case| Some((case.title.clone(), figure(case)?)));
        Check::of(what, limit, cases)
    };
    let calls = |case: &HookFigures, count: fn(&Calls) -> u64| case.many.calls.as_ref().map(count).map(number);
    let growth = |few: Option<u64>, many: Option<u64>| Some(ratio(many?, few?));
    let all = |counts: &Counts| counts.calls.map(|calls| calls.all);
    let (shell_true, nothing) =
        (measured.around_hooks.map(|it| it.shell_true), measured.around_hooks.map(|it| it.nothing));
    let large = measured.large_event.map(|cost| ("64 KiB".to_owned(), number(cost.memory)));
    vec![
        of("hook: instructions, static", budget::INSTRUCTIONS, &|case| case.many.instructions.map(number)),
        of("hook: system calls, static", budget::SYSCALLS, &|case| calls(case, |calls| calls.all)),
        of("hook: instructions, 10 000 / 10 plugins", budget::GROWTH, &|case| {
            growth(case.few.instructions, case.many.instructions)
        }),
        of("hook: system calls, 10 000 / 10 plugins", budget::GROWTH, &|case| growth(all(&case.few), all(&case.many))),
        of("hook: children and threads", budget::NONE, &|case| calls(case, |calls| calls.children)),
        of("hook: sockets", budget::NONE, &|case| calls(case, |calls| calls.sockets)),
        of("hook: peak memory in KiB, static", budget::MEMORY, &|case| Some(number(case.shipped.memory))),
        Check::of("hook: peak memory in KiB, event of 64 KiB", budget::MEMORY, large),
        of("hook: peak memory in KiB, ordinary", budget::MEMORY, &|case| Some(number(case.ordinary?.memory))),
        of("hook: least wall / `/bin/true`, static", budget::WALL, &|case| {
            Some(ratio(case.shipped.wall, shell_true?.wall))
        }),
        of("hook: CPU / do-nothing, ordinary", budget::CPU, &|case| Some(ratio(case.ordinary?.cpu, nothing?.cpu))),
    ]
}

/// An edit of a Rust file about which everything was told.
fn edit(measured: &Measured) -> Checks {
    let Some(EditCounts { edit, idle }) = measured.edit else { return Vec::new() };
    let at = || "claude edit of 20 KiB".to_owned();
    let ratio = edit.instructions.zip(idle.instructions).map(|(edit, idle)| (at(), ratio(edit, idle)));
    let calls = |count: fn(&Calls) -> u64| edit.calls.as_ref().map(count).map(|count| (at(), number(count)));
    vec![
        Check::of("edit: instructions / idle hook, static", budget::EDIT, ratio),
        Check::of("edit: children and threads", budget::NONE, calls(|calls| calls.children)),
        Check::of("edit: sockets", budget::NONE, calls(|calls| calls.sockets)),
    ]
}

/// The start of a session with very many dependencies.
fn start(measured: &Measured) -> Checks {
    let (Some(start), Some(EditCounts { idle, .. })) = (measured.start, measured.edit) else { return Vec::new() };
    let at = || session_start::TITLE.to_owned();
    let ratio = start.counts.instructions.zip(idle.instructions).map(|(start, idle)| (at(), ratio(start, idle)));
    let calls = |count: fn(&Calls) -> u64| start.counts.calls.as_ref().map(count).map(|count| (at(), number(count)));
    let answer = u64::try_from(start.answer).ok().map(|bytes| (at(), number(bytes)));
    let cpu = start.times.map(|times| (at(), self::ratio(times.hook.cpu, times.nothing.cpu)));
    vec![
        Check::of("session start: CPU / do-nothing, static", budget::COMMAND, cpu),
        Check::of("session start: instructions / idle hook, static", budget::START, ratio),
        Check::of("session start: bytes of the answer", budget::START_ANSWER, answer),
        Check::of("session start: children and threads", budget::NONE, calls(|calls| calls.children)),
        Check::of("session start: sockets", budget::NONE, calls(|calls| calls.sockets)),
    ]
}

/// The hook wherever it is called.
fn places(measured: &Measured) -> Checks {
    let of = |what: &str, limit, figure: &dyn Fn(&PlaceFigures) -> Option<f64>| {
        let places = measured.places.iter().filter_map(|place| Some((place.full_title(), figure(place)?)));
        Check::of(what, limit, places)
    };
    vec![
        of("hook anywhere: instructions, static", budget::INSTRUCTIONS, &|place| place.counts.instructions.map(number)),
        of("hook anywhere: system calls, static", budget::SYSCALLS, &|place| {
            place.counts.calls.map(|calls| number(calls.all))
        }),
        of("hook anywhere: least wall / `/bin/true`, static", budget::WALL, &|place| {
            Some(ratio(place.cost.wall, place.around.shell_true.wall))
        }),
    ]
}

fn handler(measured: &Measured) -> Checks {
    let Some(figures) = measured.handler else { return Vec::new() };
    let of = |what: &str, part: fn(&Cost) -> u64| {
        let allowed = part(&figures.direct) + 2 * part(&figures.nothing);
        let both = [("static", figures.shipped), ("ordinary", figures.ordinary)];
        Check::of(what, budget::HANDLER, both.map(|(title, cost)| (title.to_owned(), ratio(part(&cost), allowed))))
    };
    vec![
        of("one handler: CPU / (handler + 2 do-nothing)", |cost| cost.cpu),
        of("one handler: least wall / (handler + 2 do-nothing)", |cost| cost.wall),
    ]
}

fn commands(measured: &Measured) -> Checks {
    let Some(nothing) = measured.around_commands else { return Vec::new() };
    let mut titles: Vec<&str> = measured.commands.iter().map(|figures| figures.title).collect();
    titles.dedup();
    titles.sort_unstable();
    titles.dedup();
    let mut checks = Vec::new();
    for title in titles {
        let few = measured.commands.iter().filter(|it| it.title == title && it.plugins <= budget::COMMAND_PLUGINS);
        let builds = few.flat_map(|it| {
            let both = [("static", it.shipped), ("ordinary", it.ordinary)];
            both.map(|(build, cost)| Some((format!("{build}, {}", it.full_title()), ratio(cost?.cpu, nothing.cpu))))
        });
        let what = format!("{title}: CPU / do-nothing, up to 1 000 plugins");
        checks.push(Check::of(&what, budget::COMMAND, builds.flatten()));
    }
    let growth = measured.commands.iter().filter(|it| it.plugins == 10_000).filter_map(|many| {
        let few = measured
            .commands
            .iter()
            .find(|it| (it.title, it.shape, it.plugins) == (many.title, many.shape, budget::COMMAND_PLUGINS))?;
        Some((many.full_title(), ratio(many.shipped?.cpu, few.shipped?.cpu)))
    });
    checks.push(Check::of("commands: CPU, 10 000 / 1 000 plugins", budget::COMMAND_GROWTH, growth));
    let lock =
        measured.commands.iter().filter(|it| it.title == "crate serde" && it.plugins == 10 && it.shape.packages == 600);
    let lock = lock.filter_map(|it| Some((it.full_title(), number(it.shipped?.cpu) / 1_000.0)));
    checks.push(Check::of("all of `crate NAME` with a `Cargo.lock` of 600 packages: CPU in ms", budget::LOCK, lock));
    checks
}

fn sync(measured: &Measured) -> Checks {
    let of = |what: &str, count: fn(&Calls) -> u64| {
        let syncs = measured.commands.iter().filter(|it| it.title.starts_with("sync"));
        let counted = |it: &CommandFigures| it.counts?.calls.as_ref().map(count).map(number);
        Check::of(what, budget::NONE, syncs.filter_map(|it| Some((it.full_title(), counted(it)?))))
    };
    let cold = measured.cold.iter().map(|(title, cost)| (title.clone(), number(cost.cpu) / 1_000.0));
    vec![
        of("sync, nothing changed: children and threads", |calls| calls.children),
        of("sync, nothing changed: sockets", |calls| calls.sockets),
        Check::of("first sync, 400 packages, 1 000 plugins: CPU in ms", budget::COLD, cold),
    ]
}

fn build(measured: &Measured) -> Checks {
    let build = &measured.build;
    let one = |what: &str, limit, figure: Option<f64>| {
        Check::of(what, limit, figure.map(|figure| ("all".to_owned(), figure)))
    };
    let sizes = [("static", Some(build.static_size)), ("ordinary", build.ordinary_size)];
    let sizes = sizes.into_iter().filter_map(|(title, size)| Some((title.to_owned(), number(size?))));
    vec![
        Check::of("program: bytes", budget::SIZE, sizes),
        one("program: packages of others", budget::DEPENDENCIES, build.dependencies.map(number)),
        one("hook: packages of others", budget::HOOK_DEPENDENCIES, build.hook_dependencies.map(number)),
        one("clean build: CPU in s", budget::BUILD, build.clean.map(|clean| clean.cpu.as_secs_f64())),
    ]
}

fn public_items(measured: &Measured) -> Checks {
    let Some(api) = &measured.api else { return Vec::new() };
    let all = api.cold.iter().chain(&api.warm);
    let first = api.cold.iter().take(1).map(|(title, cost)| (title.clone(), number(cost.cpu) / 1_000.0));
    let again = api.warm.iter().map(|(title, cost)| (title.clone(), ratio(cost.cpu, api.nothing.cpu)));
    let calls =
        |count: fn(&Calls) -> u64| api.counts.calls.as_ref().map(|calls| ("warm".to_owned(), number(count(calls))));
    let words = format!("public items, words over {} dependencies, warm: CPU / do-nothing", api.dependencies);
    vec![
        Check::of("public items, the first question: CPU in ms", budget::ITEMS_COLD, first),
        Check::of("public items, a crate or a path, warm: CPU / do-nothing", budget::ITEMS, again.clone().take(2)),
        Check::of(&words, budget::ITEMS_WORDS, again.skip(2)),
        Check::of(
            "public items: peak memory in KiB",
            budget::ITEMS_MEMORY,
            all.map(|(title, cost)| (title.clone(), number(cost.memory))),
        ),
        Check::of(
            "public items: bytes in the cache",
            budget::ITEMS_CACHE,
            [("all".to_owned(), number(api.cache_bytes))],
        ),
        Check::of("public items, warm: children and threads", budget::NONE, calls(|calls| calls.children)),
        Check::of("public items, warm: sockets", budget::NONE, calls(|calls| calls.sockets)),
    ]
}

fn active(measured: &Measured) -> Checks {
    let builds = measured.active.into_iter().flat_map(|it| [("static", it.shipped), ("ordinary", it.ordinary)]);
    let times = builds.filter_map(|(build, costs)| Some((build, costs?)));
    let growth = |of: &str| {
        let of = times.clone().filter(move |(build, _)| *build == of);
        of.map(|(build, [few, many])| (build.to_owned(), ratio(many.cpu, few.cpu))).collect::<Vec<_>>()
    };
    let instructions = measured.active.and_then(|it| {
        let [few, many] = it.counts;
        Some(("static".to_owned(), ratio(many.instructions?, few.instructions?)))
    });
    let calls =
        |counts: Option<Counts>| counts.and_then(|counts| Some(("static".to_owned(), number(counts.calls?.all))));
    let before_tool = calls(measured.active.map(|it| it.counts[1]));
    let prompt = calls(measured.active.map(|it| it.prompt));
    vec![
        Check::of("hook: CPU, 1 000 / 10 active plugins, static", budget::ACTIVE, growth("static")),
        Check::of("hook: CPU, 1 000 / 10 active plugins, ordinary", budget::ACTIVE, growth("ordinary")),
        Check::of("hook: instructions, 1 000 / 10 active plugins", budget::ACTIVE_INSTRUCTIONS, instructions),
        Check::of("hook: system calls, 1 000 active plugins", budget::ACTIVE_CALLS, before_tool),
        Check::of("hook: system calls, prompt, 1 000 active plugins", budget::ACTIVE_PROMPT_CALLS, prompt),
    ]
}

fn peer_sync(measured: &Measured) -> Checks {
    let share = measured.peer_sync.iter().flat_map(|it| {
        [("static", it.shipped), ("ordinary", it.ordinary)]
            .map(|(build, cost)| (format!("{} plugins, {build}", it.plugins), ratio(cost.cpu, it.peer.cpu)))
    });
    let pairs = measured.peer_sync.iter().zip(measured.peer_sync.iter().skip(1));
    let growth = pairs.map(|(tenth, whole)| (format!("{} plugins", whole.plugins), tenth.shipped, whole.shipped));
    let growth = growth.filter(|(_, tenth, _)| tenth.cpu > 0);
    vec![
        Check::of("first sync: CPU / peer", budget::PEER_SYNC, share),
        Check::of(
            "first sync: CPU for ten times as many plugins",
            budget::LINEAR,
            growth.map(|(title, tenth, whole)| (title, ratio(whole.cpu, tenth.cpu))),
        ),
    ]
}

fn scale(measured: &Measured) -> Checks {
    let growth = measured.scale.iter().map(|it| (it.title.clone(), ratio(it.whole.cpu, it.tenth.cpu)));
    let memory = measured.scale.iter().map(|it| (it.title.clone(), number(it.whole.memory)));
    vec![
        Check::of("scale: CPU for ten times as much", budget::LINEAR, growth),
        Check::of("scale: peak memory in KiB", budget::SCALE_MEMORY, memory),
    ]
}
