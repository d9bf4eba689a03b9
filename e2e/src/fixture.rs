//! The files of the small project every scenario starts with, and of the plugin with a skill for it.

/// A cargo project that depends on `widget`; no such crate is needed, since nobody builds it.
pub(crate) const PROJECT: [(&str, &str); 8] = [
    (
        "project/Cargo.toml",
        "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nwidget = \"1\"\n",
    ),
    (
        "project/Cargo.lock",
        "version = 4\n\n[[package]]\nname = \"shop\"\nversion = \"0.1.0\"\ndependencies = [\"widget\"]\n\n\
         [[package]]\nname = \"widget\"\nversion = \"1.2.3\"\n\
         source = \"registry+https://github.com/rust-lang/crates.io-index\"\n\
         checksum = \"0000000000000000000000000000000000000000000000000000000000000000\"\n",
    ),
    ("project/src/lib.rs", "//! A shop.\n"),
    ("project/inner/notes.txt", "Somebody works down here.\n"),
    (
        ".symposium/plugins/widgets/SYMPOSIUM.toml",
        "name = \"widgets\"\n\n[[skills]]\ncrates = [\"widget=1\"]\nsource.path = \"one\"\n\n\
         [[skills]]\ncrates = [\"widget=2\"]\nsource.path = \"two\"\n",
    ),
    (".symposium/plugins/widgets/one/widget-guide/SKILL.md", WIDGET_GUIDE),
    (".symposium/plugins/widgets/one/widget-guide/colours.md", "Widgets are vermilion.\n"),
    (
        ".symposium/plugins/widgets/two/widget-next/SKILL.md",
        "---\nname: widget-next\ndescription: Advice for the second generation\n---\n\nNothing here.\n",
    ),
];

const WIDGET_GUIDE: &str = "---\nname: widget-guide\ndescription: Advice for the first generation\ndigest: Widgets are built twice.\n---\n\n\
                            # Widget guide\n\nThe word of the day is persimmon.\n";

/// The skill that applies to the project.
pub(crate) const SKILL: &str = "widget-guide";
/// What the list of skills says about it.
pub(crate) const SKILL_DESCRIPTION: &str = "Advice for the first generation";
/// What only its text says.
pub(crate) const SKILL_SECRET: &str = "persimmon";

/// What only a file beside it says.
pub(crate) const BESIDE_SECRET: &str = "vermilion";

/// The skill that does not apply, since it is for another version of the crate.
pub(crate) const OTHER_SKILL: &str = "widget-next";
/// What the list of skills would say about it.
pub(crate) const OTHER_SKILL_DESCRIPTION: &str = "Advice for the second generation";
