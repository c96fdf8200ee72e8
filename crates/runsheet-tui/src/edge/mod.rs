//! The edge: everything that is not pure.

mod feed;
mod input;
mod terminal;

use std::{future::Future, io, pin::pin, time::Duration};

use runsheet_engine::{Clock, Engine, SystemClock};
use tokio::{
    sync::mpsc,
    time::{Instant, sleep_until},
};

use self::terminal::Screen;
use crate::model::{Effect, Event, Model, Setup};

/// The least time between two frames: more than anybody sees, and less than a fast feed would ask for.
const FRAME: Duration = Duration::from_millis(33);
/// How many events wait for the next frame.
const WAITING: usize = 64;

/// Shows the sessions until a person has seen enough, or `stop` ends it. `open` gives the engine once there is a store;
/// it is asked again and again until it does.
///
/// # Errors
/// When the terminal cannot be used.
pub async fn watch(
    open: impl FnMut() -> Option<Engine> + Send + 'static,
    setup: Setup,
    mouse: bool,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let (sender, mut events) = mpsc::channel(WAITING);
    let (wanted, effects) = mpsc::unbounded_channel();
    let mut screen = Screen::open(mouse)?;
    input::start(sender.clone())?;
    let mut feed = tokio::spawn(feed::run(Box::new(open), sender, effects));
    let (mut model, first) = Model::new(setup, SystemClock.now(), screen.size()?);
    for effect in first {
        _ = wanted.send(effect);
    }
    let act = |model: &mut Model, event| {
        let mut going = true;
        for effect in model.update(event) {
            going &= effect != Effect::Quit;
            _ = wanted.send(effect);
        }
        going
    };
    let mut stop = pin!(stop);
    let (mut changed, mut drawn) = (true, Instant::now() - FRAME);
    let mut going = true;
    while going {
        if changed && drawn.elapsed() >= FRAME {
            going &= act(&mut model, Event::Tick(SystemClock.now()));
            screen.draw(&model)?;
            (changed, drawn) = (false, Instant::now());
        }
        let wait = if changed { FRAME } else { Duration::from_millis(model.next_tick_ms()) };
        tokio::select! {
            () = &mut stop => break,
            // The feed ends only with us; when it fails, what is shown would silently stand still.
            ended = &mut feed => {
                drop(screen);
                return ended.map_err(io::Error::other);
            }
            event = events.recv() => {
                let Some(event) = event else { break };
                going &= act(&mut model, event);
                while let Ok(event) = events.try_recv() {
                    going &= act(&mut model, event);
                }
                changed = true;
            }
            () = sleep_until(drawn + wait) => changed = true,
        }
    }
    feed.abort();
    Ok(())
}
