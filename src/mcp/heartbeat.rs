//! Progress while a call waits: it keeps clients and connections from giving up.

use std::convert::Infallible;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;

/// Well under the shortest idle limit of a client that is known to count progress.
const EVERY: Duration = Duration::from_secs(10);

/// Tells the caller at once, and then again and again, that its call goes on; if it asked for progress. Over HTTP
/// the first word also opens the response, which would otherwise begin with the answer only.
pub(super) async fn heartbeat(context: &RequestContext<RoleServer>) -> Infallible {
    let Some(token) = context.meta.get_progress_token() else {
        return std::future::pending().await;
    };
    beat(EVERY, |count| {
        let progress =
            ProgressNotificationParam::new(token.clone(), f64::from(count)).with_message("waiting");
        context.peer.notify_progress(progress)
    })
    .await
}

/// Ends never: when nobody listens any more, the call itself decides what to do.
async fn beat<T, E>(every: Duration, mut tell: impl FnMut(u32) -> T) -> Infallible
where
    T: Future<Output = Result<(), E>>,
{
    for count in 0.. {
        if tell(count).await.is_err() {
            break;
        }
        tokio::time::sleep(every).await;
    }
    std::future::pending().await
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::future::ready;

    use futures::FutureExt;

    #[tokio::test]
    async fn the_first_word_goes_at_once() {
        let told = RefCell::new(Vec::new());
        let beating = beat(Duration::from_hours(1), |count| {
            told.borrow_mut().push(count);
            ready(Ok::<_, ()>(()))
        });
        assert!(beating.now_or_never().is_none());
        assert_eq!(*told.borrow(), [0]);
    }

    #[tokio::test]
    async fn progress_grows_and_ends_when_nobody_listens() {
        let told = RefCell::new(Vec::new());
        let (gone, gone_now) = tokio::sync::oneshot::channel();
        let mut gone = Some(gone);
        let beating = beat(Duration::from_millis(1), |count| {
            told.borrow_mut().push(count);
            if count < 2 {
                return ready(Ok(()));
            }
            gone.take().map(|gone| gone.send(()));
            ready(Err(()))
        });
        tokio::select! {
            never = beating => match never {},
            _ = gone_now => {}
        }
        assert_eq!(*told.borrow(), [0, 1, 2]);
    }
}
