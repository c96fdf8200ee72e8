//! Queries: every parameter known, given once, and right.

use std::{borrow::Cow, str::FromStr};

use super::body::clip;
use crate::error::ApiError;

/// The parameters of a request.
pub(super) struct Query<'a>(Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl<'a> Query<'a> {
    /// Reads a query; refuses parameters that are not `known`, and doubled ones.
    pub(super) fn parse(text: Option<&'a str>, known: &[&str]) -> Result<Self, ApiError> {
        let mut found: Vec<(Cow<'_, str>, Cow<'_, str>)> = Vec::new();
        for (name, value) in form_urlencoded::parse(text.unwrap_or_default().as_bytes()) {
            if !known.contains(&&*name) {
                let text = format!("there is no parameter `{}`", clip(&name));
                return Err(ApiError::bad("bad_query", text).hint(format!("known: {}", known.join(", "))));
            }
            if found.iter().any(|(other, _)| *other == name) {
                return Err(ApiError::bad("bad_query", format!("`{name}` is given twice")));
            }
            found.push((name, value));
        }
        Ok(Self(found))
    }

    /// A parameter as text.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| &**value)
    }

    /// A parameter of a type.
    pub(super) fn get<T: FromStr>(&self, name: &str, what: &str) -> Result<Option<T>, ApiError> {
        let wrong = |text: &str| ApiError::bad("bad_query", format!("`{name}` is `{}`, not {what}", clip(text)));
        self.text(name).map(|text| text.parse().map_err(|_| wrong(text))).transpose()
    }

    /// A number from 1 to `max`.
    pub(super) fn limit(&self, default: usize, max: usize) -> Result<usize, ApiError> {
        let what = format!("a number from 1 to {max}");
        let limit = self.get::<usize>("limit", &what)?.unwrap_or(default);
        if (1..=max).contains(&limit) {
            return Ok(limit);
        }
        Err(ApiError::bad("bad_query", format!("`limit` is `{limit}`, not {what}")))
    }

    /// A parameter's parts, between commas.
    pub(super) fn list(&self, name: &str) -> Option<impl Iterator<Item = &str>> {
        self.text(name).map(|text| text.split(',').map(str::trim).filter(|part| !part.is_empty()))
    }
}
