//! `--help` and mistakes on the command line.

use expect_test::expect;

use crate::{check, with_fixture};

#[test]
fn the_first_page_groups_the_commands() {
    let context = with_fixture(&[]);
    check(
        context.invoke(&["--help"]),
        expect![[r#"
            Makes AI coding agents good at Rust: skills, hooks and MCP servers chosen by the crates your
            workspace uses

            Usage: symposium [OPTIONS] <COMMAND>

            Everyday:
              init         Set up your agents and this project
              sync         Update skills, hooks and MCP servers to match the dependencies
              on           Switch on extensions in this project
              off          Switch off extensions in this project
              import       Import hooks, MCP servers and skills of an agent for all agents
              status       Show every extension, its state and the agents that have it
              trust        Review the programs that plugins would run here, and grant them
              doctor       Check the setup of each agent, and suggest fixes
              diff         Show what a change of the project means for agents
              context      Show how much of a model's context Symposium fills
              search       Find skills and plugins by name, crate or description
              crate        Show guidance, skills and source of a dependency
              api          Show public items of the crates that this workspace uses
              why          Explain why something applies or not, and where it comes from
              cargo        Run cargo and print a shortened output
              config       Show the settings and where they come from
              self-update  Update Symposium to the latest version
              uninstall    Remove everything that Symposium wrote
              completions  Print a completion script for a shell
              man          Print the manual page of Symposium or of one command

            For crate authors:
              plugin       Fetch, inspect, validate and create plugins
              skill        Check skills, and test what they say
              hook         List and test hooks, and show the hook log

            For agents:
              start        Print Rust guidance and the skills for this workspace
              mcp          Run the MCP server that agents query

            Options:
              -q, --quiet          Print only the result and errors
              -v, --verbose...     Print more details; `-vv` also prints the log of this run
              -C <DIR>             Run as if started in DIR
                  --json           Print the result as one JSON document on standard output
                  --offline        Do not use the network
                  --color <WHEN>   When to use colour: auto, always or never [default: auto]
                  --source <PATH>  Use another directory of plugins, for this command only
              -h, --help           Print help
              -V, --version        Print version

            Run `symposium COMMAND --help` for details about a command.
        "#]],
    );
}

#[test]
fn mistakes_exit_with_2_and_name_the_fix() {
    let context = with_fixture(&[]);
    check(
        context.invoke(&["crat"]),
        expect![[r#"
            --- stderr
            error: unrecognized subcommand 'crat'

              help: a similar subcommand exists: 'crate'

            Usage: symposium [OPTIONS] <COMMAND>

            For more information, try '--help'.
            --- exit 2
        "#]],
    );
    check(
        context.invoke(&["crate"]),
        expect![[r#"
            --- stderr
            error: the following required arguments were not provided:
              <NAME|--list>

            Usage: symposium crate <NAME|--list>

            For more information, try '--help'.
            --- exit 2
        "#]],
    );
    check(
        context.invoke(&["crate", "../x"]),
        expect![[r#"
            --- stderr
            error: `../x` is not a crate name
            help: pass a name such as `serde`
            --- exit 2
        "#]],
    );
}

#[test]
fn the_version_is_printed() {
    let context = with_fixture(&[]);
    assert_eq!(context.invoke(&["--version"]).expect(0), format!("symposium {}\n", env!("CARGO_PKG_VERSION")));
}
