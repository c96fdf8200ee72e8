//! `subscriptions/listen`: one request that stays open and carries what its filter asks for.

use rmcp::{ErrorData, model::SubscriptionFilter, service::SubscriptionContext};

use crate::{
    connection::Connection,
    hub::Update,
    resources::Uri,
    subscribe::{delivered, gather},
};

/// What of a filter is served: changed tools, and those resources that can be followed, as many as may be.
pub(crate) fn accept(connection: &Connection, requested: &SubscriptionFilter) -> SubscriptionFilter {
    let mut accepted = requested.clone();
    accepted.prompts_list_changed = None;
    accepted.resources_list_changed = None;
    let followed = |uri: &String| uri.parse().is_ok_and(|uri: Uri| uri.can_be_followed());
    let most = connection.server.options().max_subscriptions;
    accepted.resource_subscriptions = requested
        .resource_subscriptions
        .as_ref()
        .map(|uris| uris.iter().filter(|uri| followed(uri)).take(most).cloned().collect());
    if accepted.resource_subscriptions.as_ref().is_some_and(|uris| !uris.is_empty()) {
        connection.prepare_receiver();
    }
    accepted
}

/// Serves a subscription until its client cancels it or the connection ends.
pub(crate) async fn listen(
    connection: &Connection,
    cx: SubscriptionContext,
    cwd: Option<&str>,
) -> Result<(), ErrorData> {
    let uris = cx.accepted().resource_subscriptions.clone().unwrap_or_default();
    let uris: Vec<(String, Uri)> = uris.into_iter().filter_map(|uri| Some((uri.clone(), uri.parse().ok()?))).collect();
    let mut updates = (!uris.is_empty()).then(|| connection.receiver());
    let Some(_listening) = connection.server.listening() else {
        let most = connection.server.options().max_listens;
        return Err(ErrorData::internal_error(format!("at most {most} subscriptions can be open at once"), None));
    };
    let timeout = connection.server.options().notify_timeout;
    let tools = cx.accepted().tools_list_changed == Some(true);
    let mut settings = connection.server.engine().settings().changed();
    let mut known = connection.judged_by(cwd);
    loop {
        let changed = tokio::select! {
            () = cx.cancelled() => return Ok(()),
            () = connection.closing.cancelled() => return Ok(()),
            changed = settings.changed(), if tools => {
                if changed.is_err() {
                    return Ok(());
                }
                Changed::Settings
            }
            changed = next(&mut updates) => match changed {
                Some(updates) => Changed::Resources(updates),
                None => return Ok(()),
            },
        };
        let taken = match changed {
            Changed::Settings => {
                let now = connection.current(cwd);
                if now.tools == known.tools {
                    continue;
                }
                known = now;
                delivered(timeout, cx.sink().notify_tool_list_changed()).await
            }
            Changed::Resources(updates) => {
                let concerned = |uri: &Uri| updates.iter().any(|update| uri.concerned(*update));
                let mut taken = true;
                for (uri, _) in uris.iter().filter(|(_, uri)| concerned(uri)) {
                    taken = taken && delivered(timeout, cx.sink().notify_resource_updated(uri)).await;
                }
                taken
            }
        };
        if !taken {
            return Err(ErrorData::internal_error("the client does not read its notifications", None));
        }
    }
}

enum Changed {
    Settings,
    Resources(Vec<Update>),
}

/// The next updates; without a receiver there never are any.
async fn next(updates: &mut Option<tokio::sync::broadcast::Receiver<Update>>) -> Option<Vec<Update>> {
    match updates {
        Some(updates) => gather(updates).await,
        None => std::future::pending().await,
    }
}
