//! The output of a run of the program.

#[must_use = "look at the output or at least at the exit code"]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Output {
    pub fn transcript(&self) -> String {
        let mut text = self.stdout.clone();
        if !self.stderr.is_empty() {
            text.push_str("--- stderr\n");
            text.push_str(&self.stderr);
        }
        if self.code != 0 {
            text.push_str(&format!("--- exit {}\n", self.code));
        }
        text
    }

    #[track_caller]
    pub fn expect(self, code: i32) -> String {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self.stdout
    }
}
