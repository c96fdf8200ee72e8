//! The WAL's file: SQLite's own, with its writes gathered.

use std::{
    ffi::{c_int, c_void},
    mem, ptr, slice,
};

use libsqlite3_sys::{
    SQLITE_IOCAP_POWERSAFE_OVERWRITE, SQLITE_IOERR_WRITE, SQLITE_OK, sqlite3_file, sqlite3_int64, sqlite3_io_methods,
};

use crate::gather::{Gather, Next};

/// What SQLite sees as a file. SQLite's own file lies behind it, in memory that SQLite allocated for both.
#[repr(C)]
pub(crate) struct WalFile {
    base: sqlite3_file,
    gather: *mut Gather,
}

/// How far behind a [`WalFile`] SQLite's own file begins: aligned for whatever it holds.
pub(crate) const OWN_AT: usize = mem::size_of::<WalFile>().next_multiple_of(16);

/// The methods of a WAL. Version 1: a WAL is never locked, shared or mapped.
static METHODS: sqlite3_io_methods = sqlite3_io_methods {
    iVersion: 1,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device_characteristics),
    xShmMap: None,
    xShmLock: None,
    xShmBarrier: None,
    xShmUnmap: None,
    xFetch: None,
    xUnfetch: None,
};

/// Calls a method of SQLite's own file that every file has.
macro_rules! call {
    ($file:expr, $method:ident $(, $argument:expr)*) => {{
        // SAFETY: SQLite calls our methods only on a file that `wrap` made or is making, so its own file lies behind
        // it and is open, and an open file has the methods of version 1 at least.
        unsafe {
            let own = own($file);
            match (*(*own).pMethods).$method {
                Some(method) => method(own $(, $argument)*),
                None => SQLITE_OK,
            }
        }
    }};
}

/// Makes a [`WalFile`] of memory whose second part holds an open file of SQLite's own.
///
/// # Safety
/// `file` points to at least [`OWN_AT`] bytes followed by SQLite's own file, which was opened, and nothing else uses the
/// first part.
pub(crate) unsafe fn wrap(file: *mut sqlite3_file) {
    // Where a crash can damage what lies beside a write, SQLite fills the sector behind a transaction with copies of its
    // last frame and syncs in between. There each write is its own.
    let safe = call!(file, xDeviceCharacteristics) & SQLITE_IOCAP_POWERSAFE_OVERWRITE != 0;
    let gather = Box::into_raw(Box::new(if safe { Gather::default() } else { Gather::never() }));
    // SAFETY: the caller gives this memory to us; SQLite allocates files aligned to 8 bytes at least.
    unsafe {
        ptr::write(file.cast::<WalFile>(), WalFile { base: sqlite3_file { pMethods: &raw const METHODS }, gather });
    };
}

/// SQLite's own file behind a [`WalFile`], whose first part may not be written yet.
///
/// # Safety
/// `file` points to memory of at least [`OWN_AT`] bytes and what follows.
pub(crate) unsafe fn own(file: *mut sqlite3_file) -> *mut sqlite3_file {
    // SAFETY: within the memory the caller speaks of.
    unsafe { file.cast::<u8>().add(OWN_AT) }.cast()
}

/// What is held back for a file.
///
/// # Safety
/// `file` was made by [`wrap`] and not closed, and no other reference to its gathering lives.
unsafe fn gather<'a>(file: *mut sqlite3_file) -> &'a mut Gather {
    // SAFETY: `wrap` put a pointer from a box there, and SQLite uses a file from one thread at a time.
    unsafe { &mut *(*file.cast::<WalFile>()).gather }
}

/// Writes what is held back. On an error it is forgotten: SQLite learns of the error and gives the transaction up.
fn flush(file: *mut sqlite3_file) -> c_int {
    // SAFETY: only our methods call, once each, with the file they were called on.
    let gather = unsafe { gather(file) };
    let Some((start, bytes)) = gather.held() else { return SQLITE_OK };
    let (Ok(amount), Ok(start)) = (c_int::try_from(bytes.len()), sqlite3_int64::try_from(start)) else {
        return SQLITE_IOERR_WRITE;
    };
    let outcome = call!(file, xWrite, bytes.as_ptr().cast(), amount, start);
    gather.clear();
    outcome
}

/// Writes what is held back, then calls the method of SQLite's own file.
macro_rules! flush_and_call {
    ($file:expr, $method:ident $(, $argument:expr)*) => {
        match flush($file) {
            SQLITE_OK => call!($file, $method $(, $argument)*),
            error => error,
        }
    };
}

unsafe extern "C" fn write(
    file: *mut sqlite3_file,
    bytes: *const c_void,
    amount: c_int,
    offset: sqlite3_int64,
) -> c_int {
    let (Ok(length), Ok(place)) = (usize::try_from(amount), u64::try_from(offset)) else { return SQLITE_IOERR_WRITE };
    // SAFETY: the file is one of ours, and this reference ends before `flush` makes its own.
    if !unsafe { gather(file) }.continues(place) {
        let outcome = flush(file);
        if outcome != SQLITE_OK {
            return outcome;
        }
    }
    // SAFETY: SQLite hands us `amount` readable bytes.
    let content = unsafe { slice::from_raw_parts(bytes.cast::<u8>(), length) };
    // SAFETY: as above.
    match unsafe { gather(file) }.take(content, place) {
        Next::Hold => SQLITE_OK,
        Next::Write => flush(file),
        Next::Pass => call!(file, xWrite, bytes, amount, offset),
    }
}

unsafe extern "C" fn sync(file: *mut sqlite3_file, flags: c_int) -> c_int {
    let outcome = flush_and_call!(file, xSync, flags);
    // SAFETY: no other reference lives here.
    unsafe { gather(file) }.synced();
    outcome
}

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    // What is held belongs to no transaction that committed, so its loss would not be one.
    flush(file);
    let outcome = call!(file, xClose);
    // SAFETY: SQLite does not use a file after its close, and the pointer came from a box.
    drop(unsafe { Box::from_raw((*file.cast::<WalFile>()).gather) });
    outcome
}

unsafe extern "C" fn read(file: *mut sqlite3_file, into: *mut c_void, amount: c_int, offset: sqlite3_int64) -> c_int {
    flush_and_call!(file, xRead, into, amount, offset)
}

unsafe extern "C" fn truncate(file: *mut sqlite3_file, size: sqlite3_int64) -> c_int {
    flush_and_call!(file, xTruncate, size)
}

unsafe extern "C" fn file_size(file: *mut sqlite3_file, size: *mut sqlite3_int64) -> c_int {
    flush_and_call!(file, xFileSize, size)
}

unsafe extern "C" fn file_control(file: *mut sqlite3_file, verb: c_int, argument: *mut c_void) -> c_int {
    flush_and_call!(file, xFileControl, verb, argument)
}

unsafe extern "C" fn lock(file: *mut sqlite3_file, level: c_int) -> c_int {
    call!(file, xLock, level)
}

unsafe extern "C" fn unlock(file: *mut sqlite3_file, level: c_int) -> c_int {
    call!(file, xUnlock, level)
}

unsafe extern "C" fn check_reserved_lock(file: *mut sqlite3_file, held: *mut c_int) -> c_int {
    call!(file, xCheckReservedLock, held)
}

unsafe extern "C" fn sector_size(file: *mut sqlite3_file) -> c_int {
    call!(file, xSectorSize)
}

unsafe extern "C" fn device_characteristics(file: *mut sqlite3_file) -> c_int {
    call!(file, xDeviceCharacteristics)
}
