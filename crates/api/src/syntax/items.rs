//! The items of a module, one after the other. One that cannot be read is passed over.

use proc_macro2::{Delimiter, TokenStream};
use quote::ToTokens;
use syn::parse::ParseStream;
use syn::parse::discouraged::Speculative;
use syn::{Generics, Token, Type};

use super::depth::is_plain_head;
use super::early::{ImplHead, take_impl, take_type};
use super::heads::{
    SyntaxHead, line_of, parse_all, path_of, peek_group, skip_fault, skip_to_body, skip_to_semicolon, take_attributes,
    take_body, take_call_path, take_group, take_head, take_token,
};
use super::members::print_tuple;
use super::print::print_tokens;
use super::signature::{print_head, take_function, with_pub};
use super::uses::parse_use;
use super::{ItemBody, SyntaxItem, SyntaxVisibility};
use crate::index::ItemKind;

/// The items of a file or module.
#[derive(Debug, Default)]
pub(crate) struct ParsedItems {
    pub(crate) inner_attributes: Vec<TokenStream>,
    pub(crate) items: Vec<SyntaxItem>,
    /// Lines of what could not be read.
    pub(crate) faults: Vec<u32>,
}

/// Reads the items, up to `most` of them. The tokens are not nested too deeply.
pub(crate) fn parse_items(tokens: TokenStream, most: usize) -> ParsedItems {
    let mut parsed = ParsedItems::default();
    parse_all(tokens, |input| {
        parsed.inner_attributes = take_attributes(input, true);
        while !input.is_empty() && parsed.items.len() < most {
            let line = line_of(input);
            match parse_item(input) {
                Ok(Some(item)) => parsed.items.push(item),
                Ok(None) => {}
                Err(_) => {
                    parsed.faults.push(line);
                    skip_fault(input);
                }
            }
        }
    });
    parsed
}

/// Takes one item and forgets it.
pub(crate) fn skip_item(input: ParseStream<'_>) -> syn::Result<()> {
    match parse_item(input)? {
        Some(_) => Ok(()),
        None => Err(input.error("no item")),
    }
}

/// Reads one item; nothing for a lone semicolon.
fn parse_item(input: ParseStream<'_>) -> syn::Result<Option<SyntaxItem>> {
    let Some(SyntaxHead { attributes, line, visibility, keyword }) = take_head(input)? else { return Ok(None) };
    let is_public = visibility == SyntaxVisibility::Public;
    // What has no types is not parsed by functions that call themselves.
    if !matches!(keyword, "!" | "macro_rules" | "macro" | "mod" | "extern") && !is_plain_head(input.cursor()) {
        return Err(input.error("nested too deeply"));
    }
    if !is_public && let Some(kind) = unlisted_kind(keyword) {
        let (name, inside) = skip_private(input, keyword)?;
        return Ok(Some(SyntaxItem { attributes, visibility, line, name, body: ItemBody::Private(kind), inside }));
    }
    let mut inside = TokenStream::new();
    let (name, body) = match keyword {
        "fn" => parse_function(input, is_public, &mut inside)?,
        "const" => parse_const(input, is_public)?,
        "static" => parse_static(input, is_public)?,
        "type" => parse_alias(input, is_public)?,
        "struct" | "union" => parse_struct(input, is_public)?,
        "enum" => parse_enum(input, is_public)?,
        "trait" => parse_trait(input, is_public)?,
        "impl" => (String::new(), parse_impl(input)?),
        "mod" => parse_module(input)?,
        "use" => (String::new(), parse_use(input)?),
        "extern crate" => parse_extern_crate(input)?,
        "extern" => (String::new(), parse_foreign(input)?),
        "macro_rules" => parse_rules(input)?,
        "macro" => parse_decl_macro(input)?,
        "!" => (String::new(), parse_call(input)?),
        _ => return Err(input.error("no item")),
    };
    let name = name.trim_start_matches("r#").to_owned();
    Ok(Some(SyntaxItem { attributes, visibility, line, name, body, inside }))
}

/// The kind of items that are passed over unless they are public.
fn unlisted_kind(keyword: &str) -> Option<ItemKind> {
    match keyword {
        "fn" => Some(ItemKind::Function),
        "static" => Some(ItemKind::Static),
        "struct" | "union" => Some(ItemKind::Struct),
        "enum" => Some(ItemKind::Enum),
        "trait" => Some(ItemKind::Trait),
        _ => None,
    }
}

/// Passes over an item but for its name, and the body of a function if that counts.
fn skip_private(input: ParseStream<'_>, keyword: &str) -> syn::Result<(String, TokenStream)> {
    loop {
        match take_token(input) {
            Some(proc_macro2::TokenTree::Ident(word)) if word == keyword => break,
            Some(_) => {}
            None => return Err(input.error("the end")),
        }
    }
    input.parse::<Option<Token![mut]>>()?;
    let name: syn::Ident = input.call(syn::ext::IdentExt::parse_any)?;
    let mut inside = TokenStream::new();
    match keyword {
        "static" => skip_to_semicolon(input),
        "fn" => inside = skip_to_body(input),
        _ => skip_fault(input),
    }
    Ok((name.to_string().trim_start_matches("r#").to_owned(), inside))
}

fn skip_words(input: ParseStream<'_>, words: &[&str]) {
    while let Some((word, _)) = input.cursor().ident()
        && words.iter().any(|known| word == known)
    {
        take_token(input);
    }
}

fn parse_function(
    input: ParseStream<'_>,
    is_public: bool,
    inside: &mut TokenStream,
) -> syn::Result<(String, ItemBody)> {
    skip_words(input, &["default"]);
    let function = take_function(input, false)?;
    *inside = take_body(input)?;
    let signature = with_pub(&function.signature, is_public);
    Ok((function.name, ItemBody::Plain { kind: ItemKind::Function, signature }))
}

fn parse_const(input: ParseStream<'_>, is_public: bool) -> syn::Result<(String, ItemBody)> {
    skip_words(input, &["default", "const"]);
    let name: syn::Ident = input.call(syn::ext::IdentExt::parse_any)?;
    input.parse::<Token![:]>()?;
    let ty = take_type(input)?;
    if name == "_" && input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        let body = take_group(input, Some(Delimiter::Brace)).unwrap_or_default();
        skip_to_semicolon(input);
        return Ok((String::new(), ItemBody::Unnamed(body)));
    }
    skip_to_semicolon(input);
    let text = format!("const {name}: {}", ty.text);
    Ok((name.to_string(), ItemBody::Plain { kind: ItemKind::Const, signature: with_pub(&text, is_public) }))
}

fn parse_static(input: ParseStream<'_>, is_public: bool) -> syn::Result<(String, ItemBody)> {
    skip_words(input, &["unsafe", "safe"]);
    input.parse::<Token![static]>()?;
    let keyword = match input.parse::<Option<Token![mut]>>()? {
        Some(_) => "static mut",
        None => "static",
    };
    let name: syn::Ident = input.parse()?;
    input.parse::<Token![:]>()?;
    let ty = take_type(input)?;
    skip_to_semicolon(input);
    let text = format!("{keyword} {name}: {}", ty.text);
    Ok((name.to_string(), ItemBody::Plain { kind: ItemKind::Static, signature: with_pub(&text, is_public) }))
}

fn parse_alias(input: ParseStream<'_>, is_public: bool) -> syn::Result<(String, ItemBody)> {
    skip_words(input, &["default"]);
    input.parse::<Token![type]>()?;
    let name: syn::Ident = input.parse()?;
    let generics = parse_generics(input)?;
    if input.peek(Token![;]) {
        input.parse::<Token![;]>()?;
        let signature = with_pub(&format!("type {name}"), is_public);
        return Ok((name.to_string(), ItemBody::Alias { signature, target: Vec::new() }));
    }
    input.parse::<Token![=]>()?;
    let ty = take_type(input)?;
    skip_to_semicolon(input);
    let value = format!(" = {}", ty.text);
    let signature = with_pub(&print_head("type", &name, generics, &value), is_public);
    Ok((name.to_string(), ItemBody::Alias { signature, target: ty.path }))
}

/// Reads parameters, and a `where` clause if it follows.
fn parse_generics(input: ParseStream<'_>) -> syn::Result<Generics> {
    let mut generics: Generics = input.parse()?;
    generics.where_clause = input.parse()?;
    Ok(generics)
}

fn parse_struct(input: ParseStream<'_>, is_public: bool) -> syn::Result<(String, ItemBody)> {
    let (kind, keyword) = match input.parse::<Option<Token![struct]>>()? {
        Some(_) => (ItemKind::Struct, "struct"),
        None => {
            input.parse::<Token![union]>()?;
            (ItemKind::Union, "union")
        }
    };
    let name: syn::Ident = input.parse()?;
    let mut generics = parse_generics(input)?;
    let mut fields = TokenStream::new();
    let mut middle = String::new();
    match peek_group(input) {
        Some(Delimiter::Brace) => fields = take_group(input, None)?,
        Some(Delimiter::Parenthesis) => {
            let tuple = take_group(input, None)?;
            if is_public {
                middle = print_tuple(tuple, true);
            }
            if generics.where_clause.is_none() {
                generics.where_clause = input.parse()?;
            }
            input.parse::<Option<Token![;]>>()?;
        }
        _ => {
            input.parse::<Token![;]>()?;
        }
    }
    let signature = with_pub(&print_head(keyword, &name, generics, &middle), is_public);
    Ok((name.to_string(), ItemBody::Struct { signature, fields, kind }))
}

fn parse_enum(input: ParseStream<'_>, is_public: bool) -> syn::Result<(String, ItemBody)> {
    input.parse::<Token![enum]>()?;
    let name: syn::Ident = input.parse()?;
    let generics = parse_generics(input)?;
    let variants = take_group(input, Some(Delimiter::Brace))?;
    let signature = with_pub(&print_head("enum", &name, generics, ""), is_public);
    Ok((name.to_string(), ItemBody::Enum { signature, variants }))
}

fn parse_trait(input: ParseStream<'_>, is_public: bool) -> syn::Result<(String, ItemBody)> {
    let is_unsafe = find_word(input, "unsafe");
    skip_words(input, &["unsafe", "auto", "const"]);
    input.parse::<Token![trait]>()?;
    let name: syn::Ident = input.parse()?;
    let mut generics: Generics = input.parse()?;
    let mut middle = String::new();
    if input.parse::<Option<Token![:]>>()?.is_some() || input.parse::<Option<Token![=]>>()?.is_some() {
        let mut bounds = Vec::new();
        while !input.is_empty() && !input.peek(Token![where]) && !input.peek(Token![;]) && peek_group(input).is_none() {
            let bound: syn::TypeParamBound = input.parse()?;
            bounds.push(print_tokens(&bound.into_token_stream()));
            if input.parse::<Option<Token![+]>>()?.is_none() {
                break;
            }
        }
        if !bounds.is_empty() {
            middle = format!(": {}", bounds.join(" + "));
        }
    }
    generics.where_clause = input.parse()?;
    let members = match input.parse::<Option<Token![;]>>()? {
        Some(_) => TokenStream::new(),
        None => take_group(input, Some(Delimiter::Brace))?,
    };
    let keyword = if is_unsafe { "unsafe trait" } else { "trait" };
    let signature = with_pub(&print_head(keyword, &name, generics, &middle), is_public);
    Ok((name.to_string(), ItemBody::Trait { signature, members }))
}

fn find_word(input: ParseStream<'_>, wanted: &str) -> bool {
    let mut cursor = input.cursor();
    while let Some((word, rest)) = cursor.ident() {
        if word == wanted {
            return true;
        }
        if word == "trait" {
            return false;
        }
        cursor = rest;
    }
    false
}

fn parse_impl(input: ParseStream<'_>) -> syn::Result<ItemBody> {
    skip_words(input, &["default", "unsafe", "const"]);
    input.parse::<Token![impl]>()?;
    let ahead = input.fork();
    let head = match parse_impl_head(&ahead) {
        Ok(head) => {
            input.advance_to(&ahead);
            head
        }
        Err(_) => take_impl(input)?,
    };
    let members = take_group(input, Some(Delimiter::Brace))?;
    Ok(ItemBody::Impl { self_path: head.self_path, trait_text: head.trait_text, members })
}

fn parse_impl_head(input: ParseStream<'_>) -> syn::Result<ImplHead> {
    // Not in `impl <T as Trait>::Type {}`.
    if input.fork().parse::<Generics>().is_ok() {
        input.parse::<Generics>()?;
    }
    skip_words(input, &["const"]);
    input.parse::<Option<Token![!]>>()?;
    let mut self_type: Type = input.parse()?;
    let mut trait_text = None;
    if input.parse::<Option<Token![for]>>()?.is_some() {
        trait_text = Some(print_tokens(&self_type.into_token_stream()));
        self_type = input.parse()?;
    }
    input.parse::<Option<syn::WhereClause>>()?;
    match peek_group(input) {
        Some(Delimiter::Brace) => Ok(ImplHead { self_path: path_of(&self_type), trait_text }),
        _ => Err(input.error("members are missing")),
    }
}

fn parse_module(input: ParseStream<'_>) -> syn::Result<(String, ItemBody)> {
    skip_words(input, &["unsafe"]);
    input.parse::<Token![mod]>()?;
    let name: syn::Ident = input.call(syn::ext::IdentExt::parse_any)?;
    let name = syn::ext::IdentExt::unraw(&name).to_string();
    if input.parse::<Option<Token![;]>>()?.is_some() {
        return Ok((name, ItemBody::Module(None)));
    }
    Ok((name, ItemBody::Module(Some(take_group(input, Some(Delimiter::Brace))?))))
}

fn parse_extern_crate(input: ParseStream<'_>) -> syn::Result<(String, ItemBody)> {
    input.parse::<Token![extern]>()?;
    input.parse::<Token![crate]>()?;
    let krate: syn::Ident = input.call(syn::ext::IdentExt::parse_any)?;
    let rename = match input.parse::<Option<Token![as]>>()? {
        Some(_) => input.call(<syn::Ident as syn::ext::IdentExt>::parse_any)?,
        None => krate.clone(),
    };
    skip_to_semicolon(input);
    let name = (rename != "_").then(|| rename.to_string());
    Ok((String::new(), ItemBody::ExternCrate { krate: krate.to_string(), name }))
}

fn parse_foreign(input: ParseStream<'_>) -> syn::Result<ItemBody> {
    let mut abi = "C".to_owned();
    while peek_group(input).is_none() {
        match take_token(input) {
            Some(proc_macro2::TokenTree::Literal(name)) => name.to_string().trim_matches('"').clone_into(&mut abi),
            Some(_) => {}
            None => return Err(input.error("the end")),
        }
    }
    Ok(ItemBody::Foreign { abi, members: take_group(input, Some(Delimiter::Brace))? })
}

fn parse_rules(input: ParseStream<'_>) -> syn::Result<(String, ItemBody)> {
    input.call(<syn::Ident as syn::ext::IdentExt>::parse_any)?;
    input.parse::<Token![!]>()?;
    let name: syn::Ident = input.call(syn::ext::IdentExt::parse_any)?;
    let rules = take_group(input, None)?;
    input.parse::<Option<Token![;]>>()?;
    Ok((name.to_string(), ItemBody::Rules(rules)))
}

fn parse_decl_macro(input: ParseStream<'_>) -> syn::Result<(String, ItemBody)> {
    input.parse::<Token![macro]>()?;
    let name: syn::Ident = input.call(syn::ext::IdentExt::parse_any)?;
    if peek_group(input) == Some(Delimiter::Parenthesis) {
        take_group(input, None)?;
    }
    take_group(input, Some(Delimiter::Brace))?;
    Ok((name.to_string(), ItemBody::DeclMacro))
}

fn parse_call(input: ParseStream<'_>) -> syn::Result<ItemBody> {
    let path = take_call_path(input)?;
    input.parse::<Token![!]>()?;
    let call_input = take_group(input, None)?;
    input.parse::<Option<Token![;]>>()?;
    Ok(ItemBody::Call { path, input: call_input })
}
