//! Finds the blocks of a page and what the comments above them say.

#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) language: String,
    pub(super) text: String,
    pub(super) line: usize,
    pub(super) world: Option<Vec<String>>,
    pub(super) file: Option<String>,
    pub(super) exit: i32,
    pub(super) other: Option<String>,
    pub(super) ignore: Option<String>,
}

pub(super) fn blocks(page: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut next = Block::default();
    let mut open: Option<Block> = None;
    for (index, line) in page.lines().enumerate() {
        if let Some(block) = &mut open {
            if line.trim_start() == "```" {
                found.extend(open.take());
            } else {
                block.text.push_str(line);
                block.text.push('\n');
            }
            continue;
        }
        if let Some(language) = line.trim_start().strip_prefix("```") {
            let block = std::mem::take(&mut next);
            open = Some(Block { language: language.to_owned(), line: index + 1, ..block });
            continue;
        }
        let Some(said) = line.trim().strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")) else {
            assert!(line.trim().is_empty() || next.is_plain(), "line {}: a comment for no block", index + 1);
            continue;
        };
        let (word, value) = said.split_once(": ").unwrap_or((said, ""));
        match word {
            "world" => next.world = Some(value.split_whitespace().map(str::to_owned).collect()),
            "file" => next.file = Some(value.to_owned()),
            "exit" => next.exit = value.parse().unwrap(),
            "other" => next.other = Some(value.to_owned()),
            "ignore" => next.ignore = Some(value.to_owned()),
            _ => {}
        }
    }
    assert!(open.is_none(), "a block that does not end");
    found
}

impl Block {
    fn is_plain(&self) -> bool {
        self.world.is_none() && self.file.is_none() && self.exit == 0 && self.other.is_none() && self.ignore.is_none()
    }
}

#[test]
fn blocks_know_what_was_said_about_them() {
    let page = "# A\n\n<!-- world: workspace0 agent:claude -->\n<!-- exit: 1 -->\n```console\n$ x\n```\n\ntext\n```sh\ny\n```\n";
    let found = blocks(page);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].world, Some(vec!["workspace0".to_owned(), "agent:claude".to_owned()]));
    assert_eq!((found[0].exit, found[0].text.as_str(), found[0].line), (1, "$ x\n", 5));
    assert_eq!((found[1].language.as_str(), found[1].exit), ("sh", 0));
}
