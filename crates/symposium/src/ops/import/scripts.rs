//! Scripts of a project come along into its plugin: a grant covers what lies in there, and nothing else.

use std::path::{Path, PathBuf};

use symposium_agents::dialect;
use symposium_agents::import::{ConvertedHook, program_words};
use symposium_io::fs;
use symposium_model::agent::AgentId;
use symposium_model::crates::lexical_path;

/// A larger script is not copied.
const MAX_SCRIPT: u64 = 1024 * 1024;

pub(crate) struct CarriedScript {
    /// Where it goes, in the plugin.
    pub(crate) path: String,
    /// Where it was, in the project.
    pub(crate) from: PathBuf,
    pub(crate) bytes: Vec<u8>,
    /// Whether it is run directly.
    pub(crate) executable: bool,
}

/// Takes the scripts of the project that hooks name along, and has the hooks name those.
pub(crate) fn take_along(root: &Path, home: Option<&Path>, hooks: &mut [ConvertedHook]) -> Vec<CarriedScript> {
    let mut scripts: Vec<CarriedScript> = Vec::new();
    for hook in hooks {
        let value_of = |name: &str| {
            let is_project = AgentId::ALL.into_iter().any(|agent| dialect(agent).project_variable == Some(name));
            match name {
                "HOME" => home.map(|home| home.display().to_string()),
                "PWD" => Some(root.display().to_string()),
                _ => is_project.then(|| root.display().to_string()),
            }
        };
        let words = program_words(&hook.command, &value_of);
        // From behind, so that what stands before keeps its place.
        for word in words.into_iter().rev() {
            let Some(text) = word.text.filter(|text| text.contains('/')) else { continue };
            let file = lexical_path::normal(&root.join(&text));
            if needs_neighbours(root, &file) {
                hook.changes.push(format!("its script is not copied, because it needs files next to it: {text}"));
                continue;
            }
            let Some(script) = script(root, &file, &mut scripts) else { continue };
            let is_first = hook.command.get(..word.range.start).is_some_and(|before| matches!(before, "" | "env "));
            if is_first {
                hook.command.replace_range(..word.range.end, &format!("./{script}"));
            } else {
                hook.command.replace_range(word.range, &format!("\"$SYMPOSIUM_PLUGIN_DIR\"/{script}"));
            }
            hook.changes.push(format!("its script was copied to `{script}`"));
        }
    }
    scripts
}

/// How a script says that it looks beside itself.
const LOOKS_BESIDE: [&str; 7] =
    ["dirname", "BASH_SOURCE", "__file__", "__dirname", "import.meta", "require('./", "require(\"./"];

/// Whether a script of the project names a file beside it, or asks where it lies: alone it would not work. A grant covers
/// it where it is, too.
fn needs_neighbours(root: &Path, file: &Path) -> bool {
    let Some(directory) = file.parent().filter(|directory| directory.starts_with(root)) else { return false };
    let Ok(bytes) = fs::read(file, MAX_SCRIPT) else { return false };
    let text = String::from_utf8_lossy(&bytes);
    let own = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let beside = fs::list(directory).unwrap_or_default().into_iter().map(|entry| entry.name);
    let is_named = |name: &String| {
        let module = name.rsplit_once('.').filter(|(_, end)| *end == "py").map(|(stem, _)| stem);
        let is_module = module.is_some_and(|module| names_module(&text, module));
        name != own && (is_module || (name.contains('.') && text.contains(name.as_str())))
    };
    LOOKS_BESIDE.iter().any(|sign| text.contains(sign)) || beside.take(MAX_BESIDE).any(|name| is_named(&name))
}

/// More files than this are not looked for beside a script.
const MAX_BESIDE: usize = 200;

/// Whether a Python script imports a module.
fn names_module(text: &str, module: &str) -> bool {
    text.lines().map(str::trim_start).any(|line| {
        let rest = line.strip_prefix("import ").or_else(|| line.strip_prefix("from "));
        rest.is_some_and(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == module))
    })
}

/// The place of a script in the plugin; `None` for what is no file of the project.
fn script(root: &Path, file: &Path, scripts: &mut Vec<CarriedScript>) -> Option<String> {
    if let Some(known) = scripts.iter().find(|known| known.from == file) {
        return Some(known.path.clone());
    }
    let real = fs::canonical(file).ok()?;
    let inside = fs::canonical(root).is_ok_and(|root| real.starts_with(root));
    if !inside || !fs::is_file(&real) {
        return None;
    }
    let bytes = fs::read(&real, MAX_SCRIPT).ok()?;
    let name: String = file
        .file_name()?
        .to_str()?
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '-' })
        .collect();
    let taken = |path: &String| scripts.iter().any(|known| known.path == *path);
    let numbered = (2..100).map(|number| format!("scripts/{number}-{name}"));
    let path = std::iter::once(format!("scripts/{name}")).chain(numbered).find(|path| !taken(path))?;
    scripts.push(CarriedScript {
        path: path.clone(),
        from: file.to_owned(),
        bytes,
        executable: fs::is_executable(&real),
    });
    Some(path)
}
