//! Parts of items: methods, associated consts and types, fields, variants.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Token;
use syn::parse::{ParseStream, Parser};

use super::depth::{is_plain_head, is_plain_type};
use super::heads::{
    SyntaxHead, line_of, peek_group, skip_fault, skip_to_semicolon, take_attributes, take_call_path, take_group,
    take_head, take_token, take_visibility,
};
use super::print::print_tokens;
use super::signature::{print_function, print_head, with_pub};
use super::{MemberBody, SyntaxMember, SyntaxVisibility};
use crate::index::ItemKind;

/// Says whether members have a visibility of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MemberOwner {
    Trait,
    Type,
    /// A block `extern { … }`.
    Foreign,
}

/// Reads the inside of a trait, an `impl` block or an `extern` block.
pub(crate) fn parse_members(tokens: TokenStream, owner: MemberOwner) -> Vec<SyntaxMember> {
    let parser = |input: ParseStream<'_>| {
        let mut members = Vec::new();
        take_attributes(input, true);
        while !input.is_empty() {
            match parse_member(input, owner) {
                Ok(Some(member)) => members.push(member),
                Ok(None) => {}
                Err(_) => skip_fault(input),
            }
        }
        Ok(members)
    };
    parser.parse2(tokens).unwrap_or_default()
}

fn parse_member(input: ParseStream<'_>, owner: MemberOwner) -> syn::Result<Option<SyntaxMember>> {
    let Some(SyntaxHead { attributes, line, visibility, keyword }) = take_head(input)? else { return Ok(None) };
    let is_pub = visibility == SyntaxVisibility::Public;
    let is_public = is_pub || owner == MemberOwner::Trait;
    if keyword != "!" && !is_plain_head(input.cursor()) {
        return Err(input.error("nested too deeply"));
    }
    if !is_public && keyword != "!" {
        skip_member(input, keyword);
        return Ok(None);
    }
    while let Some((word, _)) = input.cursor().ident()
        && word == "default"
    {
        take_token(input);
    }
    let (name, body) = match keyword {
        "fn" => parse_method(input, owner, is_pub)?,
        "const" => parse_const(input, is_pub)?,
        "type" => parse_type(input, is_pub)?,
        "static" => parse_static(input, is_pub)?,
        "!" => {
            let path = take_call_path(input)?;
            input.parse::<Token![!]>()?;
            let call_input = take_group(input, None)?;
            input.parse::<Option<Token![;]>>()?;
            (String::new(), MemberBody::Call { path, input: call_input })
        }
        _ => return Err(input.error("no member")),
    };
    let name = name.trim_start_matches("r#").to_owned();
    Ok(Some(SyntaxMember { attributes, is_public, line, name, body }))
}

fn skip_member(input: ParseStream<'_>, keyword: &str) {
    if keyword == "fn" { skip_fault(input) } else { skip_to_semicolon(input) }
}

fn parse_method(input: ParseStream<'_>, owner: MemberOwner, is_pub: bool) -> syn::Result<(String, MemberBody)> {
    let is_safe = input.cursor().ident().is_some_and(|(word, _)| word == "safe");
    if is_safe {
        take_token(input);
    }
    let mut signature: syn::Signature = input.parse()?;
    if owner == MemberOwner::Foreign && !is_safe && matches!(signature.safety, syn::Safety::Default) {
        signature.safety = syn::Safety::Unsafe(<Token![unsafe]>::default());
    }
    if input.parse::<Option<Token![;]>>()?.is_none() {
        take_group(input, Some(Delimiter::Brace))?;
    }
    let kind = if owner == MemberOwner::Foreign { ItemKind::Function } else { ItemKind::Method };
    let name = signature.ident.to_string();
    Ok((name, MemberBody::Plain { kind, signature: print_function(signature, is_pub) }))
}

fn parse_const(input: ParseStream<'_>, is_pub: bool) -> syn::Result<(String, MemberBody)> {
    input.parse::<Token![const]>()?;
    let name: syn::Ident = input.call(syn::ext::IdentExt::parse_any)?;
    input.parse::<Token![:]>()?;
    let ty: syn::Type = input.parse()?;
    skip_to_semicolon(input);
    let text = with_pub(&format!("const {name}: {}", print_tokens(&ty.into_token_stream())), is_pub);
    Ok((name.to_string(), MemberBody::Plain { kind: ItemKind::Const, signature: text }))
}

fn parse_static(input: ParseStream<'_>, is_pub: bool) -> syn::Result<(String, MemberBody)> {
    while !input.peek(Token![static]) && !input.is_empty() {
        take_token(input);
    }
    input.parse::<Token![static]>()?;
    let keyword = if input.parse::<Option<Token![mut]>>()?.is_some() { "static mut" } else { "static" };
    let name: syn::Ident = input.parse()?;
    input.parse::<Token![:]>()?;
    let ty: syn::Type = input.parse()?;
    skip_to_semicolon(input);
    let text = with_pub(&format!("{keyword} {name}: {}", print_tokens(&ty.into_token_stream())), is_pub);
    Ok((name.to_string(), MemberBody::Plain { kind: ItemKind::Static, signature: text }))
}

fn parse_type(input: ParseStream<'_>, is_pub: bool) -> syn::Result<(String, MemberBody)> {
    input.parse::<Token![type]>()?;
    let name: syn::Ident = input.parse()?;
    let mut generics: syn::Generics = input.parse()?;
    let mut middle = String::new();
    if input.parse::<Option<Token![:]>>()?.is_some() {
        let bounds = syn::punctuated::Punctuated::<syn::TypeParamBound, Token![+]>::parse_separated_nonempty(input);
        if let Ok(bounds) = bounds {
            middle = format!(": {}", print_tokens(&bounds.into_token_stream()));
        }
    }
    generics.where_clause = input.parse()?;
    if input.parse::<Option<Token![=]>>()?.is_some() {
        let ty: syn::Type = input.parse()?;
        middle.push_str(&format!(" = {}", print_tokens(&ty.into_token_stream())));
        if generics.where_clause.is_none() {
            generics.where_clause = input.parse()?;
        }
    }
    skip_to_semicolon(input);
    let text = with_pub(&print_head("type", &name, generics, &middle), is_pub);
    Ok((name.to_string(), MemberBody::Plain { kind: ItemKind::Type, signature: text }))
}

/// A field as it is written.
struct FieldText {
    attributes: Vec<TokenStream>,
    is_public: bool,
    line: u32,
    name: Option<String>,
    ty: String,
}

fn parse_fields(tokens: TokenStream, is_named: bool) -> Vec<FieldText> {
    let parser = |input: ParseStream<'_>| {
        let mut fields = Vec::new();
        while !input.is_empty() {
            if let Ok(field) = parse_field(input, is_named) {
                fields.push(field);
            }
            skip_to_comma(input);
        }
        Ok(fields)
    };
    parser.parse2(tokens).unwrap_or_default()
}

fn parse_field(input: ParseStream<'_>, is_named: bool) -> syn::Result<FieldText> {
    let attributes = take_attributes(input, false);
    let line = line_of(input);
    let is_public = take_visibility(input) == SyntaxVisibility::Public;
    if !is_plain_type(input.cursor()) {
        return Err(input.error("nested too deeply"));
    }
    let mut name = None;
    if is_named {
        name = Some(input.call(<syn::Ident as syn::ext::IdentExt>::parse_any)?.to_string());
        input.parse::<Token![:]>()?;
    }
    let ty: syn::Type = input.parse()?;
    Ok(FieldText { attributes, is_public, line, name, ty: print_tokens(&ty.into_token_stream()) })
}

fn skip_to_comma(input: ParseStream<'_>) {
    while let Some(token) = take_token(input) {
        if matches!(&token, TokenTree::Punct(sign) if sign.as_char() == ',') {
            return;
        }
    }
}

/// Reads the public fields of a struct with named fields.
pub(crate) fn parse_named_fields(tokens: TokenStream) -> Vec<SyntaxMember> {
    let fields = parse_fields(tokens, true).into_iter().filter(|field| field.is_public);
    fields
        .filter_map(|field| {
            let name = field.name?;
            let signature = format!("pub {name}: {}", field.ty);
            Some(SyntaxMember {
                attributes: field.attributes,
                is_public: true,
                line: field.line,
                name,
                body: MemberBody::Plain { kind: ItemKind::Field, signature },
            })
        })
        .collect()
}

/// Prints the fields of a tuple struct or variant; private ones are `_`.
pub(super) fn print_tuple(tokens: TokenStream, has_visibility: bool) -> String {
    let fields = parse_fields(tokens, false).into_iter().map(|field| match (has_visibility, field.is_public) {
        (false, _) => field.ty,
        (true, true) => format!("pub {}", field.ty),
        (true, false) => "_".to_owned(),
    });
    format!("({})", fields.collect::<Vec<_>>().join(", "))
}

/// Reads the variants of an enum.
pub(crate) fn parse_variants(tokens: TokenStream) -> Vec<SyntaxMember> {
    let parser = |input: ParseStream<'_>| {
        let mut variants = Vec::new();
        while !input.is_empty() {
            if let Ok(variant) = parse_variant(input) {
                variants.push(variant);
            }
            skip_to_comma(input);
        }
        Ok(variants)
    };
    parser.parse2(tokens).unwrap_or_default()
}

fn parse_variant(input: ParseStream<'_>) -> syn::Result<SyntaxMember> {
    let attributes = take_attributes(input, false);
    let line = line_of(input);
    take_visibility(input);
    let name = input.call(<syn::Ident as syn::ext::IdentExt>::parse_any)?.to_string();
    let fields = match peek_group(input) {
        Some(Delimiter::Parenthesis) => print_tuple(take_group(input, None)?, false),
        Some(Delimiter::Brace) => {
            let named = parse_fields(take_group(input, None)?, true);
            let named: Vec<_> =
                named.iter().filter_map(|field| Some(format!("{}: {}", field.name.as_ref()?, field.ty))).collect();
            if named.is_empty() { " {}".to_owned() } else { format!(" {{ {} }}", named.join(", ")) }
        }
        _ => String::new(),
    };
    let signature = format!("{name}{fields}");
    Ok(SyntaxMember {
        attributes,
        is_public: true,
        line,
        name,
        body: MemberBody::Plain { kind: ItemKind::Variant, signature },
    })
}
