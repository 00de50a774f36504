//! Takes in the body of a request before any route sees it: one length and one time for all, and not too many long
//! bodies at once, so that nobody fills the memory with what is never finished.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, BodyDataStream, HttpBody};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::Response;
use futures::StreamExt;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::refusal::refusal;
use crate::mcp::MAX_MESSAGE;

/// A body must be here within this time.
const TIME: Duration = Duration::from_secs(30);
/// Longer bodies wait for one of few places.
const SHORT: usize = 64 << 10;
const LONG_ONES: usize = 16;
/// The rest of a body that is too long is read and thrown away, so that its client comes to read why: so much of it,
/// for so long.
const DISCARDED: usize = 4 * MAX_MESSAGE;
const DISCARDING: Duration = Duration::from_secs(5);

/// Takes bodies in.
#[derive(Clone, Debug)]
pub(super) struct Intake {
    places: Arc<Semaphore>,
}

/// Why a body is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refused {
    TooLong,
    TooSlow,
    Broken,
}

impl Intake {
    /// Nothing is on its way yet.
    pub(super) fn new() -> Self {
        Self { places: Arc::new(Semaphore::new(LONG_ONES)) }
    }

    /// The request with its whole body; or the answer, if it is not taken.
    pub(super) async fn take(&self, request: Request) -> Result<Request, Response> {
        if request.body().is_end_stream() {
            return Ok(request);
        }
        let (head, body) = request.into_parts();
        let announced = body.size_hint().lower();
        let mut chunks = body.into_data_stream();
        let taken = if announced > MAX_MESSAGE as u64 {
            Err(Refused::TooLong)
        } else {
            timeout(TIME, self.read(&mut chunks)).await.unwrap_or(Err(Refused::TooSlow))
        };
        match taken {
            Ok(body) => Ok(Request::from_parts(head, Body::from(body))),
            Err(refused) => {
                if refused == Refused::TooLong {
                    // Whether it worked or not, there is no more to be done.
                    let _ = timeout(DISCARDING, discard(&mut chunks)).await;
                }
                Err(refused.answer())
            }
        }
    }

    async fn read(&self, chunks: &mut BodyDataStream) -> Result<Vec<u8>, Refused> {
        let (mut body, mut place) = (Vec::new(), None);
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.map_err(|_| Refused::Broken)?;
            if body.len() + chunk.len() > MAX_MESSAGE {
                return Err(Refused::TooLong);
            }
            body.extend_from_slice(&chunk);
            if body.len() > SHORT && place.is_none() {
                place = Some(self.places.acquire().await.map_err(|_| Refused::Broken)?);
            }
        }
        Ok(body)
    }
}

async fn discard(chunks: &mut BodyDataStream) {
    let mut left = DISCARDED;
    while let Some(Ok(chunk)) = chunks.next().await {
        left = left.saturating_sub(chunk.len());
        if left == 0 {
            return;
        }
    }
}

impl Refused {
    fn answer(self) -> Response {
        let (status, code, message, next) = match self {
            Self::TooLong => (
                StatusCode::PAYLOAD_TOO_LARGE,
                "limit_reached",
                format!("the request has more than {} MiB ({MAX_MESSAGE} bytes)", MAX_MESSAGE >> 20),
                "put long text into a file and name its path",
            ),
            Self::TooSlow => (
                StatusCode::REQUEST_TIMEOUT,
                "limit_reached",
                format!("the request was not whole after {} seconds", TIME.as_secs()),
                "send it again, whole",
            ),
            Self::Broken => (
                StatusCode::BAD_REQUEST,
                "invalid_argument",
                "the request broke off".to_owned(),
                "send it again, whole",
            ),
        };
        refusal(status, code, &message, next)
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Bytes;
    use futures::stream;

    use super::*;

    fn sent(chunks: Vec<Bytes>) -> Request {
        Request::new(Body::from_stream(stream::iter(chunks.into_iter().map(Ok::<_, std::io::Error>))))
    }

    #[tokio::test]
    async fn a_text_of_one_mebibyte_fits_however_it_is_escaped() {
        let escaped = serde_json::to_vec(&"\0".repeat(1 << 20)).unwrap();
        assert!(escaped.len() > 6 << 20);
        let request = Intake::new().take(sent(vec![escaped.clone().into()])).await.unwrap();
        assert_eq!(axum::body::to_bytes(request.into_body(), usize::MAX).await.unwrap(), escaped);
    }

    #[tokio::test]
    async fn a_body_that_is_too_long_is_refused_with_the_limit_and_read_to_its_end() {
        let half = Bytes::from(vec![b' '; MAX_MESSAGE / 2 + 1]);
        let refused = Intake::new().take(sent(vec![half.clone(), half])).await.unwrap_err();
        assert_eq!(refused.status(), StatusCode::PAYLOAD_TOO_LARGE);
        let text = axum::body::to_bytes(refused.into_body(), usize::MAX).await.unwrap();
        assert!(String::from_utf8_lossy(&text).contains("8 MiB"), "{text:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_does_not_end_is_given_up() {
        let endless = stream::iter([Ok::<_, std::io::Error>("{")]).chain(stream::pending());
        let refused = Intake::new().take(Request::new(Body::from_stream(endless))).await.unwrap_err();
        assert_eq!(refused.status(), StatusCode::REQUEST_TIMEOUT);
    }

    #[tokio::test(start_paused = true)]
    async fn short_bodies_pass_while_long_ones_are_not_finished() {
        let intake = Intake::new();
        let slow = || {
            let start = stream::iter([Ok::<_, std::io::Error>(vec![b' '; SHORT + 1])]);
            let request = Request::new(Body::from_stream(start.chain(stream::pending())));
            let intake = intake.clone();
            tokio::spawn(async move { intake.take(request).await.is_ok() })
        };
        let slow: Vec<_> = (0..LONG_ONES * 2).map(|_| slow()).collect();
        tokio::task::yield_now().await;
        assert!(intake.take(sent(vec![Bytes::from_static(b"{}")])).await.is_ok());
        for ended in futures::future::join_all(slow).await {
            assert!(!ended.unwrap());
        }
        assert!(intake.take(sent(vec![Bytes::from(vec![b' '; SHORT + 1])])).await.is_ok());
    }
}
