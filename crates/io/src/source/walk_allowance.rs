//! How many directories a walk that follows links may look into: a few links make very many of few directories.

/// What is left of the directories a walk may look into.
#[derive(Debug)]
pub(crate) struct DirectoryAllowance {
    most: usize,
    left: usize,
}

impl DirectoryAllowance {
    /// So many, and no more.
    pub(crate) fn new(most: usize) -> Self {
        Self { most, left: most }
    }

    /// Looks into one more; `Err` says that it is too many.
    pub(crate) fn enter(&mut self) -> Result<(), String> {
        self.left = self.left.checked_sub(1).ok_or_else(|| {
            format!("more than {} directories, where one that several links lead to counts each time", self.most)
        })?;
        Ok(())
    }
}
