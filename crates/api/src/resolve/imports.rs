//! `use` declarations, gone through until none brings anything new. Cycles end by themselves: a name is added once.

use super::scopes::{NameBinding, NameResolver, NameTarget};
use crate::tree::{ImportName, ImportNode, NameReach};

const MOST_ROUNDS: usize = 64;
const MOST_BINDINGS: usize = 2_000_000;

impl NameResolver<'_> {
    /// Adds the names of all imports to the modules.
    pub(super) fn resolve_imports(&mut self) {
        let mut left = MOST_BINDINGS;
        for _ in 0..MOST_ROUNDS {
            let mut has_changed = false;
            for import in &self.tree.imports {
                let added = self.resolve_import(import);
                has_changed |= added > 0;
                left = left.saturating_sub(added);
            }
            if !has_changed || left == 0 {
                return;
            }
        }
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
                    for (name, child) in self.children(source.target) {
                        let is_usable =
                            self.can_reach(child.reach, import.module) && child.is_listed && !child.is_hidden;
                        let is_macro_of_root = source.target == NameTarget::Module(0)
                            && self.kind(child.target).namespace() == crate::index::NameSpace::Macros
                            && !child.is_import;
                        if is_usable && !is_macro_of_root {
                            let gate = source.gate.and(&child.gate);
                            added += usize::from(self.add(import, &name, &NameBinding { gate, ..child }, true));
                        }
                    }
                }
            }
        }
        added
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
