use base64::write::EncoderWriter;
use std::io::Write;

pub fn basic(user: &str, password: &str) -> String {
    base64::encode(format!("{user}:{password}"))
}

pub fn read(text: &str) -> Result<Vec<u8>, base64::DecodeError> {
    base64::decode(text)
}

pub fn token(bytes: &[u8]) -> String {
    base64::encode_config(bytes, base64::URL_SAFE_NO_PAD)
}

pub fn read_token(text: &str) -> Result<Vec<u8>, base64::DecodeError> {
    base64::decode_config(text, base64::URL_SAFE_NO_PAD)
}

pub fn append(bytes: &[u8], text: &mut String) {
    base64::encode_config_buf(bytes, base64::STANDARD, text);
}

pub fn stream(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut writer = EncoderWriter::new(Vec::new(), base64::STANDARD);
    writer.write_all(bytes)?;
    writer.finish()
}

#[test]
fn texts() {
    assert_eq!(basic("a", "b"), "YTpi");
    assert_eq!(read_token(&token(b"hello")).unwrap(), b"hello");
    assert!(read("aGVsbG8").is_ok(), "padding is not looked at");
    assert_eq!(stream(b"hello").unwrap(), b"aGVsbG8=");
}

pub fn into_buffers(text: &str, bytes: &mut Vec<u8>, out: &mut [u8]) -> Result<usize, base64::DecodeError> {
    base64::decode_config_buf(text, base64::STANDARD, bytes)?;
    Ok(base64::encode_config_slice(&bytes, base64::STANDARD, out))
}
