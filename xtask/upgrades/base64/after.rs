use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::prelude::*;
use base64::write::EncoderWriter;
use std::io::Write;

const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

pub fn basic(user: &str, password: &str) -> String {
    BASE64_STANDARD.encode(format!("{user}:{password}"))
}

pub fn read(text: &str) -> Result<Vec<u8>, base64::DecodeError> {
    LENIENT.decode(text)
}

pub fn token(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

pub fn read_token(text: &str) -> Result<Vec<u8>, base64::DecodeError> {
    BASE64_URL_SAFE_NO_PAD.decode(text)
}

pub fn append(bytes: &[u8], text: &mut String) {
    BASE64_STANDARD.encode_string(bytes, text);
}

pub fn stream(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut writer = EncoderWriter::new(Vec::new(), &BASE64_STANDARD);
    writer.write_all(bytes)?;
    writer.finish()
}

#[test]
fn texts() {
    assert_eq!(basic("a", "b"), "YTpi");
    assert_eq!(read_token(&token(b"hello")).unwrap(), b"hello");
    assert!(BASE64_STANDARD.decode("aGVsbG8").is_err() && read("aGVsbG8").is_ok(), "padding is required now");
    assert_eq!(stream(b"hello").unwrap(), b"aGVsbG8=");
}

pub fn into_buffers(text: &str, bytes: &mut Vec<u8>, out: &mut [u8]) -> Result<usize, Box<dyn std::error::Error>> {
    BASE64_STANDARD.decode_vec(text, bytes)?;
    Ok(BASE64_STANDARD.encode_slice(&bytes, out)?)
}
