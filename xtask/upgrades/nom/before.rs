use nom::branch::alt;
use nom::bytes::complete::{tag, take};
use nom::character::complete::{char, digit1, multispace0};
use nom::character::{is_alphabetic, is_digit};
use nom::combinator::{fail, map, map_res};
use nom::error::{ParseError, VerboseError, convert_error};
use nom::multi::many0;
use nom::sequence::{delimited, preceded, tuple};
use nom::{IResult, InputTake, Parser};

type Parsed<'a, T> = IResult<&'a str, T, VerboseError<&'a str>>;

fn spaced<'a, O, E, F>(inner: F) -> impl FnMut(&'a str) -> IResult<&'a str, O, E>
where
    E: ParseError<&'a str>,
    F: Parser<&'a str, O, E>,
{
    delimited(multispace0, inner, multispace0)
}

fn number(input: &str) -> Parsed<'_, u32> {
    map_res(digit1, str::parse)(input)
}

fn pair(input: &str) -> Parsed<'_, (u32, u32)> {
    map(tuple((number, char(','), spaced(number))), |(left, _, right)| (left, right))(input)
}

fn item(input: &str) -> Parsed<'_, (u32, u32)> {
    alt((pair, map(number, |one| (one, one)), preceded(tag("!"), fail)))(input)
}

pub fn items(input: &str) -> Result<Vec<(u32, u32)>, String> {
    let found = many0(spaced(item))(input);
    found.map(|(_, items)| items).map_err(|error| match error {
        nom::Err::Error(error) | nom::Err::Failure(error) => convert_error(input, error),
        nom::Err::Incomplete(_) => "incomplete".to_owned(),
    })
}

pub fn head(input: &str) -> Parsed<'_, &str> {
    take(1usize)(input)
}

pub fn first<I: InputTake>(input: I) -> I {
    input.take(1)
}

pub fn is_number(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| is_digit(*byte) || is_alphabetic(*byte))
}

#[test]
fn reads() {
    assert_eq!(items("1, 2 3"), Ok(vec![(1, 2), (3, 3)]));
    assert!(is_number(b"12"));
}
