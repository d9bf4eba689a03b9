use reqwest::{Certificate, Client};
use serde::{Deserialize, Serialize};

#[derive(Serialize)]
pub struct Login<'a> {
    pub name: &'a str,
}

#[derive(Deserialize)]
pub struct User {
    pub id: u64,
}

pub fn client(extra_ca: &[u8]) -> reqwest::Result<Client> {
    Client::builder().use_rustls_tls().add_root_certificate(Certificate::from_pem(extra_ca)?).build()
}

pub fn pinned(only_ca: &[u8]) -> reqwest::Result<Client> {
    Client::builder()
        .tls_built_in_root_certs(false)
        .add_root_certificate(Certificate::from_pem(only_ca)?)
        .build()
}

pub async fn find(client: &Client, url: &str, name: &str) -> reqwest::Result<User> {
    client.get(url).query(&[("name", name)]).send().await?.error_for_status()?.json().await
}

pub async fn log_in(client: &Client, url: &str, name: &str) -> reqwest::Result<String> {
    client.post(url).form(&Login { name }).send().await?.text().await
}
