//! A file nobody names is a test nobody runs.

#[test]
fn every_file_is_part_of_the_binary() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it");
    let main = std::fs::read_to_string(format!("{folder}/main.rs")).unwrap();
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    for name in files.filter(|name| !name.starts_with('.')) {
        let module = name.trim_end_matches(".rs");
        assert!(module == "main" || main.contains(&format!("mod {module};")), "{name} is not in main.rs");
    }
}
