//! Who serves a session right now: locks of the operating system, which a crash releases.

use uuid::Uuid;

use crate::error::StoreError;

/// Locks of sessions.
pub trait SessionLocks: Send + Sync {
    /// Joins the processes that serve a session. The second value says whether nobody did before: then a turn that is
    /// still open was left behind.
    ///
    /// # Errors
    /// See [`StoreError`].
    fn attach(&self, session: Uuid) -> Result<(Box<dyn Attachment>, bool), StoreError>;

    /// Whether it is certain that no process serves a session: a turn that a call opened there was left behind.
    fn deserted(&self, session: Uuid) -> bool;

    /// Becomes the one writer of an owned session.
    ///
    /// # Errors
    /// [`StoreError::SessionBusy`] when another process is.
    fn own(&self, session: Uuid) -> Result<Box<dyn OwnerLock>, StoreError>;
}

/// Being one of the processes that serve a session. Dropped, it lets go without a word.
pub trait Attachment: Send + Sync {
    /// Leaves. Gives a guard when this was the last: while it is held, nobody can join.
    fn leave(self: Box<Self>) -> Option<Box<dyn LastOut>>;
}

/// The last process to leave a session, for as long as it settles what is open.
pub trait LastOut: Send + Sync {}

/// Being the one writer of an owned session.
pub trait OwnerLock: Send + Sync {}
