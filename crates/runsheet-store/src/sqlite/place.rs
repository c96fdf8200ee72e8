//! Where a store may lie.

use std::path::Path;

/// Why a store cannot lie at a path, for its file system's sake.
#[cfg(target_os = "linux")]
pub(super) fn unsuited(path: &Path) -> Option<String> {
    let stat = rustix::fs::statfs(path).ok()?;
    // The magic's C type differs between platforms; all known values are unsigned 32-bit numbers.
    let magic = stat.f_type as u32;
    unsuited_kind(magic, || mounted_as(path))
}

/// On other systems the kind of file system is not looked at.
#[cfg(not(target_os = "linux"))]
pub(super) fn unsuited(_: &Path) -> Option<String> {
    None
}

/// Network file systems: their locks and shared memory do not hold between machines, and a database there is lost
/// sooner or later. FUSE carries local ones too, so for it the name of the mount's type decides.
fn unsuited_kind(magic: u32, mounted_as: impl Fn() -> Option<String>) -> Option<String> {
    let name = match magic {
        0x6969 => "NFS".into(),
        0x517B | 0xFF53_4D42 | 0xFE53_4D42 => "SMB".into(),
        0x0102_1997 => "9p".into(),
        0x5346_414F => "AFS".into(),
        0x00C3_6400 => "Ceph".into(),
        0x7375_7245 => "Coda".into(),
        0x0BD0_0BD0 => "Lustre".into(),
        0x6573_5546 => mounted_as().filter(|kind| is_remote_fuse(kind))?,
        _ => return None,
    };
    Some(format!("it lies on a network file system ({name}), where file locks cannot be trusted; use a local disk"))
}

fn is_remote_fuse(kind: &str) -> bool {
    ["sshfs", "rclone", "s3fs", "gcsfuse", "davfs", "glusterfs", "mountpoint-s3", "curlftpfs", "smbnetfs"]
        .iter()
        .any(|remote| kind.strip_prefix("fuse.").is_some_and(|kind| kind.eq_ignore_ascii_case(remote)))
}

/// The type of the mount a path lies on, as the kernel lists it.
#[cfg(target_os = "linux")]
fn mounted_as(path: &Path) -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    let dev = std::fs::metadata(path).ok()?.dev();
    let wanted = format!("{}:{}", rustix::fs::major(dev), rustix::fs::minor(dev));
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").ok()?;
    mounts.lines().find_map(|line| {
        let (mount, kind) = line.split_once(" - ")?;
        (mount.split(' ').nth(2) == Some(&wanted)).then(|| kind.split(' ').next().map(Into::into))?
    })
}

#[cfg(test)]
mod tests {
    use super::unsuited_kind;

    #[test]
    fn network_file_systems_are_told_from_local_ones() {
        let fuse = |kind: &str| unsuited_kind(0x6573_5546, || Some(kind.to_owned())).is_some();
        assert!(unsuited_kind(0x6969, || None).is_some_and(|reason| reason.contains("NFS")));
        assert!(unsuited_kind(0xFE53_4D42, || None).is_some());
        assert!(unsuited_kind(0xEF53, || None).is_none(), "ext4");
        assert!(unsuited_kind(0x0102_1994, || None).is_none(), "tmpfs");
        assert!(fuse("fuse.sshfs") && !fuse("fuse.ntfs-3g") && !fuse("virtiofs"));
    }
}
