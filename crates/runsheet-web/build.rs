//! Builds the web client and makes the table of its files.
//!
//! `web/` is copied to `OUT_DIR`, built there with `npm ci` and the client's own `build` script, and every file of the
//! result becomes a row: path, type, tag, bytes, and the bytes compressed where that is worth it. Nothing generated is
//! put into the source tree, and nothing runs again until `web/` changes.

use std::{
    env,
    fmt::Write as _,
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use sha2::{Digest, Sha256};

/// What of `web/` is made, not written.
const MADE: &[&str] = &["node_modules", "dist", ".vite", "coverage", "test-results", "playwright-report", "shots"];
/// Kinds of files that are worth compressing.
const TEXTS: &[&str] = &["html", "js", "css", "svg", "json", "txt", "map", "webmanifest"];

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            // What a build script prints to stderr is shown when it fails.
            let _ = writeln!(io::stderr(), "{why}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo sets CARGO_MANIFEST_DIR")?);
    tell("rerun-if-changed=build.rs");
    let table = out.join("assets.rs");
    if env::var_os("CARGO_FEATURE_WEB").is_none() {
        return write(&table, "&[]");
    }
    let web = here.join("../../web");
    if !web.join("package.json").is_file() {
        tell("rerun-if-changed=../../web");
        tell("warning=there is no web/ beside crates/: the web client is left out");
        return write(&table, "&[]");
    }
    let copy = out.join("web");
    copy_sources(&web, &copy)?;
    if !npm(&copy)? {
        // Cargo looks for a file that is never there, so Node is looked for again at every build.
        tell(&format!("rerun-if-changed={}", out.join("node-is-missing").display()));
        tell("warning=the web client is left out: it needs Node 20.19 or later, and `npm` was not found");
        return write(&table, "&[]");
    }
    let mut rows = String::from("&[\n");
    for file in files(&copy.join("dist"))? {
        row(&copy.join("dist"), &file, &out, &mut rows)?;
    }
    rows.push(']');
    write(&table, &rows)
}

/// Copies what is written by hand, and has cargo look at each of it. Folders that are made by tools may change all the
/// time, so `web/` itself is not looked at.
fn copy_sources(web: &Path, copy: &Path) -> Result<(), String> {
    fs::create_dir_all(copy).map_err(|error| format!("cannot make {}: {error}", copy.display()))?;
    // The installed packages stay: npm replaces them anyway, where they changed.
    for entry in entries(copy)? {
        if !entry.ends_with("node_modules") && !entry.ends_with(".installed") {
            let gone = if entry.is_dir() { fs::remove_dir_all(&entry) } else { fs::remove_file(&entry) };
            gone.map_err(|error| format!("cannot remove {}: {error}", entry.display()))?;
        }
    }
    for entry in entries(web)? {
        let Some(name) = entry.file_name() else { continue };
        if MADE.iter().any(|made| name == *made) {
            continue;
        }
        tell(&format!("rerun-if-changed={}", entry.display()));
        copy_all(&entry, &copy.join(name))?;
    }
    Ok(())
}

fn copy_all(from: &Path, to: &Path) -> Result<(), String> {
    if !from.is_dir() {
        return fs::copy(from, to).map(drop).map_err(|error| format!("cannot copy {}: {error}", from.display()));
    }
    fs::create_dir_all(to).map_err(|error| format!("cannot make {}: {error}", to.display()))?;
    for entry in entries(from)? {
        if let Some(name) = entry.file_name() {
            copy_all(&entry, &to.join(name))?;
        }
    }
    Ok(())
}

/// Installs and builds; `false` without Node.
fn npm(web: &Path) -> Result<bool, String> {
    // The same packages need not be installed again for every change of the client's own source.
    let lock = fs::read(web.join("package-lock.json")).map_err(|error| format!("web/package-lock.json: {error}"))?;
    let tag = hex(&Sha256::digest(&lock));
    let installed = web.join(".installed");
    if fs::read_to_string(&installed).is_ok_and(|known| known == tag) {
        return command(web, &["run", "build"]);
    }
    let packages = command(web, &["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"])?;
    if packages {
        write(&installed, &tag)?;
        command(web, &["run", "build"])?;
    }
    Ok(packages)
}

fn command(web: &Path, arguments: &[&str]) -> Result<bool, String> {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let ran = Command::new(program).args(arguments).current_dir(web).env_remove("NODE_ENV").output();
    match ran {
        Ok(output) if output.status.success() => Ok(true),
        Ok(output) => {
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8_lossy(&said);
            let lines: Vec<_> = said.lines().rev().take(40).collect();
            let lines: Vec<_> = lines.into_iter().rev().collect();
            let what = arguments.join(" ");
            Err(format!("building the web client: `npm {what}` failed ({}):\n{}", output.status, lines.join("\n")))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(format!("building the web client: `npm` cannot be run: {error}")),
    }
}

/// The files below a folder, in the order of their names.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for entry in entries(folder)? {
        if entry.is_dir() {
            found.extend(files(&entry)?);
        } else {
            found.push(entry);
        }
    }
    found.sort();
    Ok(found)
}

fn row(dist: &Path, file: &Path, out: &Path, rows: &mut String) -> Result<(), String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let bytes = fs::read(file).map_err(|error| failed(&error))?;
    let below = file.strip_prefix(dist).map_err(|error| failed(&error))?;
    let below = below.to_str().ok_or_else(|| failed(&"its name is not UTF-8"))?.replace('\\', "/");
    let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let tag = hex(&Sha256::digest(&bytes)[..16]);
    let mut gzip = String::from("None");
    if TEXTS.contains(&extension) {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        let packed = encoder.write_all(&bytes).and_then(|()| encoder.finish()).map_err(|error| failed(&error))?;
        if packed.len() < bytes.len() {
            fs::create_dir_all(out.join("packed")).map_err(|error| failed(&error))?;
            fs::write(out.join("packed").join(&tag), packed).map_err(|error| failed(&error))?;
            gzip = format!("Some(include_bytes!(concat!(env!(\"OUT_DIR\"), \"/packed/{tag}\")))");
        }
    }
    let immutable = below.starts_with("assets/");
    let path = format!("/{below}");
    writeln!(
        rows,
        "    Asset {{ path: {path:?}, mime: {mime:?}, tag: \"\\\"{tag}\\\"\", immutable: {immutable}, bytes: \
         include_bytes!(concat!(env!(\"OUT_DIR\"), \"/web/dist/\", {below:?})), gzip: {gzip} }},",
        mime = mime(extension)
    )
    .map_err(|error| failed(&error))
}

fn mime(extension: &str) -> &'static str {
    match extension {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error: io::Error| format!("cannot read {}: {error}", folder.display());
    let mut found: Vec<_> = fs::read_dir(folder)
        .map_err(failed)?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<_>>()
        .map_err(failed)?;
    found.sort();
    Ok(found)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Tells cargo.
fn tell(what: &str) {
    let _ = writeln!(io::stdout(), "cargo::{what}");
}
