//! Frames of server-sent events.

use bytes::{BufMut, Bytes, BytesMut};
use runsheet_engine::{
    core::log::{Recorded, Seq},
    store::Cursor,
};
use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Value<'a> {
    session: Uuid,
    key: &'a str,
    value: Option<&'a RawValue>,
    seq: Seq,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Event<'a> {
    session: Uuid,
    event: &'a Recorded,
}

#[derive(Serialize)]
struct Reset {
    cursor: String,
}

/// A projection changed. It has no place of its own.
pub(super) fn value(session: Uuid, key: &str, value: Option<&RawValue>, seq: Seq) -> Bytes {
    frame("projection", None, &Value { session, key, value, seq })
}

/// An event, with its place.
pub(super) fn event(session: Uuid, event: &Recorded, at: Cursor) -> Bytes {
    frame("event", Some(at), &Event { session, event })
}

/// The reader is to start over.
pub(super) fn reset(at: Cursor) -> Bytes {
    frame("reset", Some(at), &Reset { cursor: at.to_string() })
}

/// The place reached, without anything to tell: browsers take it and dispatch nothing.
pub(super) fn place(at: Cursor) -> Bytes {
    Bytes::from(format!("id: {at}\n\n"))
}

/// A sign of life, with the place reached.
pub(super) fn alive(at: Cursor) -> Bytes {
    Bytes::from(format!(": alive\nid: {at}\n\n"))
}

/// The first thing said: how soon to come back when the connection breaks.
pub(super) fn hello() -> Bytes {
    Bytes::from_static(b"retry: 1000\n\n")
}

fn frame(name: &str, at: Option<Cursor>, data: &impl Serialize) -> Bytes {
    let mut out = BytesMut::with_capacity(512);
    out.put_slice(b"event: ");
    out.put_slice(name.as_bytes());
    if let Some(at) = at {
        out.put_slice(b"\nid: ");
        out.put_slice(at.to_string().as_bytes());
    }
    out.put_slice(b"\ndata: ");
    let begins = out.len();
    let mut writer = out.writer();
    // Writing to memory cannot fail, and what is written are plain structs.
    let _ = serde_json::to_writer(&mut writer, data);
    let mut out = writer.into_inner();
    // Raw data keeps the white space it was written with. In JSON a line break is never anything else, and here it
    // would end the line.
    for byte in &mut out[begins..] {
        if matches!(*byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    out.put_slice(b"\n\n");
    out.freeze()
}

#[cfg(test)]
mod tests {
    use super::value;
    use serde_json::value::RawValue;
    use uuid::Uuid;

    #[test]
    fn data_stays_on_one_line() {
        let raw = RawValue::from_string("{\n  \"a\":\r\n \"\\n\" }".into()).unwrap();
        let frame = value(Uuid::nil(), "todos", Some(&raw), 3);
        let text = std::str::from_utf8(&frame).unwrap();
        assert_eq!(text.matches('\n').count(), 3, "{text}");
        assert!(text.contains("\\n") && !text.contains('\r'), "{text}");
    }
}
