//! Signatures: what is written in front of a body, without attributes and without how parameters are taken apart.

use std::collections::HashMap;

use quote::ToTokens;
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative;
use syn::{FnArg, Generics, Pat, Receiver, ReceiverKind, Safety, Signature, Type};

use super::early::{self, FunctionText};
use super::print::print_tokens;

/// Takes a function up to its body. Those of a block `extern` are unsafe.
pub(super) fn take_function(input: ParseStream<'_>, is_foreign: bool) -> syn::Result<FunctionText> {
    let ahead = input.fork();
    match ahead.parse::<Signature>() {
        Ok(mut signature) if ahead.peek(syn::Token![;]) || ahead.peek(syn::token::Brace) => {
            input.advance_to(&ahead);
            if is_foreign && matches!(signature.safety, Safety::Default) {
                signature.safety = Safety::Unsafe(<syn::Token![unsafe]>::default());
            }
            Ok(FunctionText { name: signature.ident.to_string(), signature: print_function(signature) })
        }
        _ => early::take_function(input),
    }
}

fn print_function(mut signature: Signature) -> String {
    for input in &mut signature.inputs {
        simplify_input(input);
    }
    if signature.inputs.trailing_punct() {
        signature.inputs.pop_punct();
    }
    if let Safety::Safe(_) = signature.safety {
        signature.safety = Safety::Default;
    }
    strip_generics(&mut signature.generics);
    if let Some(abi) = &mut signature.abi
        && abi.name.is_none()
    {
        abi.name = Some(syn::LitStr::new("C", proc_macro2::Span::call_site()));
    }
    print_tokens(&signature.into_token_stream())
}

/// Prints the name, the parameters and the bounds of a type or trait. `middle` stands before the `where` clause.
pub(super) fn print_head(keyword: &str, name: &syn::Ident, mut generics: Generics, middle: &str) -> String {
    strip_generics(&mut generics);
    let clause = generics.where_clause.take();
    let clause = clause.map(|clause| print_tokens(&clause.into_token_stream())).unwrap_or_default();
    let clause = clause.trim_end_matches(',');
    let params = print_tokens(&generics.into_token_stream());
    let gap = if clause.is_empty() || clause == "where" { String::new() } else { format!(" {clause}") };
    format!("{keyword} {name}{params}{middle}{gap}")
}

/// Puts `pub` in front of what has a visibility of its own.
pub(super) fn with_pub(text: &str, is_public: bool) -> String {
    if is_public { format!("pub {text}") } else { text.to_owned() }
}

fn strip_generics(generics: &mut Generics) {
    for param in &mut generics.params {
        match param {
            syn::GenericParam::Lifetime(param) => param.attrs.clear(),
            syn::GenericParam::Type(param) => param.attrs.clear(),
            syn::GenericParam::Const(param) => param.attrs.clear(),
        }
    }
    if generics.params.trailing_punct() {
        generics.params.pop_punct();
    }
    if let Some(clause) = &mut generics.where_clause {
        clause.predicates = merge_predicates(std::mem::take(&mut clause.predicates));
    }
    if generics.where_clause.as_ref().is_some_and(|clause| clause.predicates.is_empty()) {
        generics.where_clause = None;
    }
}

fn simplify_input(input: &mut FnArg) {
    match input {
        FnArg::Receiver(receiver) => simplify_receiver(receiver),
        FnArg::Typed(typed) => {
            typed.attrs.clear();
            let name = match &*typed.pat {
                Pat::Ident(pattern) => pattern.ident.clone(),
                _ => syn::Ident::new("_", proc_macro2::Span::call_site()),
            };
            *typed.pat = Pat::Verbatim(name.into_token_stream());
        }
    }
}

/// Writes `self: &Self` as `&self`, as rustdoc does.
fn simplify_receiver(receiver: &mut Receiver) {
    receiver.attrs.clear();
    receiver.mutability = None;
    let is_self = |ty: &Type| matches!(ty, Type::Path(path) if path.path.is_ident("Self"));
    let simple = match &receiver.kind {
        ReceiverKind::Typed(_, ty) => match &**ty {
            Type::Reference(reference) if is_self(&reference.elem) => {
                ReceiverKind::Reference(reference.and_token, reference.lifetime.clone(), reference.mutability)
            }
            ty if is_self(ty) => ReceiverKind::Value,
            _ => return,
        },
        _ => return,
    };
    receiver.kind = simple;
}

type WherePredicates = syn::punctuated::Punctuated<syn::WherePredicate, syn::Token![,]>;

/// Puts the bounds of one type together and those of lifetimes last, as rustdoc does.
fn merge_predicates(predicates: WherePredicates) -> WherePredicates {
    let mut types: Vec<syn::PredicateType> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut others = Vec::new();
    for predicate in predicates {
        let syn::WherePredicate::Type(predicate) = predicate else {
            others.push(predicate);
            continue;
        };
        if predicate.lifetimes.is_some() {
            types.push(predicate);
            continue;
        }
        let at = *known.entry(print_tokens(&predicate.bounded_ty.to_token_stream())).or_insert(types.len());
        match types.get_mut(at) {
            Some(same) => {
                if !same.bounds.empty_or_trailing() {
                    same.bounds.push_punct(<syn::Token![+]>::default());
                }
                same.bounds.extend(predicate.bounds);
            }
            None => types.push(predicate),
        }
    }
    types.into_iter().map(syn::WherePredicate::Type).chain(others).collect()
}
