//! The report as a table.

use std::io::{self, Write};

use crate::{
    machine::Machine,
    report::{Row, figure},
};

const HEADINGS: [&str; 6] = ["metric", "value", "reference", "ratio", "limit", ""];

pub(crate) fn print(out: &mut impl Write, machine: &Machine, quick: bool, rows: &[Row]) -> io::Result<()> {
    writeln!(out, "{machine}")?;
    if quick {
        writeln!(out, "a quick run: not to be compared")?;
    }
    writeln!(out)?;
    let mut lines = vec![HEADINGS.map(String::from)];
    lines.extend(rows.iter().map(cells));
    let widths: Vec<usize> = (0..HEADINGS.len())
        .map(|column| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0))
        .collect();
    let mut remarks = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let padded: Vec<_> = line
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell}{}", " ".repeat(width - cell.chars().count())))
            .collect();
        writeln!(out, "{}", padded.join("  ").trim_end())?;
        if let Some(row) = index.checked_sub(1).and_then(|index| rows.get(index))
            && let Some(remark) = row.remark()
        {
            remarks.push(format!("{}: {remark}", row.name()));
        }
    }
    if !remarks.is_empty() {
        writeln!(out)?;
    }
    remarks.iter().try_for_each(|remark| writeln!(out, "{remark}"))
}

fn cells(row: &Row) -> [String; 6] {
    let value = row.value().map_or("–".into(), |value| format!("{} {}", figure(value), row.unit()));
    let reference = row.reference().map_or_else(String::new, |(name, value)| format!("{} {name}", figure(value)));
    let ratio = row.ratio().map_or_else(String::new, |ratio| format!("{} ×", figure(ratio)));
    let verdict = match row.within() {
        Some(true) => "ok",
        Some(false) => "OVER",
        None if row.broke() => "FAILED",
        None if row.value().is_none() => "not measured",
        None => "",
    };
    [row.name().into(), value, reference, ratio, row.limit_text().unwrap_or_default(), verdict.into()]
}
