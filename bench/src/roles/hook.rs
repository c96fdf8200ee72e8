//! What a hook of a client does: open the store, say whose call is about to come, end.

use std::{path::Path, sync::Arc};

use anyhow::{Context, Result};
use runsheet_engine::PreToolUse;
use uuid::Uuid;

use crate::stores;

pub(super) fn play(store: &str) -> Result<()> {
    let runtime = stores::single_runtime()?;
    let engine = stores::engine(Arc::new(stores::open(Path::new(store))?));
    let hook = PreToolUse {
        principal: "uid:bench".into(),
        client: "claude-code".into(),
        call_id: Uuid::now_v7().to_string(),
        session: "0f3a".into(),
        agent: None,
        turn_key: Some("prompt".into()),
        cwd: Some("/home/dev/project".into()),
    };
    runtime.block_on(async {
        engine.pre_tool_use(hook).await.context("cannot keep what the hook said")?;
        engine.close().await;
        Ok(())
    })
}
