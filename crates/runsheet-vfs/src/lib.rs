//! SQLite's files, with one write for a transaction.
//!
//! SQLite writes each page of a transaction to the WAL with two calls, its header and its content. Six pages are twelve
//! writes, and each of them costs more than all the bytes together (measured on ext4, then `fdatasync`: 0.28 ms for
//! twelve writes of 12 KiB in all, 0.18 ms for one). [`register`] makes a VFS that gathers them and hands them to SQLite's
//! own VFS as one. Whatever is not a WAL goes to SQLite's own VFS untouched: locks, shared memory, the database's pages.
//!
//! What holds:
//! - a transaction's frames are in the file before SQLite tells anybody of them: the frame that commits ends the
//!   gathering, whatever `synchronous` is, and its error is the error of that frame's write;
//! - gathered bytes are written before anything else happens to the file: a read, a sync, a question for its size;
//! - the order of writes is SQLite's own. Only frames of a transaction that has not committed are ever held back, and
//!   those are nobody's loss when the process dies.

mod file;
mod gather;
mod vfs;

pub use vfs::{NAME, register};
