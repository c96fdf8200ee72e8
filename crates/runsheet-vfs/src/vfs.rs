//! The VFS: SQLite's own, but for how a WAL is opened.

use std::{
    ffi::{CStr, c_int},
    ptr,
    sync::OnceLock,
};

use libsqlite3_sys::{
    SQLITE_ERROR, SQLITE_OK, SQLITE_OPEN_WAL, sqlite3_file, sqlite3_filename, sqlite3_initialize, sqlite3_vfs,
    sqlite3_vfs_find, sqlite3_vfs_register,
};

use crate::file::{OWN_AT, own, wrap};

/// The name to open a database with.
pub const NAME: &CStr = c"runsheet";

/// SQLite's own VFS, found once; it lives as long as the process.
struct Own(*mut sqlite3_vfs);

// SAFETY: a registered VFS is never changed or freed, and SQLite itself calls it from any thread.
unsafe impl Send for Own {}
// SAFETY: as above.
unsafe impl Sync for Own {}

static OWN: OnceLock<Own> = OnceLock::new();

/// Makes the VFS known to SQLite under [`NAME`]; once for the process, however often it is called.
///
/// # Errors
/// SQLite's code when it could not start or has no VFS of its own.
pub fn register() -> Result<(), c_int> {
    static OUTCOME: OnceLock<Result<(), c_int>> = OnceLock::new();
    *OUTCOME.get_or_init(register_once)
}

fn register_once() -> Result<(), c_int> {
    // SAFETY: may be called at any time, from any thread.
    let started = unsafe { sqlite3_initialize() };
    if started != SQLITE_OK {
        return Err(started);
    }
    // SAFETY: SQLite has started; null asks for the default.
    let found = unsafe { sqlite3_vfs_find(ptr::null()) };
    if found.is_null() {
        return Err(SQLITE_ERROR);
    }
    let size = c_int::try_from(OWN_AT).map_err(|_| SQLITE_ERROR)?;
    // SAFETY: what `sqlite3_vfs_find` found is a whole VFS. A copy of it works like it: its methods use no more of the VFS
    // they are called on than these fields.
    let mut vfs = unsafe { ptr::read(found) };
    vfs.szOsFile += size;
    vfs.zName = NAME.as_ptr();
    vfs.pNext = ptr::null_mut();
    vfs.xOpen = Some(open);
    OWN.get_or_init(|| Own(found));
    // SAFETY: a registered VFS must live as long as the process, so the box is leaked.
    match unsafe { sqlite3_vfs_register(Box::into_raw(Box::new(vfs)), 0) } {
        SQLITE_OK => Ok(()),
        error => Err(error),
    }
}

unsafe extern "C" fn open(
    _: *mut sqlite3_vfs,
    name: sqlite3_filename,
    file: *mut sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    let Some(vfs) = OWN.get() else { return SQLITE_ERROR };
    // SAFETY: `register_once` found it.
    let Some(open) = (unsafe { (*vfs.0).xOpen }) else { return SQLITE_ERROR };
    if flags & SQLITE_OPEN_WAL == 0 {
        // SAFETY: SQLite's own arguments. The memory is larger than its own VFS needs, which does no harm.
        return unsafe { open(vfs.0, name, file, flags, out_flags) };
    }
    // SAFETY: SQLite allocated `szOsFile` bytes, which is `OWN_AT` and what its own VFS asks for.
    let behind = unsafe { own(file) };
    // SAFETY: as above; no methods mean that the file is not open, also for whoever reads `file` after an error.
    unsafe { (*file).pMethods = ptr::null() };
    // SAFETY: SQLite's own arguments, and memory for a file of its own.
    let outcome = unsafe { open(vfs.0, name, behind, flags, out_flags) };
    // SQLite closes a file whose methods are set, also one whose opening failed later.
    // SAFETY: the memory is ours, and where the file behind has methods, it is open.
    unsafe {
        if !(*behind).pMethods.is_null() {
            wrap(file);
        }
    }
    outcome
}
