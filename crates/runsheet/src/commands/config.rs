//! `runsheet config show`.

use std::{io::Write, process::ExitCode};

use serde_json::{Map, Value, json};

use crate::{
    config::Resolved,
    fault::Fault,
    output,
    table::{Cell, Table},
    term::{Look, Term},
};

/// Shows each key's value, and where it came from.
pub(crate) fn run(resolved: &Resolved, origins: bool, as_json: bool) -> Result<ExitCode, Fault> {
    let mut out = output::stdout();
    let store = &resolved.config.store;
    let store = store.placed().is_ok().then(|| store.path.display().to_string());
    if as_json {
        let mut keys = Map::new();
        for entry in &resolved.entries {
            let value = match entry.key.name {
                "store.path" => store.clone().map_or(Value::Null, Value::from),
                _ => entry.value.as_ref().map_or(Value::Null, Value::from),
            };
            let shown = json!({
                "value": value,
                "origin": entry.origin.layer(),
                "place": entry.origin.place(),
                "meaning": entry.key.meaning,
            });
            keys.insert(entry.key.name.into(), shown);
        }
        let ignored: Vec<Value> = resolved
            .ignored
            .iter()
            .map(|(key, file)| json!({"key": key, "place": file.display().to_string()}))
            .collect();
        output::json(&mut out, &json!({"keys": keys, "ignored": ignored}))?;
    } else {
        let mut table = Table::default();
        for entry in &resolved.entries {
            let value = match (entry.key.name, &entry.value) {
                ("store.path", _) if store.is_some() => format!("{:?}", store.as_deref().unwrap_or_default()),
                (_, Some(value)) => value.to_string(),
                (_, None) => format!("({})", entry.key.default_words),
            };
            let origin = if origins { entry.origin.to_string() } else { String::new() };
            table.row(vec![Cell::new(entry.key.name), Cell::new(&value), Cell::looking(&origin, Look::Dim)]);
        }
        table.write(&mut out, &Term::stdout(), "")?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
