//! Links of the project's Markdown to its own files and headings.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::workspace;

/// Fails naming every link that leads nowhere.
pub(crate) fn check() -> Result<()> {
    let root = workspace();
    let mut pages = BTreeMap::new();
    for folder in [root.clone(), root.join("docs")] {
        collect(&folder, folder != root, &mut pages)?;
    }
    let broken: Vec<String> = pages.iter().flat_map(|(page, text)| broken_links(&root, page, text, &pages)).collect();
    if broken.is_empty() {
        println!("{} pages", pages.len());
        return Ok(());
    }
    bail!("links lead nowhere:\n  {}", broken.join("\n  "))
}

fn collect(folder: &Path, deep: bool, pages: &mut BTreeMap<PathBuf, String>) -> Result<()> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() && deep {
            collect(&path, deep, pages)?;
        } else if path.extension().is_some_and(|end| end == "md") {
            let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            pages.insert(path, text);
        }
    }
    Ok(())
}

fn broken_links(root: &Path, page: &Path, text: &str, pages: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let leads = |target: &str| {
        let (file, heading) = target.split_once('#').unwrap_or((target, ""));
        let there = if file.is_empty() { page.to_owned() } else { normal(&page.with_file_name(file)) };
        let has_heading = || pages.get(&there).is_none_or(|text| headings(text).any(|slug| slug == heading));
        there.exists() && (heading.is_empty() || has_heading())
    };
    let from = page.strip_prefix(root).unwrap_or(page).display();
    links(text)
        .filter(|target| !target.contains("://") && !target.starts_with("mailto:") && !leads(target))
        .map(|target| format!("{from}: {target}"))
        .collect()
}

/// Targets of `[text](target)` outside code.
fn links(text: &str) -> impl Iterator<Item = &str> {
    prose(text).flat_map(|line| {
        // Odd pieces between backquotes are code.
        line.split('`').step_by(2).flat_map(|piece| {
            piece
                .split("](")
                .skip(1)
                .filter_map(|rest| rest.split([')', ' ']).next())
                .filter(|target| !target.is_empty())
        })
    })
}

/// Headings as the anchors they become.
fn headings(text: &str) -> impl Iterator<Item = String> {
    prose(text).filter_map(|line| line.strip_prefix('#')).map(|line| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    })
}

/// Lines outside fenced code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut code = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        !fence && !code
    })
}

/// The path without `..`, as the page table names it.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                normal.pop();
            }
            std::path::Component::CurDir => {}
            other => normal.push(other),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::{headings, links};

    #[test]
    fn links_and_headings_are_found_outside_code() {
        let text = "# The tool: `todo_write`\n[a](b.md#c) and `[no](x)`\n```\n[no](y)\n# no\n```\n[d](<e> \"t\")";
        assert_eq!(links(text).collect::<Vec<_>>(), ["b.md#c", "<e>"]);
        assert_eq!(headings(text).collect::<Vec<_>>(), ["the-tool-todo_write"]);
    }
}
