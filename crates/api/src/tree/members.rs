//! Members of types and traits, with those that macros make.

use std::collections::VecDeque;

use proc_macro2::TokenStream;

use super::MemberNode;
use super::loader::{CodePlace, TreeLoader, make_facts};
use super::member_list::MemberList;
use crate::syntax::{MemberBody, ParsedMembers, SyntaxMember};

impl TreeLoader<'_> {
    /// Reads members, and expands calls of macros among them.
    pub(super) fn load_members(
        &mut self,
        tokens: TokenStream,
        list: MemberList,
        module: usize,
        place: &CodePlace,
    ) -> Vec<MemberNode> {
        let mut members = Vec::new();
        let parsed = self.parse_members(tokens, list, place);
        let mut queue: VecDeque<_> = parsed.into_iter().map(|member| (member, place.clone())).collect();
        while let Some((member, place)) = queue.pop_front() {
            let attributes = self.read_attributes(&member.attributes);
            let Some(facts) = make_facts(&attributes, member.line, &place) else { continue };
            if member.is_public && matches!(list, MemberList::Trait | MemberList::Type | MemberList::Foreign) {
                self.note_proc_macros(&attributes, &facts, module, place.origin);
            }
            self.load_inside(module, member.inside, &facts, &place);
            match member.body {
                MemberBody::Plain { kind, signature } => {
                    if member.is_public && self.count_item() {
                        members.push(MemberNode { name: member.name, kind, signature, facts });
                    }
                }
                MemberBody::Call { path, input } => {
                    let inner = place.for_call(facts.gate.clone(), facts.line);
                    if let Some((tokens, inner)) = self.expand(&path, &input, module, &inner) {
                        for member in self.parse_members(tokens, list, &inner).into_iter().rev() {
                            queue.push_front((member, inner.clone()));
                        }
                    } else {
                        self.report_call(&path, &inner);
                    }
                }
            }
        }
        members
    }

    fn parse_members(&mut self, tokens: TokenStream, list: MemberList, place: &CodePlace) -> Vec<SyntaxMember> {
        let most = self.most_items();
        let ParsedMembers { members, faults } = list.parse(tokens, most);
        self.report_faults(&faults, place);
        if members.len() == most {
            self.report_cut();
        }
        members
    }
}
