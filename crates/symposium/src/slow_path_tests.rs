use std::fs;
use std::path::PathBuf;

use symposium_model::config::NamedDirectories;
use symposium_model::hook::Event;
use symposium_model::hook::hook_plan::{HookPlan, directory, file_name};

use symposium_model::sync::Ledger;

use super::*;

/// A home of ours and a workspace that depends on serde.
struct Machine {
    root: tempfile::TempDir,
}

impl Machine {
    fn new() -> Self {
        let machine = Self { root: tempfile::tempdir().unwrap() };
        machine.write("w/Cargo.toml", "[package]\nname = \"w\"\nversion = \"0.1.0\"\n[dependencies]\nserde = \"1\"\n");
        let source = "registry+https://github.com/rust-lang/crates.io-index";
        machine.write(
            "w/Cargo.lock",
            &format!(
                "version = 4\n[[package]]\nname = \"serde\"\nversion = \"1.0.219\"\nsource = \"{source}\"\n\
                 [[package]]\nname = \"w\"\nversion = \"0.1.0\"\ndependencies = [\"serde\"]\n"
            ),
        );
        machine.write("ours/config.toml", "[defaults]\nsymposium-recommendations = false\n");
        machine.write(
            "ours/plugins/guard/symposium.toml",
            "[[hooks]]\nname = \"g\"\nevent = \"PreToolUse\"\ncommand = \"guard\"\n\
             [[hooks]]\nname = \"s\"\nevent = \"PreToolUse\"\ncommand = \"for-serde\"\ncrates = [\"serde\"]\n",
        );
        machine
    }

    fn path(&self, path: &str) -> PathBuf {
        fs::canonicalize(self.root.path()).unwrap().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn place(&self, workspace: Option<&str>) -> SlowPathTarget {
        SlowPathTarget {
            workspace: workspace.map(|workspace| self.path(workspace)),
            ours: NamedDirectories { home: Some(self.path("ours")), ..NamedDirectories::default() },
        }
    }

    fn compile(&self, workspace: Option<&str>) -> Result<(), String> {
        compile(&self.place(workspace)).map(|_| ())
    }

    fn plan_file(&self, workspace: Option<&str>, event: Event) -> PathBuf {
        let workspace = workspace.map(|workspace| self.path(workspace).display().to_string());
        directory(&self.path("ours/cache"), workspace.as_deref()).join(file_name(event))
    }

    fn plan(&self, workspace: Option<&str>, event: Event) -> HookPlan {
        serde_json::from_str(&fs::read_to_string(self.plan_file(workspace, event)).unwrap()).unwrap()
    }

    /// Somebody ran `sync` in the workspace, and chose Claude for the project.
    fn set_up(&self) {
        let mut ledger = Ledger::default();
        ledger.ran_in(&self.path("w"));
        self.write("ours/ledger.json", &ledger.to_text().unwrap());
        self.write("w/.symposium/config.toml", "[agent]\nname = \"claude\"\n");
    }

    fn sync(&self) -> Result<bool, String> {
        synchronize(&self.place(Some("w")))
    }
}

fn titles(plan: &HookPlan) -> Vec<String> {
    plan.handlers.iter().map(symposium_model::hook::hook_plan::Handler::title).collect()
}

#[test]
fn a_plan_is_compiled_from_disk_and_nothing_else_is_written() {
    let machine = Machine::new();
    machine.compile(Some("w")).unwrap();
    let plan = machine.plan(Some("w"), Event::PreToolUse);
    assert_eq!(titles(&plan), ["deps/lookup", "guard/g", "guard/s", "rtk/shorten"]);
    assert_eq!((plan.program, plan.auto_sync), (PROGRAM, false));
    let session = machine.plan(Some("w"), Event::SessionStart).session.unwrap();
    let locked: Vec<(&str, &str)> =
        session.crates.iter().map(|krate| (krate.name.as_str(), krate.version.as_str())).collect();
    assert_eq!(locked, [("serde", "1.0.219")]);
    assert_eq!(
        session.notes,
        ["Symposium is not set up in this workspace yet; run `symposium init` to install its skills"]
    );
    let mut left: Vec<_> = fs::read_dir(machine.path("w")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["Cargo.lock", "Cargo.toml"]);
    let mut ours: Vec<_> =
        fs::read_dir(machine.path("ours")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    ours.sort();
    assert_eq!(ours, ["cache", "config.toml", "plugins"], "no lock, no ledger, no log");
}

#[test]
fn outside_any_workspace_only_what_needs_no_crate_runs() {
    let machine = Machine::new();
    machine.compile(None).unwrap();
    let plan = machine.plan(None, Event::PreToolUse);
    assert_eq!(titles(&plan), ["deps/lookup", "guard/g", "rtk/shorten"]);
    assert_eq!((plan.workspace, plan.cargo_lock), (None, None));
    let session = machine.plan(None, Event::SessionStart).session.unwrap();
    assert_eq!((session.skills.len(), session.notes.len()), (0, 0));
    assert_eq!(machine.plan(None, Event::UserPromptSubmit).nudges.unwrap().crates, []);
}

#[cfg(unix)]
#[test]
fn a_plan_is_found_under_the_path_it_was_asked_for() {
    let machine = Machine::new();
    std::os::unix::fs::symlink(machine.path("w"), machine.path("link")).unwrap();
    machine.compile(Some("link")).unwrap();
    let plan = machine.plan(Some("link"), Event::PreToolUse);
    assert_eq!(plan.workspace, machine.path("link").to_str().map(str::to_owned));
    assert_eq!(titles(&plan).len(), 4);
}

#[test]
fn a_broken_configuration_leaves_the_plans_made_before() {
    let machine = Machine::new();
    machine.write("ours/config.toml", "[defaults\n");
    machine.compile(Some("w")).expect("without any plan, one without the configuration is better than none");
    let file = machine.plan_file(Some("w"), Event::PreToolUse);
    fs::write(&file, "{}").unwrap();
    let error = machine.compile(Some("w")).unwrap_err();
    assert!(error.contains("ours/config.toml") && error.contains("it is invalid"), "{error}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "{}");
}

#[test]
fn what_is_no_plan_is_put_aside() {
    let machine = Machine::new();
    machine.compile(Some("w")).unwrap();
    let file = machine.plan_file(Some("w"), Event::Stop);
    fs::write(&file, "{\"version\":").unwrap();
    machine.compile(Some("w")).unwrap();
    assert_eq!(fs::read_to_string(file.with_file_name("stop.json.broken")).unwrap(), "{\"version\":");
    machine.plan(Some("w"), Event::Stop);
}

#[test]
fn skills_are_kept_in_step_where_somebody_asked_for_it() {
    let machine = Machine::new();
    let skill = machine.path("w/.claude/skills/serde/SKILL.md");
    assert_eq!(machine.sync(), Ok(false));
    assert!(!skill.exists() && !machine.path("ours/lock").exists());
    assert!(machine.plan_file(Some("w"), Event::PreToolUse).exists());

    machine.set_up();
    assert_eq!(machine.sync(), Ok(true));
    assert!(skill.exists());
    assert!(machine.plan(Some("w"), Event::PreToolUse).auto_sync);
    assert_eq!(machine.sync(), Ok(false), "nothing to do");
}

#[test]
fn nothing_is_installed_when_it_is_not_wanted_or_somebody_else_writes() {
    let machine = Machine::new();
    machine.set_up();
    machine.write("w/.symposium/config.toml", "[agent]\nname = \"claude\"\nauto-sync = false\n");
    assert_eq!(machine.sync(), Ok(false));
    assert!(!machine.plan(Some("w"), Event::PreToolUse).auto_sync);

    machine.set_up();
    let held = symposium_io::file_lock::acquire(&machine.path("ours/lock"), std::time::Duration::ZERO).unwrap();
    assert_eq!(machine.sync(), Ok(false));
    assert!(!machine.path("w/.claude").exists());
    assert!(machine.plan(Some("w"), Event::PreToolUse).auto_sync, "the plan is compiled all the same");
    drop(held);
    assert_eq!(machine.sync(), Ok(true));
}

#[test]
fn a_project_without_a_configuration_gets_none() {
    let machine = Machine::new();
    machine.set_up();
    fs::remove_dir_all(machine.path("w/.symposium")).unwrap();
    assert_eq!(machine.sync(), Ok(false));
    assert!(!machine.path("w/.symposium").exists());
}

#[test]
fn plans_compiled_before_a_guard_was_released_are_not_written() {
    let machine = Machine::new();
    let manifest = "ours/plugins/guard/symposium.toml";
    let guard = "[[hooks]]\nname = \"g\"\nevent = \"PreToolUse\"\norder = \"policy\"\ncommand = \"guard\"\n";
    machine.write(manifest, guard);
    machine.compile(Some("w")).unwrap();
    let record = machine.plan_file(Some("w"), Event::PreToolUse).with_file_name("guards");
    assert!(record.exists());
    let load = || {
        let context = Context::load_in_background(Some(&machine.path("w")), machine.place(None).ours).unwrap();
        let detail = ResolutionDetail::relevant(CacheMode::Renew).with_trust(TrustDetail::Granted);
        let resolution = Resolution::load(&context, detail.with_ledger(LedgerDetail::Read));
        (context, resolution)
    };
    let compile = || {
        let (context, resolution) = load();
        let plans = hook_plan::compile(&context, &resolution);
        (context, plans)
    };
    let with_manifest = compile();
    fs::remove_file(machine.path(manifest)).unwrap();
    let with_record = compile();
    let (context, resolution) = load();
    let gone = hook_plan::kept_guards::find_gone(true, &hook_plan::compile(&context, &resolution));
    assert_eq!(hook_plan::kept_guards::release(&context.directories, context.root(), &gone).len(), 1);
    for (context, plans) in [with_manifest, with_record] {
        let written = hook_plan::write(&context, &plans, &mut RunReport::default());
        assert!(matches!(written, Err(NotWritten::ReleasedGuard(_))), "{written:?}");
        assert!(!record.exists());
    }
    let guards = || {
        let plan = machine.plan(Some("w"), Event::PreToolUse);
        plan.handlers.iter().filter(|handler| handler.plugin == "guard").count()
    };
    machine.compile(Some("w")).unwrap();
    assert_eq!(guards(), 0);
    // A new manifest counts, and stays in force without it until it is released, too.
    machine.write(manifest, guard);
    machine.compile(Some("w")).unwrap();
    fs::remove_file(machine.path(manifest)).unwrap();
    machine.compile(Some("w")).unwrap();
    assert_eq!(guards(), 1);
}
