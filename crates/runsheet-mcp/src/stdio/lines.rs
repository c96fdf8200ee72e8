//! Bytes to lines of bounded length.

use std::{io, mem};

use rmcp::model::RequestId;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

use crate::wire::IdScanner;

/// A line of input.
#[derive(Debug)]
pub(super) enum Line {
    /// One that fits, without its end.
    Whole(Vec<u8>),
    /// One that was too long, with the id of the request in it.
    TooLong(Option<RequestId>),
}

/// Reads lines. Dropping a pending read loses nothing: what was read of a line is kept here.
#[derive(Debug)]
pub(super) struct Lines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    /// Looks through what is dropped of a line that is too long.
    dropping: Option<IdScanner>,
    max_bytes: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(input: R, max_bytes: usize) -> Self {
        Self { input: BufReader::with_capacity(64 * 1024, input), line: Vec::new(), dropping: None, max_bytes }
    }

    /// The next line; the last one need not be ended. `None` at the end.
    pub(super) async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let input = self.input.fill_buf().await?;
            if input.is_empty() {
                let rest = !self.line.is_empty() || self.dropping.is_some();
                return Ok(rest.then(|| self.take()));
            }
            let end = input.iter().position(|byte| *byte == b'\n');
            let part = &input[..end.unwrap_or(input.len())];
            if let Some(scanner) = &mut self.dropping {
                scanner.feed(part);
            } else if self.line.len() + part.len() > self.max_bytes {
                let mut scanner = IdScanner::default();
                scanner.feed(&self.line);
                scanner.feed(part);
                self.line = Vec::new();
                self.dropping = Some(scanner);
            } else {
                self.line.extend_from_slice(part);
            }
            let read = part.len() + usize::from(end.is_some());
            self.input.consume(read);
            if end.is_some() {
                return Ok(Some(self.take()));
            }
        }
    }

    fn take(&mut self) -> Line {
        match self.dropping.take() {
            Some(scanner) => Line::TooLong(scanner.finish()),
            None => Line::Whole(mem::take(&mut self.line)),
        }
    }
}
