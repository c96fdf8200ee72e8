//! What was measured, and the report of it.

use std::{fs, path::Path};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::{machine::Machine, sample::Series};

/// One line of the report.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    name: String,
    unit: &'static str,
    outcome: Outcome,
    reference: Option<(String, f64)>,
    limit: Option<Limit>,
    samples: usize,
    spread: Option<(f64, f64)>,
    note: Option<String>,
}

#[derive(Clone, Debug)]
enum Outcome {
    Value(f64),
    /// Something the measurement needs is not there.
    NotMeasured(String),
    /// The measurement failed.
    Broke(String),
}

/// What a value may be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Limit {
    AtLeast(f64),
    AtMost(f64),
    /// So many times the reference.
    TimesReference(f64),
    /// So much more than the reference.
    OverReference(f64),
}

impl Row {
    /// A value of its own.
    pub(crate) fn value_of(name: &str, unit: &'static str, value: f64) -> Self {
        Self {
            name: name.into(),
            unit,
            outcome: Outcome::Value(value),
            reference: None,
            limit: None,
            samples: 1,
            spread: None,
            note: None,
        }
    }

    /// The typical value of a series.
    pub(crate) fn typical(name: &str, unit: &'static str, series: &Series) -> Self {
        Self { samples: series.count(), spread: Some(series.spread()), ..Self::value_of(name, unit, series.typical()) }
    }

    pub(crate) fn not_measured(name: &str, why: impl Into<String>) -> Self {
        Self { outcome: Outcome::NotMeasured(why.into()), samples: 0, ..Self::value_of(name, "", 0.0) }
    }

    pub(crate) fn broken(name: &str, why: impl Into<String>) -> Self {
        Self { outcome: Outcome::Broke(why.into()), samples: 0, ..Self::value_of(name, "", 0.0) }
    }

    pub(crate) fn samples(self, samples: usize) -> Self {
        Self { samples, ..self }
    }

    pub(crate) fn against(self, name: &str, value: f64) -> Self {
        Self { reference: Some((name.into(), value)), ..self }
    }

    pub(crate) fn limit(self, limit: Limit) -> Self {
        Self { limit: Some(limit), ..self }
    }

    pub(crate) fn note(self, note: impl Into<String>) -> Self {
        Self { note: Some(note.into()), ..self }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn unit(&self) -> &'static str {
        self.unit
    }

    pub(crate) fn value(&self) -> Option<f64> {
        match self.outcome {
            Outcome::Value(value) if value.is_finite() => Some(value),
            _ => None,
        }
    }

    pub(crate) fn reference(&self) -> Option<(&str, f64)> {
        self.reference.as_ref().map(|(name, value)| (&**name, *value))
    }

    pub(crate) fn ratio(&self) -> Option<f64> {
        let (_, reference) = self.reference()?;
        self.value().map(|value| value / reference).filter(|ratio| ratio.is_finite())
    }

    pub(crate) fn limited(&self) -> bool {
        self.limit.is_some() || !matches!(self.outcome, Outcome::Value(_))
    }

    /// Whether the value is within its limit; `None` when there is no limit, or no value.
    pub(crate) fn within(&self) -> Option<bool> {
        let value = self.value()?;
        Some(match self.limit? {
            Limit::AtLeast(bound) => value >= bound,
            Limit::AtMost(bound) => value <= bound,
            Limit::TimesReference(bound) => self.ratio()? <= bound,
            Limit::OverReference(bound) => value - self.reference()?.1 <= bound,
        })
    }

    pub(crate) fn broke(&self) -> bool {
        matches!(self.outcome, Outcome::Broke(_))
    }

    /// What the reader has to know besides: a note, or why there is no value.
    pub(crate) fn remark(&self) -> Option<String> {
        match &self.outcome {
            Outcome::Value(_) => self.note.clone(),
            Outcome::NotMeasured(why) => Some(format!("not measured: {why}")),
            Outcome::Broke(why) => Some(format!("failed: {why}")),
        }
    }

    pub(crate) fn limit_text(&self) -> Option<String> {
        Some(match self.limit? {
            Limit::AtLeast(bound) => format!("≥ {} {}", figure(bound), self.unit),
            Limit::AtMost(bound) => format!("≤ {} {}", figure(bound), self.unit),
            Limit::TimesReference(bound) => format!("≤ {bound} ×"),
            Limit::OverReference(bound) => format!("≤ reference + {bound} {}", self.unit),
        })
    }

    fn json(&self) -> Value {
        json!({
            "name": self.name,
            "value": self.value(),
            "unit": self.unit,
            "reference": self.reference().map(|(name, value)| json!({ "name": name, "value": value })),
            "ratio": self.ratio(),
            "limit": self.limit.map(|limit| {
                let (kind, bound) = match limit {
                    Limit::AtLeast(bound) => ("atLeast", bound),
                    Limit::AtMost(bound) => ("atMost", bound),
                    Limit::TimesReference(bound) => ("timesReference", bound),
                    Limit::OverReference(bound) => ("overReference", bound),
                };
                json!({ "kind": kind, "bound": bound })
            }),
            "within": self.within(),
            "samples": self.samples,
            "spread": self.spread.map(|(min, max)| json!({ "min": min, "max": max })),
            "remark": self.remark(),
        })
    }
}

/// A number with as many digits as say something.
pub(crate) fn figure(value: f64) -> String {
    match value.abs() {
        0.0 => "0".into(),
        size if size >= 1_000.0 => {
            let digits = format!("{value:.0}");
            let (sign, digits) = digits.strip_prefix('-').map_or(("", &*digits), |digits| ("-", digits));
            let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
            format!("{sign}{}", groups.join(","))
        }
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// Writes the report of a run.
pub(crate) fn write(path: &Path, machine: &Machine, quick: bool, rows: &[Row]) -> Result<()> {
    let metrics: Vec<_> = rows.iter().map(Row::json).collect();
    let report = json!({ "machine": machine, "quick": quick, "metrics": metrics });
    let text = serde_json::to_string_pretty(&report).context("the report does not serialize")?;
    fs::write(path, text + "\n").with_context(|| format!("cannot write the report `{}`", path.display()))
}

#[cfg(test)]
mod tests {
    use super::{Limit, Row, figure};

    #[test]
    fn limits_compare_with_the_reference_they_name() {
        let row = |limit| Row::value_of("x", "ms", 0.5).against("y", 0.25).limit(limit).within();
        assert_eq!(row(Limit::TimesReference(2.0)), Some(true));
        assert_eq!(row(Limit::TimesReference(1.9)), Some(false));
        assert_eq!(row(Limit::OverReference(0.25)), Some(true));
        assert_eq!(row(Limit::OverReference(0.2)), Some(false));
        assert_eq!((row(Limit::AtMost(0.4)), row(Limit::AtLeast(0.4))), (Some(false), Some(true)));
    }

    #[test]
    fn what_was_not_measured_is_within_nothing() {
        let row = Row::not_measured("x", "it is not there").limit(Limit::AtMost(1.0));
        assert_eq!((row.within(), row.limited(), row.broke()), (None, true, false));
        assert_eq!(Row::value_of("x", "ms", f64::NAN).limit(Limit::AtMost(1.0)).within(), None);
    }

    #[test]
    fn figures() {
        assert_eq!(
            [12_345.6, 1_000.0, 123.4, 12.34, 1.234, 0.1234, 0.0].map(figure),
            ["12,346", "1,000", "123", "12.3", "1.23", "0.123", "0"]
        );
    }
}
