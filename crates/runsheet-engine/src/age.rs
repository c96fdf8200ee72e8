//! Times as people want them: how long ago.

use runsheet_core::log::Time;

/// How long before `now` a time was: `12s`, `4m`, `2h`, `3d`. A clock that was set back gives `0s`.
#[must_use]
pub fn age(now: Time, then: Time) -> String {
    let seconds = now.as_ms().saturating_sub(then.as_ms()).max(0) / 1_000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m", seconds / 60),
        3_600..86_400 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages() {
        let now = Time::from_ms(1_000_000_000_000);
        for (before_ms, shown) in [
            (-5_000, "0s"),
            (999, "0s"),
            (59_999, "59s"),
            (60_000, "1m"),
            (3_599_999, "59m"),
            (3_600_000, "1h"),
            (86_399_999, "23h"),
            (86_400_000, "1d"),
            (40 * 86_400_000, "40d"),
        ] {
            assert_eq!(age(now, Time::from_ms(now.as_ms() - before_ms)), shown);
        }
    }
}
