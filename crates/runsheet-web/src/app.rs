//! What every handler has.

use std::sync::Arc;

use runsheet_engine::{Engine, core::log::StreamId};

use crate::{error::ApiError, live::Hub, metrics::WebMetrics, options::WebOptions};

/// What every handler has. Cheap to clone.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) engine: Engine,
    pub(crate) options: Arc<WebOptions>,
    pub(crate) hub: Arc<Hub>,
    pub(crate) metrics: Arc<WebMetrics>,
}

impl App {
    /// The session a path names.
    pub(crate) async fn session(&self, name: &str) -> Result<StreamId, ApiError> {
        if name.len() > 512 {
            return Err(ApiError::bad("bad_path", "the session's name is too long"));
        }
        Ok(self.engine.find(&self.options.principal, name).await?)
    }
}
