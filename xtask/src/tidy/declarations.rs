//! The types and functions that a Rust file declares.

use std::ops::Range;

use proc_macro2::Span;
use syn::visit::{self, Visit};

use super::source_file::SourceFile;

/// A type that a file declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TypeDeclaration {
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) visibility: TypeVisibility,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TypeVisibility {
    /// Visible in its module only.
    Private,
    Shared,
}

/// Something about a function: its name with that of its type, and the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FunctionFact {
    pub(super) function: String,
    pub(super) line: usize,
}

/// The declarations of one file, without those of tests.
#[derive(Debug, Default)]
pub(super) struct FileDeclarations {
    pub(super) types: Vec<TypeDeclaration>,
    pub(super) functions: Vec<FunctionFact>,
    /// Parameters that are tuple patterns.
    pub(super) tuple_parameters: Vec<FunctionFact>,
    /// Types `&mut Context`, by the function they are in.
    pub(super) mutable_contexts: Vec<FunctionFact>,
}

impl FileDeclarations {
    /// Reads a file. One that is not Rust declares nothing.
    pub(super) fn read(file: &SourceFile) -> Self {
        // Before the file is parsed: taking a file apart ends the positions of whatever was parsed before.
        let tests = &file.rust().tests;
        let Ok(parsed) = syn::parse_file(&file.text) else { return Self::default() };
        let mut visitor = DeclarationVisitor { tests, owner: None, function: String::new(), found: Self::default() };
        visitor.visit_file(&parsed);
        let found = visitor.found;
        proc_macro2::extra::invalidate_current_thread_spans();
        found
    }
}

struct DeclarationVisitor<'a> {
    tests: &'a [Range<usize>],
    /// The type or trait whose functions are visited.
    owner: Option<String>,
    /// The function that is visited.
    function: String,
    found: FileDeclarations,
}

impl DeclarationVisitor<'_> {
    fn add_type(&mut self, name: &syn::Ident, visibility: &syn::Visibility) {
        let visibility = match visibility {
            syn::Visibility::Inherited => TypeVisibility::Private,
            _ => TypeVisibility::Shared,
        };
        if self.is_shipped(name.span()) {
            let line = name.span().start().line;
            self.found.types.push(TypeDeclaration { name: name.to_string(), line, visibility });
        }
    }

    fn is_shipped(&self, span: Span) -> bool {
        let at = span.byte_range().start;
        !self.tests.iter().any(|test| test.contains(&at))
    }

    fn fact(&self, span: Span) -> Option<FunctionFact> {
        let fact = FunctionFact { function: self.function.clone(), line: span.start().line };
        self.is_shipped(span).then_some(fact)
    }
}

impl<'ast> Visit<'ast> for DeclarationVisitor<'_> {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.add_type(&item.ident, &item.vis);
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.add_type(&item.ident, &item.vis);
        visit::visit_item_enum(self, item);
    }

    fn visit_item_union(&mut self, item: &'ast syn::ItemUnion) {
        self.add_type(&item.ident, &item.vis);
        visit::visit_item_union(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.add_type(&item.ident, &item.vis);
        visit::visit_item_type(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.add_type(&item.ident, &item.vis);
        let outside = self.owner.replace(item.ident.to_string());
        visit::visit_item_trait(self, item);
        self.owner = outside;
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let name = match &*item.self_ty {
            syn::Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
            _ => None,
        };
        let outside = std::mem::replace(&mut self.owner, name);
        visit::visit_item_impl(self, item);
        self.owner = outside;
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        let name = signature.ident.to_string();
        self.function = self.owner.as_ref().map_or_else(|| name.clone(), |owner| format!("{owner}::{name}"));
        self.found.functions.extend(self.fact(signature.ident.span()));
        for input in &signature.inputs {
            if let syn::FnArg::Typed(parameter) = input
                && let syn::Pat::Tuple(tuple) = &*parameter.pat
            {
                self.found.tuple_parameters.extend(self.fact(tuple.paren_token.span.open()));
            }
        }
        visit::visit_signature(self, signature);
    }

    fn visit_type_reference(&mut self, reference: &'ast syn::TypeReference) {
        if reference.mutability.is_some()
            && let syn::Type::Path(path) = &*reference.elem
            && path.path.segments.last().is_some_and(|segment| segment.ident == "Context")
        {
            self.found.mutable_contexts.extend(self.fact(reference.and_token.span));
        }
        visit::visit_type_reference(self, reference);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_read_without_tests() {
        let text = "pub struct A;\nenum B {}\ntrait C {\n    fn of();\n}\ntype D = u8;\nimpl A {\n    fn new((a, b): (u8, u8)) {}\n}\n\
                    fn run(context: &mut Context, other: &mut crate::Context, _: &Context) {}\n\
                    #[cfg(test)]\nmod tests {\n    struct E;\n    fn of((a, b): (u8, u8)) {}\n}\n";
        let found = FileDeclarations::read(&SourceFile::new("src/a.rs", text));
        let types: Vec<(&str, usize, TypeVisibility)> =
            found.types.iter().map(|found| (found.name.as_str(), found.line, found.visibility)).collect();
        use TypeVisibility::{Private, Shared};
        assert_eq!(types, [("A", 1, Shared), ("B", 2, Private), ("C", 3, Private), ("D", 6, Private)]);
        let show = |facts: &[FunctionFact]| -> Vec<String> {
            facts.iter().map(|fact| format!("{}:{}", fact.function, fact.line)).collect()
        };
        assert_eq!(show(&found.functions), ["C::of:4", "A::new:8", "run:10"]);
        assert_eq!(show(&found.tuple_parameters), ["A::new:8"]);
        assert_eq!(show(&found.mutable_contexts), ["run:10", "run:10"]);
        assert!(FileDeclarations::read(&SourceFile::new("a.rs", "fn (")).types.is_empty());
    }
}
