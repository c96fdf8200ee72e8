//! Loads a store and prints what came of it, one `name value` a line: the raw material of `cargo xtask bench`.
//!
//! ```text
//! load append <db> <appends>                 sequential appends against append + fdatasync of the same bytes
//! load sessions <db> <sessions> <each>       so many sessions of one process at once
//! load processes <db> <processes> <sessions> <each>
//! load stream <db> <processes> <each>        so many processes on one stream
//! load tail <db> <events>                    from another process's commit to our page of the feed
//! load hook <db> <times>                     open, append, close
//! load idle <db> <seconds>                   a process that only listens
//! load leave-wal <db> <megabytes>            ends without closing, with so large a WAL
//! load open <db>                             open and read the feed's end
//! ```

#![expect(clippy::print_stdout, reason = "printing is what it is for")]

use std::{
    env,
    error::Error,
    fs::OpenOptions,
    io::Write,
    path::Path,
    process::{Command, Stdio},
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

use runsheet_core::log::{
    Agent, ContentBlock, Event, EventId, Ownership, SessionCreated, Source, StreamId, Time, UserMessage,
};
use runsheet_store::{Cursor, Decision, EventLog, Expected, SqliteOptions, SqliteStore};
use uuid::Uuid;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

#[tokio::main]
async fn main() -> Outcome<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let number = |at: usize| -> Outcome<usize> { Ok(args.get(at).ok_or("an argument is missing")?.parse()?) };
    let db = Path::new(args.get(1).ok_or("load <what> <db> …")?);
    match args[0].as_str() {
        "append" => append(db, number(2)?).await,
        "sessions" => sessions(db, number(2)?, number(3)?).await,
        "processes" => processes(db, number(2)?, &[args[3].clone(), args[4].clone()]),
        "stream" => stream(db, number(2)?, number(3)?).await,
        "stream-writer" => stream_writer(db, &args[2], number(3)?).await,
        "tail" => tail(db, number(2)?).await,
        "tail-writer" => tail_writer(db, &args[2], number(3)?).await,
        "hook" => hook(db, number(2)?).await,
        "idle" => idle(db, number(2)?).await,
        "leave-wal" => leave_wal(db, number(2)?).await,
        "open" => open_once(db).await,
        other => Err(format!("what is `{other}`?").into()),
    }
}

fn open(db: &Path) -> Outcome<Arc<SqliteStore>> {
    Ok(Arc::new(SqliteStore::open(db, SqliteOptions::new(Arc::clone(runsheet_core::vocabulary())))?))
}

fn now() -> Time {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Time::from_ms(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

fn header() -> Event {
    let header = SessionCreated {
        format: 1,
        cwd: None,
        agent: Agent { name: "load".into(), version: None, dialect: None },
        parent: None,
        source: Source { kind: "mcp".into(), native: None },
        lifecycle: Ownership::Observed,
    };
    runsheet_core::vocabulary().event(EventId::new(Uuid::now_v7()), now(), &header)
}

fn message(text: &str) -> Event {
    let content = vec![ContentBlock::Text { text: text.into() }];
    runsheet_core::vocabulary().event(EventId::new(Uuid::now_v7()), now(), &UserMessage { content })
}

async fn session(store: &SqliteStore) -> Outcome<StreamId> {
    let stream = StreamId::Session(Uuid::now_v7());
    store.append(stream.clone(), Expected::Absent, vec![header()]).await?;
    Ok(stream)
}

async fn write(store: &SqliteStore, stream: &StreamId, event: Event) -> Outcome<()> {
    let mut event = Some(event);
    let decide =
        move |_: &dyn runsheet_store::Tail| Decision { batch: event.take().into_iter().collect(), cache: Vec::new() };
    // Everything before is known: no new events are read.
    store.transact(stream.clone(), Some(u64::MAX - 1), Box::new(decide)).await?;
    Ok(())
}

fn quantile(times: &mut [Duration], q: usize) -> f64 {
    times.sort_unstable();
    let at = (times.len() * q / 100).min(times.len().saturating_sub(1));
    times.get(at).map_or(0.0, |time| time.as_secs_f64() * 1e3)
}

async fn append(db: &Path, count: usize) -> Outcome<()> {
    let store = open(db)?;
    let stream = session(&store).await?;
    let text = "x".repeat(1_000);
    let mut file = OpenOptions::new().create(true).append(true).open(db.with_extension("reference"))?;
    let (mut ours, mut reference) = (Vec::new(), Vec::new());
    // Alternating, so that a disk which slows down slows both.
    for _ in 0..count {
        let event = message(&text);
        let bytes = event.data.get().to_owned();
        let start = Instant::now();
        file.write_all(bytes.as_bytes())?;
        file.sync_data()?;
        reference.push(start.elapsed());
        let start = Instant::now();
        write(&store, &stream, event).await?;
        ours.push(start.elapsed());
    }
    println!("append_p50_ms {:.4}", quantile(&mut ours, 50));
    println!("append_p99_ms {:.4}", quantile(&mut ours, 99));
    println!("reference_p50_ms {:.4}", quantile(&mut reference, 50));
    println!("ratio_p50 {:.3}", quantile(&mut ours, 50) / quantile(&mut reference, 50));
    store.close().await;
    Ok(())
}

async fn sessions(db: &Path, sessions: usize, each: usize) -> Outcome<()> {
    let store = open(db)?;
    let text = "x".repeat(300);
    let mut streams = Vec::new();
    for _ in 0..sessions {
        streams.push(session(&store).await?);
    }
    let start = Instant::now();
    let tasks: Vec<_> = streams
        .into_iter()
        .map(|stream| {
            let (store, text) = (Arc::clone(&store), text.clone());
            tokio::spawn(async move {
                let mut longest = Duration::ZERO;
                for _ in 0..each {
                    let start = Instant::now();
                    write(&store, &stream, message(&text)).await?;
                    longest = longest.max(start.elapsed());
                }
                Outcome::Ok(longest)
            })
        })
        .collect();
    let mut longest = Duration::ZERO;
    for task in tasks {
        longest = longest.max(task.await??);
    }
    let took = start.elapsed();
    println!("events {}", sessions * each);
    println!("seconds {:.4}", took.as_secs_f64());
    println!("events_per_second {:.0}", (sessions * each) as f64 / took.as_secs_f64());
    println!("longest_ms {:.2}", longest.as_secs_f64() * 1e3);
    store.close().await;
    Ok(())
}

fn children(count: usize, args: &[&str]) -> Outcome<Vec<String>> {
    let spawn = |_| Command::new(env::current_exe()?).args(args).stdout(Stdio::piped()).spawn();
    let children: Vec<_> = (0..count).map(spawn).collect::<Result<_, std::io::Error>>()?;
    children
        .into_iter()
        .map(|child| {
            let output = child.wait_with_output()?;
            if !output.status.success() {
                return Err("a process failed".into());
            }
            Ok(String::from_utf8(output.stdout)?)
        })
        .collect()
}

fn value(output: &str, name: &str) -> Outcome<f64> {
    let line = output.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    Ok(line.ok_or_else(|| format!("no {name} in {output}"))?.parse()?)
}

fn processes(db: &Path, count: usize, rest: &[String; 2]) -> Outcome<()> {
    open(db)?;
    let path = db.to_str().ok_or("the path is no text")?;
    let start = Instant::now();
    let outputs = children(count, &["sessions", path, &rest[0], &rest[1]])?;
    let took = start.elapsed().as_secs_f64();
    let (mut events, mut longest, mut slowest) = (0.0, 0.0_f64, 0.0_f64);
    for output in &outputs {
        events += value(output, "events")?;
        longest = longest.max(value(output, "longest_ms")?);
        slowest = slowest.max(value(output, "seconds")?);
    }
    println!("events {events}");
    println!("events_per_second {:.0}", events / slowest);
    println!("events_per_second_with_start {:.0}", events / took);
    println!("longest_ms {longest:.2}");
    Ok(())
}

async fn stream(db: &Path, count: usize, each: usize) -> Outcome<()> {
    let store = open(db)?;
    let stream = session(&store).await?;
    let path = db.to_str().ok_or("the path is no text")?;
    let outputs = children(count, &["stream-writer", path, &stream.to_string(), &each.to_string()])?;
    let (mut slowest, mut fastest, mut longest) = (0.0_f64, f64::MAX, 0.0_f64);
    for output in &outputs {
        let took = value(output, "seconds")?;
        (slowest, fastest) = (slowest.max(took), fastest.min(took));
        longest = longest.max(value(output, "longest_ms")?);
    }
    let head = store.head(stream).await?.ok_or("the stream is gone")?.seq;
    println!("events {head}");
    println!("events_per_second {:.0}", head as f64 / slowest);
    println!("slowest_by_fastest {:.3}", slowest / fastest);
    println!("longest_ms {longest:.2}");
    store.close().await;
    Ok(())
}

async fn stream_writer(db: &Path, stream: &str, each: usize) -> Outcome<()> {
    let store = open(db)?;
    let stream: StreamId = stream.parse()?;
    let text = "x".repeat(300);
    // All start together, once everybody is there.
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_millis();
    tokio::time::sleep(Duration::from_millis(u64::try_from(1_000 - since % 1_000)?)).await;
    let start = Instant::now();
    let mut longest = Duration::ZERO;
    for _ in 0..each {
        let start = Instant::now();
        write(&store, &stream, message(&text)).await?;
        longest = longest.max(start.elapsed());
    }
    println!("seconds {:.4}", start.elapsed().as_secs_f64());
    println!("longest_ms {:.2}", longest.as_secs_f64() * 1e3);
    store.close().await;
    Ok(())
}

async fn tail(db: &Path, events: usize) -> Outcome<()> {
    let store = open(db)?;
    let stream = session(&store).await?;
    let mut bell = store.doorbell();
    let mut cursor: Cursor = store.end().await?;
    let path = db.to_str().ok_or("the path is no text")?;
    let mut writer = Command::new(env::current_exe()?)
        .args(["tail-writer", path, &stream.to_string(), &events.to_string()])
        .stdout(Stdio::null())
        .spawn()?;
    let mut late = Vec::new();
    while late.len() < events {
        bell.changed().await?;
        let page = store.feed(cursor, 1_000).await?;
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_nanos();
        for entry in &page.entries {
            let text = entry.event.data.get();
            let sent = text.split('@').nth(1).ok_or("no time in the event")?;
            late.push(Duration::from_nanos(u64::try_from(now - sent.parse::<u128>()?)?));
        }
        cursor = page.next;
    }
    writer.wait()?;
    println!("tail_p50_ms {:.3}", quantile(&mut late, 50));
    println!("tail_p99_ms {:.3}", quantile(&mut late, 99));
    println!("tail_max_ms {:.3}", quantile(&mut late, 100));
    store.close().await;
    Ok(())
}

/// Its events carry the time before they were appended, so the tail's lateness includes the commit.
async fn tail_writer(db: &Path, stream: &str, events: usize) -> Outcome<()> {
    let store = open(db)?;
    let stream: StreamId = stream.parse()?;
    for _ in 0..events {
        tokio::time::sleep(Duration::from_millis(5)).await;
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_nanos();
        write(&store, &stream, message(&format!("@{now}@"))).await?;
    }
    store.close().await;
    Ok(())
}

async fn hook(db: &Path, times: usize) -> Outcome<()> {
    let brief =
        SqliteOptions { checkpoint_on_close: false, ..SqliteOptions::new(Arc::clone(runsheet_core::vocabulary())) };
    let stream = session(&*open(db)?).await?;
    let mut took = Vec::new();
    for _ in 0..times {
        let start = Instant::now();
        let store = SqliteStore::open(db, brief.clone())?;
        write(&store, &stream, message("x")).await?;
        store.close().await;
        drop(store);
        took.push(start.elapsed());
    }
    println!("open_append_close_p50_ms {:.3}", quantile(&mut took, 50));
    println!("open_append_close_max_ms {:.3}", quantile(&mut took, 100));
    Ok(())
}

async fn idle(db: &Path, seconds: usize) -> Outcome<()> {
    let store = open(db)?;
    store.doorbell();
    store.end().await?;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let before = cpu()?;
    tokio::time::sleep(Duration::from_secs(u64::try_from(seconds)?)).await;
    let used = cpu()? - before;
    println!("idle_cpu_percent {:.4}", used.as_secs_f64() / seconds as f64 * 100.0);
    let status = std::fs::read_to_string("/proc/self/status")?;
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    println!("resident {}", resident.trim());
    store.close().await;
    Ok(())
}

/// The time all our threads ran.
fn cpu() -> Outcome<Duration> {
    let mut nanos = 0;
    for task in std::fs::read_dir("/proc/self/task")? {
        let stat = std::fs::read_to_string(task?.path().join("schedstat"))?;
        nanos += stat.split(' ').next().unwrap_or_default().parse::<u64>()?;
    }
    Ok(Duration::from_nanos(nanos))
}

async fn leave_wal(db: &Path, megabytes: usize) -> Outcome<()> {
    let store = open(db)?;
    let stream = session(&store).await?;
    // A snapshot that is held keeps every checkpoint from starting the WAL over.
    let reader = rusqlite::Connection::open(db)?;
    reader.execute_batch("BEGIN; SELECT count(*) FROM events")?;
    let wal = db.with_file_name(format!("{}-wal", db.file_name().unwrap_or_default().to_string_lossy()));
    let text = "x".repeat(100_000);
    while std::fs::metadata(&wal)?.len() < (megabytes as u64) << 20 {
        write(&store, &stream, message(&text)).await?;
    }
    std::process::exit(0);
}

async fn open_once(db: &Path) -> Outcome<()> {
    let start = Instant::now();
    let store = open(db)?;
    println!("open_ms {:.3}", start.elapsed().as_secs_f64() * 1e3);
    store.end().await?;
    println!("open_and_read_ms {:.3}", start.elapsed().as_secs_f64() * 1e3);
    Ok(())
}
