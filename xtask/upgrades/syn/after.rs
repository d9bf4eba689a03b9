use syn::{
    Attribute, BinOp, Expr, GenericArgument, ImplItem, ItemImpl, LifetimeParam, LitStr, Result, Stmt, TraitItem, Visibility,
};

#[derive(Default)]
pub struct Options {
    pub rename: Option<String>,
    pub skip: bool,
}

pub fn options(attributes: &[Attribute]) -> Result<Options> {
    let mut options = Options::default();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("column")) {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("skip") {
                options.skip = true;
            } else if meta.path.is_ident("rename") {
                options.rename = Some(meta.value()?.parse::<LitStr>()?.value());
            } else {
                return Err(meta.error("unknown option"));
            }
            Ok(())
        })?;
    }
    Ok(options)
}

pub fn methods(block: &ItemImpl) -> Vec<String> {
    let public = |visibility: &Visibility| matches!(visibility, Visibility::Public(_));
    let names = block.items.iter().filter_map(|item| match item {
        ImplItem::Fn(method) if public(&method.vis) => Some(method.sig.ident.to_string()),
        _ => None,
    });
    names.collect()
}

pub fn last(statements: &[Stmt]) -> Option<&Expr> {
    match statements.last()? {
        Stmt::Expr(expr, None) => Some(expr),
        Stmt::Expr(_, Some(_)) | Stmt::Local(_) | Stmt::Item(_) | Stmt::Macro(_) => None,
    }
}

#[test]
fn reads() {
    let item: syn::ItemStruct = syn::parse_str("#[column(skip, rename = \"x\")] struct A;").unwrap();
    let found = options(&item.attrs).unwrap();
    assert!(found.skip && found.rename.as_deref() == Some("x"));
}

pub fn is_assignment(expr: &Expr) -> bool {
    match expr {
        Expr::Assign(_) => true,
        Expr::Binary(binary) => matches!(binary.op, BinOp::AddAssign(_) | BinOp::SubAssign(_)),
        _ => false,
    }
}

pub fn is_associated(argument: &GenericArgument) -> bool {
    matches!(argument, GenericArgument::AssocType(_))
}

pub fn is_method(item: &TraitItem) -> bool {
    matches!(item, TraitItem::Fn(_))
}

pub fn name(parameter: &LifetimeParam) -> String {
    parameter.lifetime.ident.to_string()
}
