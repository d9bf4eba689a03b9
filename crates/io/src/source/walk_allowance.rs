//! Limit on the directories that a walk enters: with links, few directories can be reached on very many paths.

#[derive(Debug)]
pub(crate) struct DirectoryAllowance {
    most: usize,
    left: usize,
}

impl DirectoryAllowance {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, left: most }
    }

    pub(crate) fn enter(&mut self) -> Result<(), String> {
        self.left = self.left.checked_sub(1).ok_or_else(|| {
            format!("more than {} directories; a directory with several links to it counts each time", self.most)
        })?;
        Ok(())
    }
}
