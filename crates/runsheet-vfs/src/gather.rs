//! Which writes to a WAL wait for those that follow: the rule alone, without files.

/// The bytes before each page: its number, the size of the database if it ends a transaction, salts and checksums.
const FRAME_HEADER: usize = 24;

/// From here on what is held is written: a large transaction gains nothing from more. With the largest page on top it
/// stays under the 128 KiB that SQLite's own VFS writes in one go (it takes a longer write for a full disk).
const MAX_HELD: usize = 32 << 10;

/// Writes that lie one behind the other in the file, held back until the transaction they belong to ends.
#[derive(Debug, Default)]
pub(crate) struct Gather {
    never: bool,
    start: u64,
    held: Vec<u8>,
    /// The last write was the header of a frame that ends a transaction; its page comes next.
    ends: bool,
    /// The transaction ended. What follows it before a sync (SQLite then may correct checksums of earlier frames) is
    /// seen by others without another word to us, so it is not held back.
    open: bool,
}

/// What is to be done with a write.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// It is held back.
    Hold,
    /// It is held back, and all that is held is to be written now.
    Write,
    /// It goes into the file as it is.
    Pass,
}

impl Gather {
    /// For a file whose writes all pass.
    pub(crate) fn never() -> Self {
        Self { never: true, ..Self::default() }
    }

    /// Whether a write at this place continues what is held.
    pub(crate) fn continues(&self, offset: u64) -> bool {
        self.held.is_empty() || offset == self.start + self.held.len() as u64
    }

    /// Takes a write that continues what is held.
    pub(crate) fn take(&mut self, bytes: &[u8], offset: u64) -> Next {
        if self.open || self.never {
            return Next::Pass;
        }
        if self.held.is_empty() {
            self.start = offset;
        }
        self.held.extend_from_slice(bytes);
        if self.ends {
            (self.ends, self.open) = (false, true);
            return Next::Write;
        }
        self.ends = bytes.len() == FRAME_HEADER && bytes[4..8] != [0; 4];
        if self.held.len() < MAX_HELD || self.ends { Next::Hold } else { Next::Write }
    }

    /// Where the held bytes belong, and they; nothing when none are held.
    pub(crate) fn held(&self) -> Option<(u64, &[u8])> {
        (!self.held.is_empty()).then_some((self.start, &self.held))
    }

    /// Forgets what was held: it is in the file, or SQLite was told that it is not.
    pub(crate) fn clear(&mut self) {
        self.held.clear();
        self.ends = false;
    }

    /// The file was synced: the next transaction begins.
    pub(crate) fn synced(&mut self) {
        self.open = false;
    }
}

#[cfg(test)]
mod tests {
    use super::{FRAME_HEADER, Gather, MAX_HELD, Next};

    fn header(commits: bool) -> [u8; FRAME_HEADER] {
        let mut header = [0; FRAME_HEADER];
        header[7] = u8::from(commits);
        header
    }

    #[test]
    fn a_transaction_is_held_until_the_page_that_ends_it() {
        let mut gather = Gather::default();
        assert_eq!(gather.take(&[7; 32], 0), Next::Hold);
        assert_eq!(gather.take(&header(false), 32), Next::Hold);
        assert_eq!(gather.take(&[1; 512], 56), Next::Hold);
        assert!(gather.continues(568));
        assert_eq!(gather.take(&header(true), 568), Next::Hold);
        assert_eq!(gather.take(&[2; 512], 592), Next::Write);
        let (start, bytes) = gather.held().expect("something is held");
        assert_eq!((start, bytes.len()), (0, 32 + 2 * (24 + 512)));
    }

    #[test]
    fn what_follows_a_transaction_passes_until_a_sync() {
        let mut gather = Gather::default();
        gather.take(&header(true), 32);
        assert_eq!(gather.take(&[2; 512], 56), Next::Write);
        gather.clear();
        assert_eq!(gather.take(&header(true), 32), Next::Pass, "a checksum mended after the commit");
        gather.synced();
        assert_eq!(gather.take(&header(false), 568), Next::Hold);
    }

    #[test]
    fn a_write_elsewhere_does_not_continue() {
        let mut gather = Gather::default();
        gather.take(&header(false), 32);
        assert!(!gather.continues(32));
        assert!(gather.continues(56));
    }

    #[test]
    fn a_page_of_24_zeroes_in_front_ends_nothing() {
        let mut gather = Gather::default();
        gather.take(&header(false), 32);
        gather.take(&[255; 512], 56);
        assert_eq!(gather.take(&header(false), 568), Next::Hold);
    }

    #[test]
    fn much_is_not_held_back() {
        let mut gather = Gather::default();
        gather.take(&header(false), 32);
        assert_eq!(gather.take(&vec![0; MAX_HELD], 56), Next::Write);
    }
}
