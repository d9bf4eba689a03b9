use rand::distr::weighted::{Error as WeightedError, WeightedIndex};
use rand::distr::{Alphanumeric, Distribution, SampleString, StandardUniform, Uniform};
use rand::rngs::{StdRng, SysError, SysRng};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng, TryRng};
use rand_distr::Normal;

pub fn roll() -> u8 {
    rand::rng().random_range(1..=6)
}

pub fn coin<R: RngExt>(rng: &mut R) -> (bool, bool, u32) {
    (rng.random_bool(0.5), rng.random_ratio(1, 3), rng.random())
}

pub fn pick<R: RngExt>(rng: &mut R, names: &[&'static str]) -> (Option<&'static str>, Vec<&'static str>) {
    (names.choose(rng).copied(), names.sample(rng, 2).copied().collect())
}

pub fn fresh() -> StdRng {
    rand::make_rng()
}

pub fn forked(rng: &mut StdRng) -> StdRng {
    StdRng::from_rng(rng)
}

pub fn key() -> Result<[u8; 16], SysError> {
    let mut key = [0; 16];
    SysRng.try_fill_bytes(&mut key)?;
    Ok(key)
}

pub fn name<R: RngExt>(rng: &mut R) -> String {
    Alphanumeric.sample_string(rng, 8)
}

pub fn weighted<R: RngExt>(rng: &mut R, weights: &[u32]) -> Result<usize, WeightedError> {
    Ok(WeightedIndex::new(weights)?.sample(rng))
}

pub fn between<R: RngExt>(rng: &mut R) -> Result<(f64, u8), rand::distr::uniform::Error> {
    Ok((Uniform::new(0.0, 1.0)?.sample(rng), Distribution::<u8>::sample(&StandardUniform, rng)))
}

pub fn noise<R: RngExt>(rng: &mut R) -> Result<f64, rand_distr::NormalError> {
    Ok(Normal::new(0.0, 1.0)?.sample(rng))
}

pub fn bytes(rng: &mut dyn Rng) -> u64 {
    rng.next_u64()
}
