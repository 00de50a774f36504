//! The methods of the protocol, each handed to the module that knows the answer.
#![expect(deprecated, reason = "subscribe, unsubscribe and setLevel are for clients of older revisions")]

use std::panic::AssertUnwindSafe;

use futures::FutureExt;
use futures::future::BoxFuture;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelledNotificationParam, CompleteRequestParams,
    CompleteResult, CustomRequest, CustomResult, GetPromptRequestParams, GetPromptResponse,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerConfig,
    SetLevelRequestParams, SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};

use super::{Server, call, info, listing, misfit, prompts, resources};
use crate::tools;

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        info::info()
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(listing::of(self.wished(&context.extensions)))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        listing::find(name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if tools::find(&request.name).is_none() {
            return Err(call::unknown(&request.name));
        }
        Ok(self.answer_call(request, context).await)
    }

    /// Older revisions: the session has begun, or it has come back after a restart of the hub.
    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.follow_resource_list(&context);
        self.resume_subscriptions(&context).await;
    }

    /// Comes for every cancellation, also of a call that has been answered already.
    async fn on_cancelled(&self, cancelled: CancelledNotificationParam, _: NotificationContext<RoleServer>) {
        if let Some(request) = cancelled.request_id {
            self.take_back(&request);
        }
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        guarded(self.resource_page(request, self.wished(&context.extensions)).boxed()).await
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(resources::templates(self.wished(&context.extensions)))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        guarded(self.resource(&request.uri, &context).boxed()).await.map(Into::into)
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        guarded(self.start_subscription(&request.uri, &context).boxed()).await
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.end_subscription(&request.uri, &context).await
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(self.accept(requested))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        guarded(self.forward_all(&context).map(Ok).boxed()).await
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(prompts::list())
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        prompts::get(&request).map(Into::into)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        guarded(self.completions(&request, &context).boxed()).await
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(misfit::error(&request))
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.logging.set(request.level);
        Ok(())
    }
}

/// A handler that panics would leave its caller waiting for ever. Tools have a guard of their own.
///
/// The work is boxed: the task of every request has room for the largest of these, also while a call waits.
async fn guarded<T>(work: BoxFuture<'_, Result<T, ErrorData>>) -> Result<T, ErrorData> {
    let done = AssertUnwindSafe(work).catch_unwind().await;
    done.unwrap_or_else(|_| {
        Err(ErrorData::internal_error("this is a fault of turnroom; look at the hub's log", None))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::ready;

    #[tokio::test]
    async fn a_fault_is_an_answer_and_not_silence() {
        let fault = guarded::<()>(async { panic!("a fault") }.boxed()).await;
        assert_eq!(fault.unwrap_err().code, rmcp::model::ErrorCode::INTERNAL_ERROR);
        assert_eq!(guarded(ready(Ok(1)).boxed()).await.unwrap(), 1);
    }
}
