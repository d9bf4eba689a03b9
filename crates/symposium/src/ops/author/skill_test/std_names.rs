//! Names of the standard library, which a skill may use without naming its crate.

/// Methods of the types and traits in everyday use.
const MEMBERS: &str = "abs add all and and_then any append as_bytes as_deref as_mut as_path as_ptr as_ref as_slice as_str \
    await block_on borrow bytes capacity ceil chain chars checked_add checked_mul checked_sub chunks clamp clear clone \
    cloned cmp collect compare_exchange concat contains contains_key copied count cycle dedup default deref display drain \
    drop elapsed ends_with entry enumerate eq err expect extend extend_from_slice fetch_add fill filter filter_map find \
    find_map first flat_map flatten floor flush fmt fold for_each from from_fn from_iter from_str from_utf8 get get_mut \
    get_or_init get_or_insert_with hash inspect insert insert_str into into_boxed_slice into_inner into_iter into_keys \
    into_values is_ascii is_dir is_empty is_err is_file is_err_and is_none is_ok is_some is_some_and iter iter_mut join \
    keys kind last last_mut leak len line_buffered lines load lock make_ascii_lowercase map map_err map_or map_or_else \
    max max_by max_by_key min min_by min_by_key mul_f64 next next_back notify_one now nth ok ok_or ok_or_else or or_default \
    or_else or_insert or_insert_with parent parse partial_cmp partition path peek peekable poll pop pop_front position \
    pow product push push_back push_front push_str read read_exact read_line read_to_end read_to_string recv reduce remove \
    rename replace replacen reserve resize retain rev round rposition scan seek send skip skip_while sleep sort sort_by \
    sort_by_key sort_unstable source split split_at split_off split_once split_whitespace splitn spawn starts_with status \
    step_by store strip_prefix strip_suffix sub sum swap take take_while then then_some to_be_bytes to_bits to_le_bytes \
    to_lowercase to_ne_bytes to_owned to_socket_addrs to_str to_string to_string_lossy to_uppercase to_vec trim trim_end \
    trim_start truncate try_fold try_for_each try_from try_into try_lock try_recv try_send type_id unwrap \
    unwrap_or unwrap_or_default unwrap_or_else unzip upgrade downgrade values values_mut wait wake wake_by_ref windows \
    with_capacity with_extension wrapping_add write write_all write_fmt write_str zip main description as_nanos as_secs \
    as_millis from_secs from_millis subsec_nanos successors repeat repeat_n is_sorted chunk_by chunks_exact as_any";

const MODULES: &str = "std core alloc crate self super iter time sync fs io env thread net task future futures process \
    collections mem ptr fmt str slice vec error result option string cell ops num char hash path pin rc any array \
    borrow boxed cmp convert default ffi marker os panic prelude primitive u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 \
    isize f32 f64 bool";

const TYPES: &str = "Self Vec String Option Result Box Arc Rc Weak HashMap HashSet BTreeMap BTreeSet VecDeque BinaryHeap \
    Duration Instant SystemTime Path PathBuf OsString OsStr Cow Cell RefCell Mutex RwLock OnceLock LazyLock OnceCell Ok Err Some \
    None Iterator IntoIterator FromIterator Future IntoFuture Pin Context Poll Waker Error Display Debug Default Clone Copy \
    Send Sync Sized Drop Deref From Into TryFrom TryInto FromStr ToString AsRef Hash Eq Ord PartialEq PartialOrd Ordering Read \
    Write Seek BufRead BufReader BufWriter File Stdin Stdout TcpStream TcpListener UdpSocket IpAddr Ipv4Addr SocketAddr \
    ExitCode Termination Range PhantomData ManuallyDrop MaybeUninit NonZero Wrapping TypeId Any Fn FnMut FnOnce Command Stdio \
    AtomicBool AtomicUsize AtomicU64 Thread JoinHandle ErrorKind Location Layout Entry";

pub(super) fn is_std_member(name: &str) -> bool {
    has_word(MEMBERS, name)
}

pub(super) fn is_std_module(name: &str) -> bool {
    has_word(MODULES, name)
}

pub(super) fn is_std_type(name: &str) -> bool {
    has_word(TYPES, name)
}

fn has_word(words: &str, name: &str) -> bool {
    words.split_whitespace().any(|word| word == name)
}
