//! Parts of items: methods, associated consts and types, fields, variants.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Token;
use syn::parse::ParseStream;

use super::depth::{is_plain_head, is_plain_type};
use super::early::take_type;
use super::heads::{
    SyntaxHead, line_of, parse_all, peek_group, skip_fault, skip_to_body, skip_to_semicolon, take_attributes,
    take_body, take_call_path, take_group, take_head, take_token, take_visibility,
};
use super::print::print_tokens;
use super::signature::{print_head, take_function, with_pub};
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

/// The parts of an item.
#[derive(Debug, Default)]
pub(crate) struct ParsedMembers {
    pub(crate) members: Vec<SyntaxMember>,
    /// Lines of what could not be read.
    pub(crate) faults: Vec<u32>,
}

/// Reads the inside of a trait, an `impl` block or an `extern` block, up to `most` members.
pub(crate) fn parse_members(tokens: TokenStream, owner: MemberOwner, most: usize) -> ParsedMembers {
    let mut parsed = ParsedMembers::default();
    parse_all(tokens, |input| {
        take_attributes(input, true);
        while !input.is_empty() && parsed.members.len() < most {
            let line = line_of(input);
            match parse_member(input, owner) {
                Ok(Some(member)) => parsed.members.push(member),
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

fn parse_member(input: ParseStream<'_>, owner: MemberOwner) -> syn::Result<Option<SyntaxMember>> {
    let Some(SyntaxHead { attributes, line, visibility, keyword }) = take_head(input)? else { return Ok(None) };
    let is_pub = visibility == SyntaxVisibility::Public;
    let is_public = is_pub || owner == MemberOwner::Trait;
    if keyword != "!" && !is_plain_head(input.cursor()) {
        return Err(input.error("nested too deeply"));
    }
    if !is_public && keyword != "!" {
        let inside = skip_member(input, keyword);
        let body = MemberBody::Plain { kind: ItemKind::Method, signature: String::new() };
        let hidden = SyntaxMember { attributes, is_public, line, name: String::new(), body, inside };
        return Ok(Some(hidden).filter(|member| !member.inside.is_empty()));
    }
    while let Some((word, _)) = input.cursor().ident()
        && word == "default"
    {
        take_token(input);
    }
    let mut inside = TokenStream::new();
    let (name, body) = match keyword {
        "fn" => parse_method(input, owner, is_pub, &mut inside)?,
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
    Ok(Some(SyntaxMember { attributes, is_public, line, name, body, inside }))
}

/// Passes over a member, but for the body of a function if that counts.
fn skip_member(input: ParseStream<'_>, keyword: &str) -> TokenStream {
    if keyword == "fn" {
        return skip_to_body(input);
    }
    skip_to_semicolon(input);
    TokenStream::new()
}

fn parse_method(
    input: ParseStream<'_>,
    owner: MemberOwner,
    is_pub: bool,
    inside: &mut TokenStream,
) -> syn::Result<(String, MemberBody)> {
    let is_safe = input.cursor().ident().is_some_and(|(word, _)| word == "safe");
    if is_safe {
        take_token(input);
    }
    let function = take_function(input, owner == MemberOwner::Foreign && !is_safe)?;
    *inside = take_body(input)?;
    let kind = if owner == MemberOwner::Foreign { ItemKind::Function } else { ItemKind::Method };
    let signature = with_pub(&function.signature, is_pub);
    Ok((function.name, MemberBody::Plain { kind, signature }))
}

fn parse_const(input: ParseStream<'_>, is_pub: bool) -> syn::Result<(String, MemberBody)> {
    input.parse::<Token![const]>()?;
    let name: syn::Ident = input.call(syn::ext::IdentExt::parse_any)?;
    input.parse::<Token![:]>()?;
    let ty = take_type(input)?;
    skip_to_semicolon(input);
    let text = with_pub(&format!("const {name}: {}", ty.text), is_pub);
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
    let ty = take_type(input)?;
    skip_to_semicolon(input);
    let text = with_pub(&format!("{keyword} {name}: {}", ty.text), is_pub);
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
        middle.push_str(&format!(" = {}", take_type(input)?.text));
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

/// Reads fields, as long as `keep` wants more. Returns the lines of those that cannot be read.
fn parse_fields(tokens: TokenStream, is_named: bool, mut keep: impl FnMut(FieldText) -> bool) -> Vec<u32> {
    let mut faults = Vec::new();
    parse_all(tokens, |input| {
        let mut wants_more = true;
        while wants_more && !input.is_empty() {
            let line = line_of(input);
            match parse_field(input, is_named) {
                Ok(field) => wants_more = keep(field),
                Err(_) => faults.push(line),
            }
            skip_to_comma(input);
        }
    });
    faults
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
    let ty = take_type(input)?.text;
    Ok(FieldText { attributes, is_public, line, name, ty })
}

fn skip_to_comma(input: ParseStream<'_>) {
    while let Some(token) = take_token(input) {
        if matches!(&token, TokenTree::Punct(sign) if sign.as_char() == ',') {
            return;
        }
    }
}

/// Reads the public fields of a struct with named fields, up to `most`.
pub(crate) fn parse_named_fields(tokens: TokenStream, most: usize) -> ParsedMembers {
    let mut members = Vec::new();
    let faults = parse_fields(tokens, true, |field| {
        if let (true, Some(name)) = (field.is_public, field.name) {
            let signature = format!("pub {name}: {}", field.ty);
            members.push(SyntaxMember {
                attributes: field.attributes,
                is_public: true,
                line: field.line,
                name,
                body: MemberBody::Plain { kind: ItemKind::Field, signature },
                inside: TokenStream::new(),
            });
        }
        members.len() < most
    });
    ParsedMembers { members, faults }
}

/// Prints the fields of a tuple struct or variant; private ones are `_`.
pub(super) fn print_tuple(tokens: TokenStream, has_visibility: bool) -> String {
    let mut fields = FieldList::default();
    parse_fields(tokens, false, |field| {
        let text = match (has_visibility, field.is_public) {
            (false, _) => field.ty,
            (true, true) => format!("pub {}", field.ty),
            (true, false) => "_".to_owned(),
        };
        fields.push(&text)
    });
    format!("({})", fields.text)
}

/// Bounds the text of fields; the rest is `…`.
const MOST_FIELD_CHARS: usize = 40_000;

/// Fields with commas between them.
#[derive(Default)]
struct FieldList {
    text: String,
}

impl FieldList {
    /// Adds a field; false when it is the last for which there is space.
    fn push(&mut self, field: &str) -> bool {
        if !self.text.is_empty() {
            self.text.push_str(", ");
        }
        let has_space = self.text.len() + field.len() <= MOST_FIELD_CHARS;
        self.text.push_str(if has_space { field } else { "…" });
        has_space
    }
}

/// Reads the variants of an enum, up to `most`.
pub(crate) fn parse_variants(tokens: TokenStream, most: usize) -> ParsedMembers {
    let mut parsed = ParsedMembers::default();
    parse_all(tokens, |input| {
        while !input.is_empty() && parsed.members.len() < most {
            let line = line_of(input);
            match parse_variant(input, &mut parsed.faults) {
                Ok(variant) => parsed.members.push(variant),
                Err(_) => parsed.faults.push(line),
            }
            skip_to_comma(input);
        }
    });
    parsed
}

fn parse_variant(input: ParseStream<'_>, faults: &mut Vec<u32>) -> syn::Result<SyntaxMember> {
    let attributes = take_attributes(input, false);
    let line = line_of(input);
    take_visibility(input);
    let name = input.call(<syn::Ident as syn::ext::IdentExt>::parse_any)?.to_string();
    let fields = match peek_group(input) {
        Some(Delimiter::Parenthesis) => print_tuple(take_group(input, None)?, false),
        Some(Delimiter::Brace) => {
            let mut named = FieldList::default();
            faults.extend(parse_fields(take_group(input, None)?, true, |field| {
                field.name.is_none_or(|name| named.push(&format!("{name}: {}", field.ty)))
            }));
            if named.text.is_empty() { " {}".to_owned() } else { format!(" {{ {} }}", named.text) }
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
        inside: TokenStream::new(),
    })
}
