//! MCP's requests, each to the part that serves it.

use std::sync::Arc;

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, ErrorCode, Implementation,
        InitializeRequestParams, InitializeResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
        PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig,
        SubscribeRequestParams, SubscriptionFilter, UnsubscribeRequestParams,
    },
    service::{RequestContext, SubscriptionContext},
};
use runsheet_engine::Client;
use serde_json::Value;

use crate::{
    call::{self, guarded},
    caller::{client, modern},
    connection::Connection,
    listen, resources,
    ticket::Ticket,
};

const INSTRUCTIONS: &str = "Runsheet keeps this session's task list durably, where people watch it live. \
                            Keep it up to date with the todo tool while you work.";

/// The requests whose parameters the library may find ill-typed; it then gives them as custom ones.
const METHODS: &[&str] = &[
    "completion/complete",
    "initialize",
    "ping",
    "resources/list",
    "resources/read",
    "resources/subscribe",
    "resources/templates/list",
    "resources/unsubscribe",
    "server/discover",
    "subscriptions/listen",
    "tools/list",
];

/// Serves the requests of one connection, of both eras.
#[derive(Clone)]
pub(crate) struct Handler(pub(crate) Arc<Connection>);

impl Handler {
    fn cwd(&self, cx: &RequestContext<RoleServer>) -> Option<&str> {
        self.0.cwd(&client(cx).family)
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_resources()
            .enable_resources_subscribe()
            .build();
        let identity = Implementation::new("runsheet", env!("CARGO_PKG_VERSION")).with_title("Runsheet");
        ServerConfig::new(capabilities).with_server_info(identity).with_instructions(INSTRUCTIONS)
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        cx: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        cx.peer.set_peer_info(request.clone());
        let client = Client::named(&request.client_info.name, None);
        let cwd = self.0.cwd(&client.family).map(str::to_owned);
        self.0.subscriptions.watch_tools(&self.0, &cx.peer, cwd);
        self.negotiate_initialize(&request)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        cx: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.0.offer(self.cwd(&cx)).tools.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        cx: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        // A missing argument is the dialect's to refuse: its answer tells the model what the shape is.
        let arguments = request.arguments.map_or(Value::Null, Value::Object).to_string();
        guarded(call::call(&self.0, &cx, &request.name, &arguments)).await.map(Into::into)
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        cx: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method.as_str();
        if METHODS.contains(&method) {
            let what = format!("the parameters of `{method}` do not have the shape the protocol gives them");
            return Err(ErrorData::invalid_params(what, None));
        }
        if method != "tools/call" {
            let method: String = method.chars().take(200).collect();
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None));
        }
        let params = request.params.unwrap_or_default();
        let Some(tool) = params.get("name").and_then(Value::as_str) else {
            return Err(ErrorData::invalid_params("`tools/call` needs the tool's `name`, a string", None));
        };
        let arguments = params.get("arguments").unwrap_or(&Value::Null).to_string();
        let result = guarded(call::call(&self.0, &cx, tool, &arguments)).await?;
        let mut result = serde_json::to_value(result)
            .map_err(|error| ErrorData::internal_error(format!("writing the result failed: {error}"), None))?;
        if !modern(&cx)
            && let Some(result) = result.as_object_mut()
        {
            result.shift_remove("resultType");
        }
        Ok(CustomResult(result))
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        cx: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        in_turn(&cx).await;
        let cursor = request.and_then(|request| request.cursor);
        guarded(resources::list(&self.0, cursor.as_deref())).await
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(resources::templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        cx: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        in_turn(&cx).await;
        guarded(resources::read(&self.0, &request.uri)).await.map(Into::into)
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(listen::accept(&self.0, requested))
    }

    async fn listen(&self, cx: SubscriptionContext) -> Result<(), ErrorData> {
        let cwd = self.cwd(cx.request_context());
        guarded(listen::listen(&self.0, cx, cwd)).await
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        cx: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.0.subscriptions.add(&self.0, &cx.peer, request.uri)?;
        self.0.server.hub().ready().await;
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.0.subscriptions.remove(&request.uri);
        Ok(())
    }
}

/// What is read after a call was sent shows the call's effect.
async fn in_turn(cx: &RequestContext<RoleServer>) {
    if let Some(ticket) = cx.extensions.get::<Ticket>() {
        ticket.turn().await;
    }
}
