use rand::distributions::{Alphanumeric, DistString, Distribution, Standard, Uniform, WeightedError, WeightedIndex};
use rand::rngs::{OsRng, StdRng};
use rand::seq::SliceRandom;
use rand::{Rng, RngCore, SeedableRng};
use rand_distr::Normal;

pub fn roll() -> u8 {
    rand::thread_rng().gen_range(1..=6)
}

pub fn coin<R: Rng>(rng: &mut R) -> (bool, bool, u32) {
    (rng.gen_bool(0.5), rng.gen_ratio(1, 3), rng.gen())
}

pub fn pick<R: Rng>(rng: &mut R, names: &[&'static str]) -> (Option<&'static str>, Vec<&'static str>) {
    (names.choose(rng).copied(), names.choose_multiple(rng, 2).copied().collect())
}

pub fn fresh() -> StdRng {
    StdRng::from_entropy()
}

pub fn forked(rng: &mut StdRng) -> Result<StdRng, rand::Error> {
    StdRng::from_rng(rng)
}

pub fn key() -> [u8; 16] {
    let mut key = [0; 16];
    OsRng.fill_bytes(&mut key);
    key
}

pub fn name<R: Rng>(rng: &mut R) -> String {
    Alphanumeric.sample_string(rng, 8)
}

pub fn weighted<R: Rng>(rng: &mut R, weights: &[u32]) -> Result<usize, WeightedError> {
    Ok(WeightedIndex::new(weights)?.sample(rng))
}

pub fn between<R: Rng>(rng: &mut R) -> (f64, u8) {
    (Uniform::new(0.0, 1.0).sample(rng), Distribution::<u8>::sample(&Standard, rng))
}

pub fn noise<R: Rng>(rng: &mut R) -> Result<f64, rand_distr::NormalError> {
    Ok(Normal::new(0.0, 1.0)?.sample(rng))
}

pub fn bytes(rng: &mut dyn RngCore) -> u64 {
    rng.next_u64()
}
