//! What lies beside the log: projection states and call aliases.

use runsheet_core::log::{EventId, StreamId, Time};
use rusqlite::{OptionalExtension, params};
use uuid::Uuid;

use super::{connection::Db, fault::Trouble, read, row::uint};
use crate::{
    aliases::{ALIAS_LIFE_MS, CallAlias},
    cache::CacheRow,
    error::StoreError,
};

/// The states of a stream that are valid.
pub(super) fn cached(
    db: &mut Db,
    stream: &StreamId,
    projections: &[(&'static str, u32)],
) -> Result<Vec<CacheRow>, Trouble> {
    let Some(known) = db.streams.find(&db.conn, stream)? else { return Ok(Vec::new()) };
    let mut valid = Vec::with_capacity(projections.len());
    for (key, version) in projections {
        let row = db
            .conn
            .prepare_cached("SELECT seq, id, sum, state FROM projections WHERE sid = ?1 AND key = ?2 AND version = ?3")?
            .query_row(params![known.sid, key, version], |row| {
                let event_id = EventId::new(Uuid::from_bytes(row.get(1)?));
                let sum: i64 = row.get(2)?;
                Ok((sum, CacheRow { key, version: *version, seq: uint(row.get(0)?), event_id, state: row.get(3)? }))
            })
            .optional()?;
        if let Some((sum, row)) = row
            && i64::from(crc32fast::hash(&row.state)) == sum
            && read::stands(db, &known, row.seq, row.event_id)?
        {
            valid.push(row);
        }
    }
    Ok(valid)
}

/// Keeps an alias, and forgets those a day older.
pub(super) fn put_alias(db: &mut Db, alias: &CallAlias) -> rusqlite::Result<()> {
    let CallAlias { principal, call_id, stream, scope, key, client, native, cwd, at } = alias;
    db.conn
        .prepare_cached(
            "INSERT OR REPLACE INTO aliases(principal, call, stream, scope, key, client, native, cwd, at) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?
        .execute(params![
            principal,
            call_id,
            stream.to_string(),
            scope.to_string(),
            key,
            client,
            native,
            cwd,
            at.as_ms()
        ])?;
    db.conn.prepare_cached("DELETE FROM aliases WHERE at < ?1")?.execute([at.as_ms().saturating_sub(ALIAS_LIFE_MS)])?;
    Ok(())
}

/// The alias of a call.
pub(super) fn alias(db: &mut Db, principal: String, call_id: String) -> Result<Option<CallAlias>, Trouble> {
    let found = db
        .conn
        .prepare_cached(
            "SELECT stream, scope, key, client, native, cwd, at FROM aliases WHERE principal = ?1 AND call = ?2",
        )?
        .query_row(params![principal, call_id], |row| {
            let texts: (String, String) = (row.get(0)?, row.get(1)?);
            Ok((texts, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?))
        })
        .optional()?;
    let Some(((stream, scope), key, client, native, cwd, at)) = found else { return Ok(None) };
    let damaged = |what: String| StoreError::Damaged { what: format!("the alias of call `{call_id}`: {what}") };
    let stream = stream.parse().map_err(|error| damaged(format!("{error}")))?;
    let scope = scope.parse().map_err(damaged)?;
    Ok(Some(CallAlias { stream, scope, key, client, native, cwd, at: Time::from_ms(at), principal, call_id }))
}
