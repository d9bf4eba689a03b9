use syn::{
    Attribute, Error, Expr, GenericArgument, ImplItem, ItemImpl, LifetimeDef, Lit, Meta, NestedMeta, Result, Stmt, TraitItem,
    Visibility,
};

#[derive(Default)]
pub struct Options {
    pub rename: Option<String>,
    pub skip: bool,
}

pub fn options(attributes: &[Attribute]) -> Result<Options> {
    let mut options = Options::default();
    for attribute in attributes.iter().filter(|attribute| attribute.path.is_ident("column")) {
        let Meta::List(list) = attribute.parse_meta()? else {
            return Err(Error::new_spanned(attribute, "expected `column(…)`"));
        };
        for nested in &list.nested {
            match nested {
                NestedMeta::Meta(Meta::Path(path)) if path.is_ident("skip") => options.skip = true,
                NestedMeta::Meta(Meta::NameValue(pair)) if pair.path.is_ident("rename") => match &pair.lit {
                    Lit::Str(text) => options.rename = Some(text.value()),
                    other => return Err(Error::new_spanned(other, "expected a string")),
                },
                other => return Err(Error::new_spanned(other, "unknown option")),
            }
        }
    }
    Ok(options)
}

pub fn methods(block: &ItemImpl) -> Vec<String> {
    let public = |visibility: &Visibility| matches!(visibility, Visibility::Public(_));
    let names = block.items.iter().filter_map(|item| match item {
        ImplItem::Method(method) if public(&method.vis) => Some(method.sig.ident.to_string()),
        _ => None,
    });
    names.collect()
}

pub fn last(statements: &[Stmt]) -> Option<&Expr> {
    match statements.last()? {
        Stmt::Expr(expr) => Some(expr),
        Stmt::Semi(..) | Stmt::Local(_) | Stmt::Item(_) => None,
    }
}

#[test]
fn reads() {
    let item: syn::ItemStruct = syn::parse_str("#[column(skip, rename = \"x\")] struct A;").unwrap();
    let found = options(&item.attrs).unwrap();
    assert!(found.skip && found.rename.as_deref() == Some("x"));
}

pub fn is_assignment(expr: &Expr) -> bool {
    matches!(expr, Expr::Assign(_) | Expr::AssignOp(_))
}

pub fn is_associated(argument: &GenericArgument) -> bool {
    matches!(argument, GenericArgument::Binding(_))
}

pub fn is_method(item: &TraitItem) -> bool {
    matches!(item, TraitItem::Method(_))
}

pub fn name(parameter: &LifetimeDef) -> String {
    parameter.lifetime.ident.to_string()
}
