//! `impl` blocks: to which type their methods belong.

use std::collections::HashMap;

use super::scopes::{NameResolver, NameTarget};
use crate::index::NameSpace;
use crate::tree::{DefinitionRole, MemberNode};

const MOST_ALIASES: usize = 8;
const MOST_TRAITS: usize = 60;

/// Holds what `impl` blocks add to a definition.
#[derive(Debug, Default)]
pub(super) struct ImplAdditions<'a> {
    pub(super) members: Vec<&'a MemberNode>,
    pub(super) traits: Vec<String>,
}

impl<'a> NameResolver<'a> {
    /// Finds the type of every `impl` block.
    pub(super) fn attach_impls(&mut self) -> HashMap<usize, ImplAdditions<'a>> {
        let mut additions: HashMap<usize, ImplAdditions<'a>> = HashMap::new();
        for block in &self.tree.impls {
            let Some(definition) = self.find_own_type(block.module, &block.self_path) else { continue };
            let addition = additions.entry(definition).or_default();
            addition.members.extend(&block.members);
            if let Some(text) = &block.trait_text
                && block.gate.is_on
                && addition.traits.len() < MOST_TRAITS
                && !addition.traits.contains(text)
            {
                addition.traits.push(text.clone());
            }
        }
        additions
    }

    /// Finds the type that each type alias stands for.
    pub(super) fn follow_aliases(&mut self) {
        for (number, definition) in self.tree.definitions.iter().enumerate() {
            if let DefinitionRole::Alias { module, target } = &definition.role
                && let Some(target) = self.find_type(*module, target).filter(|it| *it != NameTarget::Definition(number))
            {
                self.aliased.insert(number, target);
            }
        }
    }

    fn find_type(&mut self, module: usize, path: &[String]) -> Option<NameTarget> {
        let found = self.resolve_path(module, path, false, false);
        let mut targets = found.iter().map(|binding| binding.target);
        targets.find(|target| {
            matches!(target, NameTarget::Definition(_) | NameTarget::Foreign(..))
                && self.kind(*target).namespace() == NameSpace::Types
        })
    }

    /// Finds the definition of a type of this crate, through aliases.
    fn find_own_type(&mut self, module: usize, path: &[String]) -> Option<usize> {
        let mut target = self.find_type(module, path)?;
        for _ in 0..MOST_ALIASES {
            let NameTarget::Definition(number) = target else { return None };
            match self.aliased.get(&number) {
                Some(next) => target = *next,
                None => return Some(number),
            }
        }
        None
    }
}
