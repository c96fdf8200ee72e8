//! Samples taken in rounds, and what they say.

use std::time::Instant;

use anyhow::Result;

/// Samples of one thing, by round.
#[derive(Clone, Debug, Default)]
pub(crate) struct Series(Vec<Vec<f64>>);

/// Two things measured in turns, so that what the machine does meanwhile meets both.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pair {
    pub(crate) measured: Series,
    pub(crate) reference: Series,
}

impl Series {
    pub(crate) fn push(&mut self, round: Vec<f64>) {
        if !round.is_empty() {
            self.0.push(round);
        }
    }

    /// How many samples there are.
    pub(crate) fn count(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// The median of the rounds' medians: one disturbed round does not move it.
    pub(crate) fn typical(&self) -> f64 {
        quantile(self.medians(), 0.5)
    }

    /// The lowest and the highest of the rounds' medians.
    pub(crate) fn spread(&self) -> (f64, f64) {
        let medians = self.medians();
        (quantile(medians.clone(), 0.0), quantile(medians, 1.0))
    }

    /// A quantile of all samples.
    pub(crate) fn quantile(&self, at: f64) -> f64 {
        quantile(self.0.iter().flatten().copied().collect(), at)
    }

    fn medians(&self) -> Vec<f64> {
        self.0.iter().map(|round| quantile(round.clone(), 0.5)).collect()
    }
}

impl FromIterator<Vec<f64>> for Series {
    fn from_iter<T: IntoIterator<Item = Vec<f64>>>(rounds: T) -> Self {
        let mut series = Self::default();
        rounds.into_iter().for_each(|round| series.push(round));
        series
    }
}

/// A quantile by the nearest rank; not a number when there is no sample.
fn quantile(mut samples: Vec<f64>, at: f64) -> f64 {
    samples.sort_by(f64::total_cmp);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rank between 0 and the length")]
    let rank = ((samples.len().max(1) - 1) as f64 * at).round() as usize;
    samples.get(rank).copied().unwrap_or(f64::NAN)
}

/// Takes rounds of two things, one after the other.
pub(crate) fn in_turns(
    rounds: usize,
    mut measured: impl FnMut() -> Result<Vec<f64>>,
    mut reference: impl FnMut() -> Result<Vec<f64>>,
) -> Result<Pair> {
    let mut pair = Pair::default();
    for _ in 0..rounds {
        pair.reference.push(reference()?);
        pair.measured.push(measured()?);
    }
    Ok(pair)
}

/// How many milliseconds each of some runs takes.
pub(crate) fn timed(runs: usize, mut run: impl FnMut() -> Result<()>) -> Result<Vec<f64>> {
    (0..runs)
        .map(|_| {
            let from = Instant::now();
            run()?;
            Ok(ms_since(from))
        })
        .collect()
}

/// The milliseconds since an instant.
pub(crate) fn ms_since(from: Instant) -> f64 {
    from.elapsed().as_secs_f64() * 1_000.0
}

#[cfg(test)]
mod tests {
    use super::Series;

    #[test]
    fn one_disturbed_round_does_not_move_the_typical_value() {
        let series: Series = [vec![1.0, 2.0, 3.0], vec![2.0], vec![90.0, 95.0]].into_iter().collect();
        assert_eq!((series.typical(), series.spread(), series.count()), (2.0, (2.0, 95.0), 6));
        assert_eq!((series.quantile(0.0), series.quantile(1.0)), (1.0, 95.0));
        assert!(Series::default().typical().is_nan());
    }
}
