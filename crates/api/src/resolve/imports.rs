//! `use` declarations, gone through until none brings anything new. Cycles end by themselves: a name is added once.

use std::collections::HashSet;

use super::scopes::{InnerGlob, NameBinding, NameResolver, NameTarget, whole};
use crate::tree::{DefinitionRole, ImportName, ImportNode, NameReach};

const MOST_ROUNDS: usize = 64;
/// Bounds the memory that they take.
const MOST_BINDINGS: usize = 300_000;

impl<'a> NameResolver<'a> {
    /// Adds the names of all imports to the modules.
    pub(super) fn resolve_imports(&mut self) {
        let mut left = MOST_BINDINGS;
        let needed = self.find_needed();
        self.follow_imports(&needed, &mut left);
        if !self.is_cut && self.add_off_names() {
            self.follow_imports(&needed, &mut left);
        }
    }

    /// Lists the imports that can matter to public names. A private one of another crate's item does only if its name is
    /// part of another path; most do not, and the index of the other crate need not be read for them.
    fn find_needed(&self) -> Vec<&'a ImportNode> {
        let is_own_use = |import: &ImportNode| {
            import.reach == NameReach::Within(import.module)
                && import.path.first().is_some_and(|head| self.foreign.has_name(head))
        };
        let (private, mut needed): (Vec<&ImportNode>, Vec<&ImportNode>) =
            self.tree.imports.iter().partition(|import| is_own_use(import) && import.name != ImportName::Glob);
        let mut used: HashSet<&str> = needed.iter().flat_map(|import| &import.path).map(String::as_str).collect();
        for definition in &self.tree.definitions {
            if let DefinitionRole::Alias { target, .. } = &definition.role {
                used.extend(target.iter().map(String::as_str));
            }
        }
        let is_used =
            |import: &&ImportNode| matches!(&import.name, ImportName::As(name) if used.contains(name.as_str()));
        needed.extend(private.into_iter().filter(is_used));
        needed
    }

    fn follow_imports(&mut self, imports: &[&ImportNode], left: &mut usize) {
        for _ in 0..MOST_ROUNDS {
            let mut has_changed = false;
            for import in imports {
                let added = self.resolve_import(import);
                has_changed |= added > 0;
                *left = left.saturating_sub(added);
                if *left == 0 {
                    break;
                }
            }
            if !has_changed {
                return;
            }
            if *left == 0 {
                self.is_cut = true;
                return;
            }
        }
    }

    /// Adds the names of public imports that are off and lead to nothing known, such as an optional dependency that is not
    /// locked; true if there are some.
    fn add_off_names(&mut self) -> bool {
        let mut has_some = false;
        for (number, import) in self.tree.imports.iter().enumerate() {
            let ImportName::As(name) = &import.name else { continue };
            let is_off = import.reach == NameReach::Public && !import.facts.gate.is_on;
            if is_off && self.resolve_path(import.module, &import.path, true, import.is_global).is_empty() {
                has_some |= self.add(import, name, &whole(NameTarget::Off(number)), false);
            }
        }
        has_some
    }

    fn resolve_import(&mut self, import: &ImportNode) -> usize {
        let found = self.resolve_path(import.module, &import.path, true, import.is_global);
        let mut added = 0;
        match &import.name {
            ImportName::As(name) => {
                for binding in found {
                    added += usize::from(self.add(import, name, &binding, false));
                }
            }
            ImportName::Glob => {
                for source in found {
                    // A module's own glob on itself brings nothing.
                    if source.target == NameTarget::Module(import.module) {
                        continue;
                    }
                    if let (NameTarget::Module(module), NameReach::Within(limit)) = (source.target, import.reach)
                        && limit == import.module
                    {
                        added += usize::from(self.add_inner_glob(import, module, &source));
                        continue;
                    }
                    for (name, child) in self.children(source.target) {
                        let is_brought = match source.target {
                            NameTarget::Module(module) => self.is_in_glob(module, &child),
                            _ => child.is_listed && !child.is_hidden,
                        };
                        if is_brought && self.can_reach(child.reach, import.module) {
                            let gate = source.gate.and(&child.gate);
                            added += usize::from(self.add(import, &name, &NameBinding { gate, ..child }, true));
                        }
                    }
                }
            }
        }
        added
    }

    /// Remembers a private glob; true if it is new.
    fn add_inner_glob(&mut self, import: &ImportNode, module: usize, source: &NameBinding) -> bool {
        let glob = InnerGlob { module, gate: import.facts.gate.and(&source.gate) };
        let Some(globs) = self.inner_globs.get_mut(import.module) else { return false };
        let is_new = !globs.contains(&glob);
        if is_new {
            globs.push(glob);
        }
        is_new
    }

    /// Adds a name to the module of an import; true if that is new, or can be used from further away than before.
    fn add(&mut self, import: &ImportNode, name: &str, source: &NameBinding, is_glob: bool) -> bool {
        let binding = NameBinding {
            target: source.target,
            reach: import.reach.and(source.reach),
            gate: import.facts.gate.and(&source.gate),
            is_hidden: import.facts.is_hidden || (source.is_import && source.is_hidden),
            is_glob,
            is_import: true,
            is_listed: true,
        };
        let Some(scope) = self.scopes.get_mut(import.module) else { return false };
        let known = scope.entry(name.to_owned()).or_default();
        match known.iter_mut().find(|known| known.target == binding.target) {
            None => {
                known.push(binding);
                true
            }
            Some(before) => {
                let is_wider = binding.reach == NameReach::Public && before.reach != NameReach::Public;
                let is_named = before.is_glob && !is_glob && binding.reach == before.reach;
                let is_shown = before.is_hidden && !binding.is_hidden && binding.reach == before.reach;
                if is_wider || is_named || is_shown {
                    *before = binding;
                }
                is_wider || is_named || is_shown
            }
        }
    }
}
