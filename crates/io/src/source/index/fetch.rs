//! Fetches the plugins of an index: its files for the crates of a workspace, then the archives that are missing.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use symposium_model::config::{FetchTrigger, IndexAddress};
use symposium_model::plugin_index::{
    ANY_FILE, AskedCrate, CONFIG_FILE, IndexConfig, MAX_ARCHIVE, PublishedPlugin, check_amount, choose_plugins,
    crate_file, keep_pinned, parse_file,
};

use super::client::{IndexAnswer, IndexClient};
use super::known_files::{KnownFile, KnownFiles};
use super::record::{KeptRecord, PluginIndexRecord, RecordFacts};
use super::view::{self, MadeView};
use super::{FRESH_FOR, IndexDemand, PluginIndexFault, WORKERS, gc};
use crate::file_lock;
use crate::http::FileVersion;
use crate::source::fetch_error::{FetchError, FetchLimits};
use crate::source::git::{FetchResult, SourceChange};
use crate::source::transfer::ByteCount;
use crate::{clock, fs};

/// Bytes of all archives that one fetch gets.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// Workspaces whose plugins are renewed in the background; the others are renewed by their own `sync`.
const MOST_RENEWED: usize = 64;

pub(super) fn fetch(
    directory: &Path,
    address: &IndexAddress,
    demand: &IndexDemand<'_>,
    limits: &FetchLimits,
    count: &ByteCount,
) -> Result<FetchResult, FetchError> {
    let deadline = Instant::now() + limits.whole;
    let seen = PluginIndexRecord::read(directory, address, demand.workspace).map(|record| record.serial);
    let _held = file_lock::acquire(&directory.join("lock"), limits.whole)?;
    let before = PluginIndexRecord::read(directory, address, demand.workspace);
    if let Some(record) = before.as_ref().filter(|record| Some(record.serial) != seen)
        && record.crates == demand.crates
        && record.faults.is_empty()
        && demand.pinned.is_none()
        && let Some(info) = super::CheckoutInfo::read(directory, &record.commit).and_then(|info| info.copy(directory))
    {
        return Ok(FetchResult { copy: info, change: SourceChange::ByAnother });
    }
    gc::sweep(directory, address);
    fs::create_private_dir(&directory.join("archives"))?;
    let client = IndexClient::new(limits, deadline, count);
    let mut run = IndexRun { directory, address, client, known: KnownFiles::read(directory), faults: Vec::new() };
    let fetched = run.renew(demand, before);
    // Files that came are not asked for again, whatever happened to the others.
    if let Err(error) = run.known.write(directory) {
        tracing::warn!(%error, "cannot keep the files of an index");
    }
    gc::sweep(directory, address);
    let fetched = fetched?;
    if run.faults.is_empty() {
        tracing::info!(source = address.shown(), commit = fetched.copy.commit, "fetched");
        return Ok(fetched);
    }
    Err(FetchError::Partial(run.faults.iter().map(ToString::to_string).collect()))
}

struct IndexRun<'r> {
    directory: &'r Path,
    address: &'r IndexAddress,
    client: IndexClient<'r>,
    known: KnownFiles,
    faults: Vec<PluginIndexFault>,
}

/// A workspace, or work outside any, and the plugins that it gets.
struct IndexTarget {
    workspace: Option<PathBuf>,
    crates: Vec<AskedCrate>,
    pinned: Option<Vec<PublishedPlugin>>,
    before: Option<PluginIndexRecord>,
    latest: Vec<PublishedPlugin>,
    wanted: Vec<PublishedPlugin>,
    faults: Vec<String>,
}

/// An archive as an index names it. Two entries with one hash may differ in the rest, and then one of them is wrong.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct ArchiveEntry {
    sha256: String,
    size: u64,
    path: String,
}

impl ArchiveEntry {
    fn from_plugin(plugin: &PublishedPlugin) -> Self {
        let PublishedPlugin { sha256, size, archive, .. } = plugin;
        Self { sha256: sha256.as_str().to_owned(), size: *size, path: archive.clone() }
    }
}

impl IndexTarget {
    fn files(&self) -> impl Iterator<Item = String> {
        std::iter::once(ANY_FILE.to_owned()).chain(self.crates.iter().map(|asked| crate_file(&asked.name)))
    }
}

impl IndexRun<'_> {
    fn renew(
        &mut self,
        demand: &IndexDemand<'_>,
        before: Option<PluginIndexRecord>,
    ) -> Result<FetchResult, FetchError> {
        let archives = self.archives()?;
        let mut targets = self.targets(demand, before);
        let mut names: BTreeMap<String, &AskedCrate> = BTreeMap::new();
        for asked in targets.iter().flat_map(|target| &target.crates) {
            names.entry(crate_file(&asked.name)).or_insert(asked);
        }
        let unread = self.ask(&names, demand.trigger);
        let mut files: BTreeMap<String, Vec<PublishedPlugin>> = BTreeMap::new();
        for file in targets.iter().flat_map(IndexTarget::files) {
            if let Entry::Vacant(place) = files.entry(file) {
                let file = place.key();
                let text = self.known.get(file).and_then(|known| known.text.as_deref()).unwrap_or_default();
                let plugins = parse_file(file, text).unwrap_or_default();
                place.insert(plugins);
            }
        }
        let holds = !demand.auto_update && demand.trigger != FetchTrigger::Asked;
        let mut too_many = Vec::new();
        for target in &mut targets {
            let own: BTreeSet<String> = target.files().collect();
            let listed = own.iter().filter_map(|file| files.get(file)).flatten();
            let mut latest = choose_plugins(listed, &target.crates);
            if let Some(before) = &target.before {
                let is_unread = |plugin: &&PublishedPlugin| plugin.files().iter().any(|file| unread.contains_key(file));
                let kept: Vec<PublishedPlugin> =
                    before.latest.iter().filter(|plugin| holds || is_unread(plugin)).cloned().collect();
                latest = keep_pinned(&kept, latest, &target.crates);
            }
            target.faults = own.iter().filter_map(|file| unread.get(file).cloned()).collect();
            target.wanted = match &target.pinned {
                Some(pinned) => keep_pinned(pinned, latest.clone(), &target.crates),
                None => latest.clone(),
            };
            target.latest = latest;
            let amount = check_amount(&target.wanted).and_then(|()| check_amount(&target.latest));
            if let Err(reason) = amount {
                if target.workspace.as_deref() == demand.workspace {
                    return Err(FetchError::BeyondLimit(reason));
                }
                too_many.push(target.workspace.clone());
            }
        }
        // Another workspace keeps what it has.
        targets.retain(|target| !too_many.contains(&target.workspace));
        let missing = self.download(&archives, &targets);
        let mut result = None;
        for target in targets {
            let is_asked = target.workspace.as_deref() == demand.workspace;
            let made = self.publish(target, &archives, &missing)?;
            if is_asked {
                result = Some(made);
            }
        }
        result.ok_or(FetchError::Empty)
    }

    /// Reads the file at the root, which says where archives are.
    fn archives(&mut self) -> Result<IndexAddress, FetchError> {
        let known = self.known.get(CONFIG_FILE).filter(|known| known.text.is_some());
        let answer = self.client.list(self.address, CONFIG_FILE, known.map(|known| &known.version))?;
        let text = match answer {
            IndexAnswer::Found(bytes, version) => {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                let file = CONFIG_FILE.to_owned();
                let known = KnownFile { file, checked: clock::now(), version, missed: None, text: Some(text.clone()) };
                IndexConfig::parse(&text).map_err(FetchError::Http)?;
                self.known.add(known);
                text
            }
            IndexAnswer::Unchanged => known.and_then(|known| known.text.clone()).unwrap_or_default(),
            IndexAnswer::Absent => {
                return Err(FetchError::Http(format!("it has no `{CONFIG_FILE}`, so it is not an index of plugins")));
            }
        };
        let config = IndexConfig::parse(&text).map_err(FetchError::Http)?;
        self.address.archives(&config.archives).map_err(FetchError::Http)
    }

    fn targets(&self, demand: &IndexDemand<'_>, before: Option<PluginIndexRecord>) -> Vec<IndexTarget> {
        let target = |workspace: Option<&Path>, crates: &[AskedCrate], before: Option<PluginIndexRecord>| IndexTarget {
            workspace: workspace.map(Path::to_owned),
            crates: crates.to_vec(),
            pinned: None,
            before,
            latest: Vec::new(),
            wanted: Vec::new(),
            faults: Vec::new(),
        };
        let pinned = demand.pinned.map(<[PublishedPlugin]>::to_vec);
        let mut targets = vec![IndexTarget { pinned, ..target(demand.workspace, demand.crates, before) }];
        if demand.workspace.is_some() {
            let outside = PluginIndexRecord::read(self.directory, self.address, None);
            targets.push(target(None, &[], outside));
        } else {
            let (kept, _) = KeptRecord::list(self.directory, self.address);
            let workspaces = kept.iter().filter(|kept| kept.is_present).filter_map(|kept| kept.workspace.as_deref());
            for workspace in workspaces.take(MOST_RENEWED) {
                let record = PluginIndexRecord::read(self.directory, self.address, Some(workspace));
                let Some(record) = record else { continue };
                targets.push(target(Some(workspace), &record.crates.clone(), Some(record)));
            }
        }
        targets
    }

    /// Asks for the files that are missing or old, several at a time. Returns the ones that are not known now, with the
    /// reason.
    fn ask(&mut self, names: &BTreeMap<String, &AskedCrate>, trigger: FetchTrigger) -> BTreeMap<String, String> {
        let now = clock::now();
        let is_fresh = |file: &str| {
            let known = self.known.get(file).filter(|known| known.missed.is_none());
            let checked = known.map(|known| known.checked);
            trigger != FetchTrigger::Asked
                && checked.is_some_and(|checked| checked <= now && now - checked < FRESH_FOR.as_secs())
        };
        let all = std::iter::once(ANY_FILE).chain(names.keys().map(String::as_str));
        let wanted: Vec<&str> = all.filter(|file| !is_fresh(file)).collect();
        let (client, address, known) = (&self.client, self.address, &self.known);
        let answers = in_parallel(&wanted, |file| {
            let known = known.get(file);
            // A version is of use only with the content that it is of.
            let version = known.filter(|known| known.text.is_some()).map(|known| &known.version);
            let renewed = match client.list(address, file, version)? {
                // An index has no empty files; a server that lost the content of one sends such.
                IndexAnswer::Found(bytes, _) if bytes.is_empty() => {
                    return Err(FetchError::Http("the file is empty".to_owned()));
                }
                IndexAnswer::Found(bytes, version) => {
                    let text = String::from_utf8(bytes).map_err(|_| FetchError::Http("it is not text".to_owned()))?;
                    parse_file(file, &text).map_err(FetchError::Http)?;
                    KnownFile { file: (*file).to_owned(), checked: now, version, missed: None, text: Some(text) }
                }
                IndexAnswer::Unchanged => {
                    KnownFile { checked: now, missed: None, ..known.cloned().ok_or(FetchError::Empty)? }
                }
                IndexAnswer::Absent => known.and_then(|known| known.missed_at(now)).unwrap_or_else(|| KnownFile {
                    file: (*file).to_owned(),
                    checked: now,
                    version: FileVersion::default(),
                    missed: None,
                    text: None,
                }),
            };
            Ok(renewed)
        });
        let mut unread = BTreeMap::new();
        for (file, answer) in wanted.iter().zip(answers) {
            let error = match answer {
                Ok(known) => {
                    let is_missed = known.missed.is_some();
                    self.known.add(known);
                    if !is_missed {
                        continue;
                    }
                    let help = "its plugins stay until it was missing for four hours";
                    FetchError::Http(format!("the server no longer has the file; {help}"))
                }
                Err(error) => error,
            };
            let whose = match names.get(*file) {
                Some(asked) => format!("crate `{}`", asked.name),
                None => "plugins for any workspace".to_owned(),
            };
            let text = format!("{whose} at `{}/{file}`: {error}", self.address.shown());
            unread.insert((*file).to_owned(), text.clone());
            self.faults.push(PluginIndexFault { plugin: None, text });
        }
        unread
    }

    /// Downloads the archives that are missing, and checks each before it is kept. Returns the ones that cannot be had.
    fn download(
        &mut self,
        archives: &IndexAddress,
        targets: &[IndexTarget],
    ) -> BTreeMap<ArchiveEntry, PluginIndexFault> {
        let mut needed: BTreeMap<ArchiveEntry, &PublishedPlugin> = BTreeMap::new();
        let mut missing = BTreeMap::new();
        let mut left = MOST_BYTES;
        for plugin in targets.iter().flat_map(|target| &target.wanted) {
            let entry = ArchiveEntry::from_plugin(plugin);
            if needed.contains_key(&entry) || fs::is_file(&view::archive_path(self.directory, plugin)) {
                continue;
            }
            if let Some(rest) = left.checked_sub(plugin.size) {
                left = rest;
                needed.insert(entry, plugin);
            } else {
                let limit = MOST_BYTES / 1024 / 1024;
                let error = FetchError::BeyondLimit(format!("all archives together have more than {limit} MB"));
                missing.insert(entry, PluginIndexFault::about_plugin(plugin, archives, &error));
            }
        }
        let needed: Vec<(ArchiveEntry, &PublishedPlugin)> = needed.into_iter().collect();
        let (client, directory) = (&self.client, self.directory);
        let answers = in_parallel(&needed, |(_, plugin)| {
            let bytes = match client.get(archives, &plugin.archive, None, plugin.size.min(MAX_ARCHIVE))? {
                IndexAnswer::Found(bytes, _) => bytes,
                IndexAnswer::Unchanged | IndexAnswer::Absent => {
                    return Err(FetchError::Http("the server does not have the archive".to_owned()));
                }
            };
            view::check_archive(plugin, &bytes)?;
            fs::replace(&view::archive_path(directory, plugin), &bytes)?;
            Ok(())
        });
        for ((entry, plugin), answer) in needed.into_iter().zip(answers) {
            if let Err(error) = answer {
                missing.insert(entry, PluginIndexFault::about_plugin(plugin, archives, &error));
            }
        }
        self.faults.extend(missing.values().cloned());
        missing
    }

    /// Makes the directory of a target, and then its record. A plugin that cannot be had stays as it was.
    fn publish(
        &mut self,
        target: IndexTarget,
        archives: &IndexAddress,
        missing: &BTreeMap<ArchiveEntry, PluginIndexFault>,
    ) -> Result<FetchResult, FetchError> {
        let IndexTarget { workspace, crates, pinned, before, latest, wanted, mut faults } = target;
        let earlier =
            before.as_ref().and_then(|before| view::plugins_of(self.directory, &before.commit)).unwrap_or_default();
        // With the same archive too: the index may have a wrong size or version for it now.
        let substitute = |faulty: &PublishedPlugin| {
            earlier.iter().find(|plugin| plugin.name == faulty.name && *plugin != faulty).cloned()
        };
        // New plugins get only the room that is left: they must not push out one that is in use.
        let pinned = pinned.unwrap_or_default();
        let used: BTreeSet<&str> = earlier.iter().chain(&pinned).map(|plugin| plugin.sha256.as_str()).collect();
        let names: BTreeSet<&str> = earlier.iter().map(|plugin| plugin.name.as_str()).collect();
        let by_claim = |mut plugins: Vec<PublishedPlugin>| {
            plugins
                .sort_by_key(|plugin| (!used.contains(plugin.sha256.as_str()), !names.contains(plugin.name.as_str())));
            plugins
        };
        let mut plugins = Vec::new();
        for plugin in wanted {
            match missing.get(&ArchiveEntry::from_plugin(&plugin)) {
                None => plugins.push(plugin),
                Some(fault) => {
                    faults.push(fault.to_string());
                    plugins.extend(substitute(&plugin));
                }
            }
        }
        let MadeView { mut copy, faults: mut refused } =
            view::make(self.directory, archives, by_claim(plugins.clone()))?;
        if !refused.is_empty() {
            let is_refused =
                |plugin: &PublishedPlugin| refused.iter().any(|fault| fault.plugin.as_ref() == Some(&plugin.name));
            let again = plugins
                .into_iter()
                .filter_map(|plugin| if is_refused(&plugin) { substitute(&plugin) } else { Some(plugin) });
            let made = view::make(self.directory, archives, by_claim(again.collect()))?;
            copy = made.copy;
            // An older version that stays may take the room of another plugin.
            refused.extend(made.faults);
            faults.extend(refused.iter().map(ToString::to_string));
            let new = refused.into_iter().filter(|fault| !self.faults.contains(fault)).collect::<Vec<_>>();
            self.faults.extend(new);
        }
        let change = match &before {
            None => SourceChange::First,
            Some(before) if before.commit == copy.commit => SourceChange::None,
            Some(before) if before.crates == crates && is_older(&latest, &before.latest) => {
                SourceChange::BackFrom(before.commit.clone())
            }
            Some(before) => SourceChange::From(before.commit.clone()),
        };
        let facts = RecordFacts { commit: copy.commit.clone(), fetched: clock::now(), crates, latest, faults };
        let record = PluginIndexRecord::new(self.address, workspace.as_deref(), before.as_ref(), facts);
        record.write(self.directory)?;
        Ok(FetchResult { copy, change })
    }
}

/// Whether an index has a lower version of a plugin now than it had before.
fn is_older(now: &[PublishedPlugin], before: &[PublishedPlugin]) -> bool {
    let before: BTreeMap<&str, &PublishedPlugin> = before.iter().map(|plugin| (plugin.name.as_str(), plugin)).collect();
    now.iter().any(|plugin| before.get(plugin.name.as_str()).is_some_and(|before| plugin.version < before.version))
}

/// Does something for each item, several at a time. Results are in the order of the items.
fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R, FetchError> + Sync,
) -> Vec<Result<R, FetchError>> {
    let next = Mutex::new(0..items.len());
    let results: Vec<Mutex<Option<Result<R, FetchError>>>> = items.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..items.len().min(WORKERS) {
            scope.spawn(|| {
                while let Some(at) = next.lock().ok().and_then(|mut next| next.next()) {
                    let (Some(item), Some(place)) = (items.get(at), results.get(at)) else { break };
                    let result = work(item);
                    if let Ok(mut place) = place.lock() {
                        *place = Some(result);
                    }
                }
            });
        }
    });
    let taken = results.into_iter().map(|place| place.into_inner().ok().flatten());
    taken.map(|result| result.unwrap_or(Err(FetchError::Empty))).collect()
}
