//! The metrics, in groups that share a measurement.

mod append;
mod first_answer;
mod hook;
mod idle;
mod memory;
mod one_stream;
mod opening;
mod resource;
mod tail;
mod throughput;
mod todo_write;

use std::io::{self, Write};

use anyhow::{Result, bail};

use crate::{bench::Bench, report::Row};

/// Metrics that one measurement gives.
pub(crate) struct Group {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    measure: fn(&Bench) -> Result<Vec<Row>>,
}

pub(crate) const GROUPS: &[Group] = &[
    append::GROUP,
    throughput::ONE_PROCESS,
    throughput::MANY_PROCESSES,
    one_stream::GROUP,
    tail::GROUP,
    idle::GROUP,
    opening::GROUP,
    todo_write::GROUP,
    resource::GROUP,
    first_answer::GROUP,
    memory::GROUP,
    hook::GROUP,
];

/// Measures the groups that the filters name; all of them without a filter.
pub(crate) fn measure(bench: &Bench, filters: &[String]) -> Result<Vec<Row>> {
    let wanted = |group: &&Group| filters.is_empty() || filters.iter().any(|filter| group.name.contains(&**filter));
    let groups: Vec<_> = GROUPS.iter().filter(wanted).collect();
    if groups.is_empty() {
        bail!("no group of metrics is called like `{}`; --list names them", filters.join("`, `"));
    }
    let mut rows = Vec::new();
    for group in groups {
        let _ = writeln!(io::stderr(), "measuring {}: {}", group.name, group.about);
        match (group.measure)(bench) {
            Ok(measured) => rows.extend(measured),
            // One that fails does not keep the others from being measured.
            Err(error) => rows.push(Row::broken(group.name, format!("{error:#}"))),
        }
    }
    Ok(rows)
}
