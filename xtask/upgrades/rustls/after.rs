use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::WebPkiClientVerifier;
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, ServerConfig, SignatureScheme};
use std::sync::Arc;

pub type Failure = Box<dyn std::error::Error + Send + Sync>;

fn certificates(path: &str) -> Result<Vec<CertificateDer<'static>>, Failure> {
    Ok(CertificateDer::pem_file_iter(path)?.collect::<Result<_, _>>()?)
}

fn key(path: &str) -> Result<PrivateKeyDer<'static>, Failure> {
    Ok(PrivateKeyDer::from_pem_file(path)?)
}

fn roots(path: &str) -> Result<RootCertStore, Failure> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates(path)? {
        roots.add(certificate)?;
    }
    Ok(roots)
}

pub fn client(path: &str) -> Result<ClientConfig, Failure> {
    Ok(ClientConfig::builder().with_root_certificates(roots(path)?).with_no_client_auth())
}

pub fn server(chain: &str, key_file: &str, clients: &str) -> Result<ServerConfig, Failure> {
    let verifier = WebPkiClientVerifier::builder(Arc::new(roots(clients)?)).build()?;
    let builder = ServerConfig::builder().with_client_cert_verifier(verifier);
    Ok(builder.with_single_cert(certificates(chain)?, key(key_file)?)?)
}

pub fn name(host: &str) -> Result<ServerName<'static>, Failure> {
    Ok(ServerName::try_from(host)?.to_owned())
}

#[derive(Debug)]
pub struct Pinned(pub CertificateDer<'static>, pub Arc<CryptoProvider>);

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if *end_entity == self.0 { Ok(ServerCertVerified::assertion()) } else { Err(rustls::Error::General("pin".into())) }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signed, &self.1.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signed, &self.1.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.1.signature_verification_algorithms.supported_schemes()
    }
}

pub fn pinned(certificate: CertificateDer<'static>) -> ClientConfig {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let verifier = Arc::new(Pinned(certificate, provider));
    ClientConfig::builder().dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth()
}

pub fn start() {
    CryptoProvider::install_default(rustls::crypto::ring::default_provider()).expect("a provider was installed before");
}
