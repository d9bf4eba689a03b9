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
    Client::builder().tls_certs_merge([Certificate::from_pem(extra_ca)?]).build()
}

pub fn pinned(only_ca: &[u8]) -> reqwest::Result<Client> {
    Client::builder().tls_certs_only([Certificate::from_pem(only_ca)?]).build()
}

pub fn bundled() -> reqwest::Result<Client> {
    let roots = webpki_root_certs::TLS_SERVER_ROOT_CERTS.iter().map(|root| Certificate::from_der(root));
    Client::builder().tls_certs_only(roots.collect::<Result<Vec<_>, _>>()?).build()
}

pub async fn find(client: &Client, url: &str, name: &str) -> reqwest::Result<User> {
    client.get(url).query(&[("name", name)]).send().await?.error_for_status()?.json().await
}

pub async fn log_in(client: &Client, url: &str, name: &str) -> reqwest::Result<String> {
    client.post(url).form(&Login { name }).send().await?.text().await
}
