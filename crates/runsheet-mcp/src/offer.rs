//! The tools a session is offered, as MCP lists them.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use rmcp::model::{JsonObject, MetaObject, Tool, ToolAnnotations};
use runsheet_engine::{Engine, Toolset, core::dialect::ToolSpec};

/// How many folders' tools are kept rendered.
const MAX_KEPT: usize = 64;

/// What `outputSchema` says when results carry structured content.
const OUTPUT_SCHEMA: &str = include_str!("output_schema.json");

/// A toolset with its rendering.
#[derive(Debug)]
pub(crate) struct Offer {
    pub(crate) toolset: Toolset,
    pub(crate) tools: Vec<Tool>,
}

impl Offer {
    fn new(toolset: Toolset) -> Self {
        let structured = toolset.settings.structured;
        let tools = toolset.specs().into_iter().map(|spec| tool(spec, structured)).collect();
        Self { toolset, tools }
    }

    /// Whether a tool is among them.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool.name == name)
    }

    /// Their names, for a sentence.
    pub(crate) fn names(&self) -> String {
        let names: Vec<_> = self.tools.iter().map(|tool| format!("`{}`", tool.name)).collect();
        names.join(", ")
    }
}

fn tool(spec: ToolSpec, structured: bool) -> Tool {
    let mut annotations =
        ToolAnnotations::with_title(spec.title).read_only(spec.read_only).idempotent(true).open_world(false);
    annotations.destructive_hint = Some(false);
    // Without it Claude Code hides the tool behind a search of its own.
    let mut meta = MetaObject::new();
    meta.insert("anthropic/alwaysLoad".into(), true.into());
    let mut tool = Tool::new(spec.name, spec.description, Arc::new(object(spec.schema.get())));
    tool.title = Some(spec.title.to_owned());
    tool.output_schema = structured.then(|| Arc::new(object(OUTPUT_SCHEMA)));
    tool.annotations = Some(annotations);
    tool.meta = Some(meta);
    tool
}

/// A schema as a JSON object in its own order. Ours all are objects; anything else would be an empty one.
fn object(schema: &str) -> JsonObject {
    serde_json::from_str(schema).unwrap_or_default()
}

/// The current offers by folder, rendered once for each version of its settings.
#[derive(Debug, Default)]
pub(crate) struct Offers(Mutex<HashMap<Option<String>, Arc<Offer>>>);

impl Offers {
    /// What a session in a folder is offered now.
    pub(crate) fn current(&self, engine: &Engine, cwd: Option<&str>) -> Arc<Offer> {
        let settings = engine.settings().settings(cwd);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = cwd.map(str::to_owned);
        if let Some(offer) = kept.get(&key)
            && (Arc::ptr_eq(&offer.toolset.settings, &settings) || *offer.toolset.settings == *settings)
        {
            return Arc::clone(offer);
        }
        if kept.len() >= MAX_KEPT {
            kept.clear();
        }
        let offer = Arc::new(Offer::new(Toolset::new(settings)));
        kept.insert(key, Arc::clone(&offer));
        offer
    }
}
