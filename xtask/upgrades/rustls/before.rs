use rustls::client::{ServerCertVerified, ServerCertVerifier};
use rustls::server::AllowAnyAuthenticatedClient;
use rustls::{Certificate, ClientConfig, PrivateKey, RootCertStore, ServerConfig, ServerName};
use std::fs::File;
use std::io::BufReader;
use std::sync::Arc;

pub type Failure = Box<dyn std::error::Error + Send + Sync>;

fn certificates(path: &str) -> Result<Vec<Certificate>, Failure> {
    let found = rustls_pemfile::certs(&mut BufReader::new(File::open(path)?))?;
    Ok(found.into_iter().map(Certificate).collect())
}

fn key(path: &str) -> Result<PrivateKey, Failure> {
    let found = rustls_pemfile::pkcs8_private_keys(&mut BufReader::new(File::open(path)?))?;
    Ok(PrivateKey(found.into_iter().next().ok_or("no key")?))
}

fn roots(path: &str) -> Result<RootCertStore, Failure> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates(path)? {
        roots.add(&certificate)?;
    }
    Ok(roots)
}

pub fn client(path: &str) -> Result<ClientConfig, Failure> {
    Ok(ClientConfig::builder().with_safe_defaults().with_root_certificates(roots(path)?).with_no_client_auth())
}

pub fn server(chain: &str, key_file: &str, clients: &str) -> Result<ServerConfig, Failure> {
    let verifier = AllowAnyAuthenticatedClient::new(roots(clients)?);
    let builder = ServerConfig::builder().with_safe_defaults().with_client_cert_verifier(Arc::new(verifier));
    Ok(builder.with_single_cert(certificates(chain)?, key(key_file)?)?)
}

pub fn name(host: &str) -> Result<ServerName, Failure> {
    Ok(ServerName::try_from(host)?)
}

pub struct Pinned(pub Certificate);

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        end_entity: &Certificate,
        _: &[Certificate],
        _: &ServerName,
        _: &mut dyn Iterator<Item = &[u8]>,
        _: &[u8],
        _: std::time::SystemTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if *end_entity == self.0 { Ok(ServerCertVerified::assertion()) } else { Err(rustls::Error::General("pin".into())) }
    }
}

pub fn pinned(certificate: Certificate) -> ClientConfig {
    let verifier = Arc::new(Pinned(certificate));
    ClientConfig::builder().with_safe_defaults().with_custom_certificate_verifier(verifier).with_no_client_auth()
}
