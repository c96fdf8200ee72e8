//! The paths of the API, as the router and the OpenAPI document spell them.

pub(crate) const LOGIN: &str = "/api/v1/login";
pub(crate) const HEALTH: &str = "/api/v1/health";
pub(crate) const OPENAPI: &str = "/api/v1/openapi.json";
pub(crate) const SESSIONS: &str = "/api/v1/sessions";
pub(crate) const SESSION: &str = "/api/v1/sessions/{id}";
pub(crate) const HISTORY: &str = "/api/v1/sessions/{id}/history";
pub(crate) const TODOS: &str = "/api/v1/sessions/{id}/todos";
pub(crate) const SESSION_EVENTS: &str = "/api/v1/sessions/{id}/events";
pub(crate) const EVENTS: &str = "/api/v1/events";
pub(crate) const METRICS: &str = "/metrics";
/// Below this, only the API answers; above it, the web client.
pub(crate) const API: &str = "/api/";
