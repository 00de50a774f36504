//! Real connections to the real router, over a fake hub.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use super::super::guard::Entry;
use super::super::testing::{Scene, TOKEN};
use super::Watched;

/// A hub on a port of its own.
struct House {
    scene: Scene,
    address: std::net::SocketAddr,
    serving: JoinHandle<()>,
}

impl House {
    async fn open() -> Self {
        let scene = Scene::new();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let serve = axum::serve(Watched::over(listener), scene.web.service(Entry::Tcp));
        let serving = tokio::spawn(async move { serve.await.unwrap() });
        Self { scene, address, serving }
    }

    /// A client that calls the tool `echo`, and has its answer in the buffer of its system.
    async fn client_with_an_answer(&self) -> TcpStream {
        let mut client = TcpStream::connect(self.address).await.unwrap();
        client.write_all(request("echo").as_bytes()).await.unwrap();
        assert_eq!(client.peek(&mut [0]).await.unwrap(), 1);
        client
    }

    /// What the desk was told when everything that happened has reached it: a call of another client comes last.
    async fn told(&self) -> Vec<String> {
        for _ in 0..3 {
            let mut client = TcpStream::connect(self.address).await.unwrap();
            client.write_all(request("refuse").as_bytes()).await.unwrap();
            read_answer(&mut client).await;
        }
        self.scene.desk.told().into_iter().filter(|what| what.starts_with("take back")).collect()
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

fn request(tool: &str) -> String {
    format!(
        "POST /api/tools/{tool} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {TOKEN}\r\n\
         content-type: application/json\r\ncontent-length: 9\r\n\r\n{{\"a\": 12}}"
    )
}

/// Reads one answer, which fits into one packet.
async fn read_answer(client: &mut TcpStream) {
    let mut buffer = [0; 4096];
    assert!(client.read(&mut buffer).await.unwrap() > 0);
}

#[tokio::test]
async fn an_unread_answer_is_given_again() {
    let house = House::open().await;
    drop(house.client_with_an_answer().await);
    assert_eq!(house.scene.desk.heard("take back").await, "take back 7");
    assert_eq!(house.told().await.len(), 1, "once");
}

#[tokio::test]
async fn an_answer_that_was_read_stands_when_its_connection_ends() {
    let house = House::open().await;
    let mut client = house.client_with_an_answer().await;
    read_answer(&mut client).await;
    drop(client);
    assert!(house.told().await.is_empty());
}

#[tokio::test]
async fn only_the_last_answer_of_a_connection_can_be_unread() {
    let house = House::open().await;
    let mut client = house.client_with_an_answer().await;
    read_answer(&mut client).await;
    client.write_all(request("refuse").as_bytes()).await.unwrap();
    client.peek(&mut [0]).await.unwrap();
    drop(client);
    assert!(house.told().await.is_empty());
}
