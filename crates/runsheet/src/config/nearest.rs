//! Which key somebody meant.

use super::keys::KEYS;

/// The key nearest to a name that is none: a few letters away, or the same word in another section.
pub(crate) fn nearest(name: &str) -> Option<&'static str> {
    let word = |name: &str| name.rsplit_once('.').map_or(name, |(_, word)| word).to_owned();
    let meant = KEYS.iter().map(|key| {
        let whole = distance(name, key.name);
        let last = distance(&word(name), &word(key.name));
        (whole.min(last + 1), key.name)
    });
    let (far, key) = meant.min()?;
    (far <= 2.max(word(name).chars().count() / 3)).then_some(key)
}

/// How many letters must be put in, taken out or changed (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    // Foreign text: longer than any key is far from all of them.
    if a.len() > 100 {
        return usize::MAX - 1;
    }
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant() {
        for (name, meant) in [
            ("todo.dialct", Some("todo.dialect")),
            ("todo.alow_paralel_in_progress", Some("todo.allow_parallel_in_progress")),
            ("max_items", Some("todo.max_items")),
            ("todos.max_items", Some("todo.max_items")),
            ("mcp.bind", Some("serve.bind")),
            ("store.pth", Some("store.path")),
            ("weather", None),
            ("", None),
        ] {
            assert_eq!(nearest(name), meant, "{name}");
        }
        assert_eq!(nearest(&"x".repeat(10_000)), None);
    }
}
