//! `impl` blocks: to which type their methods belong.

use std::collections::HashMap;

use super::scopes::{NameResolver, NameTarget};
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
            let Some(definition) = self.find_type(block.module, &block.self_path, 0) else { continue };
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

    fn find_type(&mut self, module: usize, path: &[String], aliases: usize) -> Option<usize> {
        let found = self.resolve_path(module, path, false, false);
        let number = found.iter().find_map(|binding| match binding.target {
            NameTarget::Definition(number)
                if self.kind(binding.target).namespace() == crate::index::NameSpace::Types =>
            {
                Some(number)
            }
            _ => None,
        })?;
        match &self.tree.definitions.get(number)?.role {
            DefinitionRole::Alias { module, target } if aliases < MOST_ALIASES => {
                self.find_type(*module, target, aliases + 1)
            }
            _ => Some(number),
        }
    }
}
