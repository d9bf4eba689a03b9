//! Items of the standard library that crates re-export. Its sources are not read, so that kinds come from a short list.

use crate::index::ItemKind;

const ENUMS: &str = " Poll Option Result Ordering Cow Bound ControlFlow Entry IpAddr SocketAddr ErrorKind SeekFrom Infallible \
    Shutdown TryLockError RecvTimeoutError TryRecvError TrySendError VarError FpCategory c_void ";
const TRAITS: &str = " Future IntoFuture Iterator IntoIterator DoubleEndedIterator ExactSizeIterator FusedIterator Extend \
    FromIterator Deref DerefMut Drop Fn FnMut FnOnce Send Sync Sized Unpin Copy Clone Debug Display Write Read Seek BufRead \
    Hash Hasher BuildHasher Error Default PartialEq Eq PartialOrd Ord From Into TryFrom TryInto AsRef AsMut ToString ToOwned \
    FromStr Borrow BorrowMut Any Add Sub Mul Div Rem Neg Not BitAnd BitOr BitXor Shl Shr AddAssign SubAssign MulAssign \
    DivAssign RemAssign BitAndAssign BitOrAssign BitXorAssign ShlAssign ShrAssign Index IndexMut RangeBounds Wake GlobalAlloc \
    Allocator ToSocketAddrs SliceIndex Pattern Termination UnwindSafe RefUnwindSafe AsFd AsRawFd OwnedFd Binary LowerHex \
    UpperHex Octal LowerExp UpperExp Pointer Product Sum ";
const MODULES: &str = " std core alloc fmt io mem ptr slice str vec string sync task time thread collections ops cmp hash iter \
    marker net path process env error future pin result option num char any ascii borrow boxed cell clone convert default \
    ffi fs os prelude primitive rc raw array atomic hash_map hash_set btree_map btree_set mpsc ";
const MACROS: &str = " assert assert_eq assert_ne concat debug_assert debug_assert_eq debug_assert_ne env format format_args \
    include include_bytes include_str line matches module_path panic print println eprint eprintln ready stringify \
    thread_local todo try unimplemented unreachable vec write writeln pin addr_of addr_of_mut ";

/// Says whether the standard library has a trait of a name.
pub(crate) fn is_trait_name(name: &str) -> bool {
    is_in(TRAITS, name)
}

fn is_in(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == name)
}

/// Guesses what an item of the standard library is, by its name.
pub(crate) fn guess_kind(path: &str) -> ItemKind {
    let name = path.rsplit("::").next().unwrap_or_default();
    let is_in = |list: &str| is_in(list, name);
    if matches!(path, "std::io::Error" | "core::fmt::Error" | "std::fmt::Error" | "alloc::fmt::Error") {
        ItemKind::Struct
    } else if name == "Result" && path != "std::result::Result" && path != "core::result::Result" {
        ItemKind::Type
    } else if is_in(ENUMS) {
        ItemKind::Enum
    } else if is_in(TRAITS) && name != "OwnedFd" {
        ItemKind::Trait
    } else if is_in(MODULES) && path != "std::ptr::slice" {
        ItemKind::Module
    } else if is_in(MACROS) {
        ItemKind::Macro
    } else if name.starts_with("c_") {
        ItemKind::Type
    } else if name.chars().all(|letter| letter.is_uppercase() || letter == '_' || letter.is_ascii_digit()) {
        ItemKind::Const
    } else if name.starts_with(char::is_uppercase) {
        ItemKind::Struct
    } else {
        ItemKind::Function
    }
}
