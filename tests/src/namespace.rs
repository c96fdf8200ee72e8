//! Real clients run where nothing but loopback exists, so that none of them can reach a network by accident.

use std::fs;

/// Interfaces the kernel itself puts into every new network namespace; without an address they lead nowhere.
const FALLBACKS: [&str; 9] =
    ["tunl0", "gre0", "gretap0", "erspan0", "ip_vti0", "ip6_vti0", "sit0", "ip6tnl0", "ip6gre0"];

/// Fails the test unless loopback is the only way out of this process.
pub fn require() {
    // Not /sys/class/net: sysfs shows the namespace it was mounted in, which is the machine's own.
    let table = fs::read_to_string("/proc/self/net/dev").expect("/proc is mounted");
    let outside: Vec<_> = interfaces(&table).filter(|name| *name != "lo" && !FALLBACKS.contains(name)).collect();
    assert!(
        outside.is_empty(),
        "this test starts real clients and runs only where loopback is the only interface, but here is {}; \
         start it with `cargo xtask test --clients`, which makes such a namespace with `unshare -n`",
        outside.join(", "),
    );
}

fn interfaces(table: &str) -> impl Iterator<Item = &str> {
    table.lines().skip(2).filter_map(|line| Some(line.split_once(':')?.0.trim()))
}

#[cfg(test)]
mod tests {
    use super::interfaces;

    #[test]
    fn the_kernels_table_is_read() {
        let table = "Inter-|   Receive\n face |bytes\n    lo: 12 0\n  eth0:  34 0\n";
        assert_eq!(interfaces(table).collect::<Vec<_>>(), ["lo", "eth0"]);
    }
}
