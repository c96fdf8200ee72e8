//! The one connection of a process that writes: all of a group is committed in one transaction.

use std::{collections::HashSet, path::Path, sync::Arc};

use runsheet_core::log::{EventId, StreamId};
use rusqlite::{OptionalExtension, config::DbConfig};

use super::{
    Shared,
    connection::{self, Db, synchronous},
    fault::{Trouble, fault},
    hints, identity,
    options::Durability,
    queue::{Done, Work},
    read,
    turnstile::{Turn, sidecar},
    write::Writing,
};
use crate::{error::StoreError, event_log::AppendOutcome};

/// More remembered stream types than this are forgotten; to forget costs a look-up each.
const MAX_SEEN: usize = 65_536;

/// The largest WAL left to the next process, which must read it all to begin.
const MAX_WAL_LEFT: u64 = 256 << 10;

/// A transaction that did not take place, or may have.
enum Failure {
    /// It had no effect.
    Void(rusqlite::Error),
    /// It cannot be told.
    Unknown(String),
}

#[derive(Debug)]
pub(super) struct Writer {
    shared: Arc<Shared>,
    db: Option<Db>,
    seen: HashSet<(i64, i64, i64)>,
    durability: Durability,
}

/// The answers of a group, in its order, and the feed's end when it moved.
pub(super) struct Answers {
    pub(super) all: Vec<Result<Done, StoreError>>,
    position: Option<u64>,
}

impl Writer {
    pub(super) fn new(shared: &Arc<Shared>) -> Self {
        let durability = shared.options.durability;
        Self { shared: Arc::clone(shared), db: None, seen: HashSet::new(), durability }
    }

    /// The store's file.
    pub(super) fn path(&self) -> &Path {
        &self.shared.path
    }

    /// Whether the connection is open already.
    pub(super) fn is_open(&self) -> bool {
        self.db.is_some()
    }

    /// Commits a group; the caller has the turn.
    pub(super) fn serve(&mut self, group: &mut [Work]) -> Answers {
        if group.is_empty() {
            return Answers { all: Vec::new(), position: None };
        }
        match self.commit(group) {
            Ok(answers) => answers,
            Err(failure) if group.len() == 1 => {
                let answer = Err(self.answer(failure, &group[0]));
                Answers { all: vec![answer], position: None }
            }
            // One request's fault must not be its neighbours': each on its own now.
            Err(Failure::Void(_)) => {
                let mut answers = Answers { all: Vec::with_capacity(group.len()), position: None };
                for work in group.chunks_mut(1) {
                    let one = self.serve(work);
                    answers.all.extend(one.all);
                    answers.position = one.position.or(answers.position);
                }
                answers
            }
            Err(Failure::Unknown(reason)) => {
                let all = group.iter().map(|work| Err(unknown(work, &reason))).collect();
                Answers { all, position: None }
            }
        }
    }

    /// Rings for whoever waits for new events, here and in other processes, and ends the turn.
    pub(super) fn tell(&self, answers: &Answers, turn: Turn<'_>) {
        if let Some(position) = answers.position
            && let Err(error) = turn.ring(position)
        {
            tracing::warn!(%error, "cannot ring the doorbell; others notice within a second");
        }
        drop(turn);
        if let Some(position) = answers.position {
            self.shared.bell.ring(position);
        }
    }

    fn answer(&self, failure: Failure, work: &Work) -> StoreError {
        match failure {
            Failure::Void(error) => fault(&self.shared.path, "write", &error),
            Failure::Unknown(reason) => unknown(work, &reason),
        }
    }

    /// One transaction for all.
    fn commit(&mut self, group: &mut [Work]) -> Result<Answers, Failure> {
        // Hints need no sync of their own; a checkpoint syncs them before it moves them.
        let hints = group.iter().all(|work| matches!(work, Work::Alias(_)));
        let durability = if hints { Durability::Normal } else { self.shared.options.durability };
        let written = self.write(group, durability);
        let (all, position, from, dirty) = match written {
            Ok(written) => written,
            Err(error) => {
                self.roll_back();
                return Err(Failure::Void(error));
            }
        };
        if !dirty {
            self.roll_back();
            return Ok(Answers { all, position: None });
        }
        let answers = Answers { all, position: (position > from).then_some(position) };
        let Some(db) = &self.db else { return Ok(answers) };
        let committed = db.conn.prepare_cached("COMMIT").and_then(|mut commit| commit.execute([]));
        match committed {
            Ok(_) => Ok(answers),
            Err(error) => self.settle(error, group, answers),
        }
    }

    #[expect(clippy::type_complexity, reason = "the parts of one transaction, taken apart at its only caller")]
    fn write(
        &mut self,
        group: &mut [Work],
        durability: Durability,
    ) -> rusqlite::Result<(Vec<Result<Done, StoreError>>, u64, u64, bool)> {
        identity::check(&self.shared)?;
        if self.db.is_none() {
            let conn = self.shared.connection()?;
            connection::into_writer(&conn, self.shared.options.durability, self.shared.options.max_pages)?;
            self.durability = self.shared.options.durability;
            self.db = Some(Db::new(conn, &self.shared.options.vocabulary));
        }
        if self.seen.len() > MAX_SEEN {
            self.seen.clear();
        }
        let Some(db) = &mut self.db else { return Ok((Vec::new(), 0, 0, false)) };
        if self.durability != durability {
            db.conn.execute_batch(synchronous(durability))?;
            self.durability = durability;
        }
        db.conn.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        let (epoch, from) = read::epoch_and_position(&db.conn)?;
        let bounds = &self.shared.options.bounds;
        let mut writing = Writing { db, bounds, epoch, position: from, seen: &mut self.seen, dirty: false };
        let mut all = Vec::with_capacity(group.len());
        for work in group {
            match execute(&mut writing, work) {
                Ok(done) => all.push(Ok(done)),
                Err(Trouble::Request(error)) => all.push(Err(error)),
                Err(Trouble::Medium(error)) => return Err(error),
            }
        }
        Ok((all, writing.position, from, writing.dirty))
    }

    fn roll_back(&mut self) {
        let Some(db) = &mut self.db else { return };
        db.forget();
        self.seen.clear();
        // SQLite rolls some failures back by itself. A connection that cannot is given up.
        if !db.conn.is_autocommit() && db.conn.execute_batch("ROLLBACK").is_err() {
            self.db = None;
        }
    }

    /// After a failed COMMIT: whether it took effect is asked of the file, on a new connection, under the same lock.
    fn settle(&mut self, error: rusqlite::Error, group: &[Work], answers: Answers) -> Result<Answers, Failure> {
        self.roll_back();
        self.db = None;
        let witness = answers.all.iter().zip(group).find_map(|(answer, work)| witness(answer, work));
        let Some((stream, id)) = witness else { return Err(Failure::Void(error)) };
        tracing::warn!(%error, "a commit failed; asking the file whether it took effect");
        match self.took_effect(&stream, id, failed_to_write(&error)) {
            Ok(true) => Ok(answers),
            Ok(false) => Err(Failure::Void(error)),
            Err(again) => Err(Failure::Unknown(format!("{error}; then {again}"))),
        }
    }

    fn took_effect(&mut self, stream: &StreamId, id: EventId, incomplete: bool) -> rusqlite::Result<bool> {
        let conn = connection::open(&self.shared.path, true)?;
        connection::into_writer(&conn, Durability::Full, self.shared.options.max_pages)?;
        let there = conn
            .query_row(
                "SELECT 1 FROM events WHERE sid = (SELECT sid FROM streams WHERE name = ?1) AND id = ?2",
                rusqlite::params![stream.to_string(), id.uuid().as_bytes()],
                |_| Ok(()),
            )
            .optional()?
            .is_some();
        if there {
            // What failed may have been the sync. A checkpoint writes the rows once more, elsewhere, and syncs them.
            let busy: i64 = conn.query_row("PRAGMA wal_checkpoint(FULL)", [], |row| row.get(0))?;
            if busy != 0 {
                return Err(rusqlite::Error::SqliteFailure(
                    rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY),
                    Some("the rows are there, but a reader kept them from being synced".into()),
                ));
            }
        } else if !incomplete {
            // The commit may lie whole in the WAL, unseen, and come back when the WAL is recovered after a crash. The next
            // commit takes its place, so there must be one before anybody is told that it failed.
            conn.execute("UPDATE meta SET value = value WHERE key = 'epoch'", [])?;
        }
        Ok(there)
    }

    /// Closes the connection. SQLite checkpoints when it is the last of all processes, unless that can wait.
    pub(super) fn finish(&mut self) {
        let wal = std::fs::metadata(sidecar(&self.shared.path, "-wal")).map_or(0, |wal| wal.len());
        if let Some(db) = &self.db
            && !self.shared.options.checkpoint_on_close
            && wal <= MAX_WAL_LEFT
            && let Err(error) = db.conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
        {
            tracing::debug!(%error, "closing with a checkpoint");
        }
        if let Some(db) = self.db.take()
            && let Err((_, error)) = db.conn.close()
        {
            tracing::warn!(%error, "cannot close the store's connection");
        }
    }
}

/// Whether a commit failed at a write, so that its last record, which makes it one, cannot be whole.
fn failed_to_write(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map_or(0, |error| error.extended_code);
    matches!(code, rusqlite::ffi::SQLITE_FULL | rusqlite::ffi::SQLITE_IOERR_WRITE)
}

fn execute(writing: &mut Writing<'_>, work: &mut Work) -> Result<Done, Trouble> {
    match work {
        Work::Append { stream, expected, fork, batch } => {
            writing.append(stream, *expected, *fork, batch).map(Done::Append)
        }
        Work::Transact { stream, after, decide } => writing.transact(stream, *after, decide).map(Done::Transact),
        Work::Cache { stream, rows } => writing.cache(stream, rows).map(|()| Done::Kept),
        Work::Alias(alias) => {
            writing.dirty = true;
            hints::put_alias(writing.db, alias)?;
            Ok(Done::Kept)
        }
    }
}

/// An event that is there if and only if the transaction took effect.
fn witness(answer: &Result<Done, StoreError>, work: &Work) -> Option<(StreamId, EventId)> {
    match (answer, work) {
        (Ok(Done::Append(AppendOutcome::Appended(_))), Work::Append { stream, batch, .. }) => {
            Some((stream.clone(), batch.first()?.id))
        }
        (Ok(Done::Transact(made)), Work::Transact { stream, .. }) => Some((stream.clone(), made.appended.first()?.id)),
        _ => None,
    }
}

fn unknown(work: &Work, reason: &str) -> StoreError {
    match work {
        Work::Append { stream, .. } | Work::Transact { stream, .. } | Work::Cache { stream, .. } => {
            StoreError::Unknown { stream: stream.clone(), reason: reason.into() }
        }
        Work::Alias(_) => StoreError::Medium { operation: "keep an alias", reason: reason.into() },
    }
}
