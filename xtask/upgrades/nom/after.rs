use nom::branch::alt;
use nom::bytes::complete::{tag, take};
use nom::character::complete::{char, digit1, multispace0};
use nom::combinator::{fail, map, map_res};
use nom::error::ParseError;
use nom::multi::many0;
use nom::sequence::{delimited, preceded};
use nom::{AsChar, IResult, Input, Parser};
use nom_language::error::{VerboseError, convert_error};

type Parsed<'a, T> = IResult<&'a str, T, VerboseError<&'a str>>;

fn spaced<'a, O, E, F>(inner: F) -> impl Parser<&'a str, Output = O, Error = E>
where
    E: ParseError<&'a str>,
    F: Parser<&'a str, Output = O, Error = E>,
{
    delimited(multispace0, inner, multispace0)
}

fn number(input: &str) -> Parsed<'_, u32> {
    map_res(digit1, str::parse).parse(input)
}

fn pair(input: &str) -> Parsed<'_, (u32, u32)> {
    map((number, char(','), spaced(number)), |(left, _, right)| (left, right)).parse(input)
}

fn item(input: &str) -> Parsed<'_, (u32, u32)> {
    alt((pair, map(number, |one| (one, one)), preceded(tag("!"), fail()))).parse(input)
}

pub fn items(input: &str) -> Result<Vec<(u32, u32)>, String> {
    let found = many0(spaced(item)).parse(input);
    found.map(|(_, items)| items).map_err(|error| match error {
        nom::Err::Error(error) | nom::Err::Failure(error) => convert_error(input, error),
        nom::Err::Incomplete(_) => "incomplete".to_owned(),
    })
}

pub fn head(input: &str) -> Parsed<'_, &str> {
    take(1usize)(input)
}

pub fn first<I: Input>(input: I) -> I {
    input.take(1)
}

pub fn is_number(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| byte.is_dec_digit() || byte.is_alpha())
}

#[test]
fn reads() {
    assert_eq!(items("1, 2 3"), Ok(vec![(1, 2), (3, 3)]));
    assert!(is_number(b"12"));
}
