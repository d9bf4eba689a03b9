use super::*;
use crate::catalog::{LoadedPlugin, LoadedSkill, LoadedSource, PluginId, PluginKind, SourceDiagnostics};
use crate::config::{SourceKind, SourceRank, SourceSpec};
use crate::select::SkillVerdict;
use crate::sync::ledger::{LedgerRecord, WrittenContent};

/// A catalog with a skill for each of these lines of frontmatter.
fn catalog(rank: SourceRank, skills: &[&str]) -> Catalog {
    let skill = |lines: &&str| {
        let text = format!("---\ndescription: d\n{lines}\n---\n");
        let document = crate::skill::parse("SKILL.md", "dir", &text).document.unwrap();
        let conditions = crate::skill::conditions("SKILL.md", &text, &document).unwrap();
        let shown = document.name.as_str().to_owned();
        LoadedSkill { document, conditions, group: None, path: String::new(), shown, elsewhere: None }
    };
    let plugin = crate::manifest::parse("p.toml", "", "p").plugin.unwrap();
    let (path, shown) = (String::new(), String::new());
    let skills = skills.iter().map(skill).collect();
    let plugins = vec![LoadedPlugin { plugin, kind: PluginKind::Manifest, path, shown, skills }];
    let spec = SourceSpec::whole("src", SourceKind::Embedded, rank);
    let source = LoadedSource::without_plugins(spec, String::new(), SourceDiagnostics::default());
    Catalog { sources: vec![LoadedSource { plugins, ..source }] }
}

fn id(skill: usize) -> SkillId {
    SkillId { plugin: PluginId { source: 0, plugin: 0 }, skill }
}

fn selection(states: &[SkillState]) -> Selection {
    let verdict = |(skill, state): (usize, &SkillState)| SkillVerdict {
        id: id(skill),
        levels: Vec::new(),
        crates: Vec::new(),
        state: *state,
    };
    Selection { plugins: Vec::new(), skills: states.iter().enumerate().map(verdict).collect() }
}

fn options<'s>(catalog: &'s Catalog, selection: &'s Selection, held: &'s [SkillId]) -> SkillOptions<'s> {
    let recipient = |agent, project: &str, refuses_ignored| SkillRecipient {
        agent,
        project: project.into(),
        user: vec![format!("/u/{agent}").into()],
        refuses_ignored,
    };
    SkillOptions {
        catalog,
        selection,
        held,
        commits: false,
        recipients: vec![
            recipient(AgentId::Claude, "/w/a", false),
            recipient(AgentId::Gemini, "/w/b", true),
            recipient(AgentId::Codex, "/w/a", false),
        ],
        is_owned: Box::new(|_, _| false),
        load: Box::new(|_| Ok(SkillContent::default())),
    }
}

/// Shows each skill as `directory/name agents commit hold user directories`.
fn show(desired: &DesiredState) -> Vec<String> {
    let line = |skill: &DesiredSkill| {
        let agents: Vec<&str> = skill.agents.iter().map(|agent| agent.name()).collect();
        let user: Vec<String> = skill.user_directories.iter().map(|path| path.display().to_string()).collect();
        let (commit, hold) = (skill.source.commit, skill.hold);
        format!("{} {} {commit:?} {hold:?} {}", skill.place().display(), agents.join(","), user.join(","))
    };
    desired.skills.iter().map(line).collect()
}

#[test]
#[cfg_attr(windows, ignore = "the expected paths are those of Unix")]
fn a_skill_goes_once_into_each_directory_that_its_agents_read() {
    let catalog =
        catalog(SourceRank::Project, &["name: x", "name: y\ncompatibility: gemini", "name: off", "name: bad"]);
    let blocked = SkillState::Blocked(crate::scan::FindingKind::TagCharacter);
    let selection = selection(&[SkillState::Applies, SkillState::Applies, SkillState::Off, blocked]);
    let mut desired = DesiredState::default();
    desired.add_skills(&options(&catalog, &selection, &[]), &Ledger::default());
    let expected = [
        "/w/a/x claude,codex No None /u/claude,/u/codex",
        "/w/b/x gemini NoButOpened None /u/gemini",
        "/w/b/y gemini NoButOpened None /u/gemini",
    ];
    assert_eq!(show(&desired), expected);
    assert_eq!(desired.warnings.len(), 1);
    assert!(desired.warnings[0].starts_with("bad: not installed: its text has "));
}

#[test]
#[cfg_attr(windows, ignore = "the expected paths are those of Unix")]
fn an_agent_that_has_the_original_does_not_get_the_copy() {
    let catalog = catalog(SourceRank::Project, &["name: x"]);
    let selection = selection(&[SkillState::Applies]);
    for (owners, expected) in
        [(&[AgentId::Claude, AgentId::Gemini][..], &["/w/a/x codex No None /u/codex"][..]), (&AgentId::ALL, &[])]
    {
        let is_owned = Box::new(|agent, _| owners.contains(&agent));
        // What no agent gets is not read.
        let load = Box::new(|_| if owners.len() == 2 { Ok(SkillContent::default()) } else { Err(String::new()) });
        let mut desired = DesiredState::default();
        let options = SkillOptions { is_owned, load, ..options(&catalog, &selection, &[]) };
        desired.add_skills(&options, &Ledger::default());
        assert_eq!(show(&desired), expected);
        assert!(desired.warnings.is_empty());
    }
}

#[test]
fn only_what_the_project_has_is_committed() {
    let selection = selection(&[SkillState::Applies]);
    for (rank, commits, expected) in [
        (SourceRank::Project, true, [CommitPolicy::Yes, CommitPolicy::Yes]),
        (SourceRank::Project, false, [CommitPolicy::No, CommitPolicy::NoButOpened]),
        (SourceRank::User, true, [CommitPolicy::No, CommitPolicy::NoButOpened]),
    ] {
        let catalog = catalog(rank, &["name: x"]);
        let mut desired = DesiredState::default();
        desired.add_skills(&SkillOptions { commits, ..options(&catalog, &selection, &[]) }, &Ledger::default());
        let found: Vec<CommitPolicy> = desired.skills.iter().map(|skill| skill.source.commit).collect();
        assert_eq!(found, expected, "{rank:?} {commits}");
    }
}

#[test]
fn what_is_locked_or_cannot_be_read_stays_as_installed() {
    let catalog = catalog(SourceRank::Project, &["name: x"]);
    let selection = selection(&[SkillState::Applies]);
    let held = [id(0)];
    let mut known = Ledger::default();
    let written = WrittenContent::file("");
    known.put(LedgerRecord::new("/w/b/x".into(), None, written, 0));
    let fails = true;
    for (held, fails, ledger, warning) in [
        (&held[..], false, &Ledger::default(), None),
        (&held, fails, &known, Some("x: the installed copy is kept: no")),
        (&[], fails, &known, Some("x: the installed copy is kept: no")),
        (&[], fails, &Ledger::default(), Some("x: not installed: no")),
    ] {
        let load = Box::new(move |_| if fails { Err("no".to_owned()) } else { Ok(SkillContent::default()) });
        let mut desired = DesiredState::default();
        desired.add_skills(&SkillOptions { load, ..options(&catalog, &selection, held) }, ledger);
        assert!(desired.skills.iter().all(|skill| skill.hold == InstallPolicy::AsInstalled));
        assert_eq!((desired.skills.len(), desired.warnings.first().map(String::as_str)), (2, warning));
    }
}
