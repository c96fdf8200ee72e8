//! Who runs this program.

/// The principal of this process: sessions of another user of the machine are never touched.
pub(crate) fn principal() -> String {
    format!("uid:{}", uid())
}

/// The user's number.
pub(crate) fn uid() -> u32 {
    rustix::process::getuid().as_raw()
}
