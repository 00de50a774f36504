//! Options that several commands share.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use serde_json::{Number, Value};

use super::failure::Failure;
use super::screen::Look;
use crate::config::Places;
use crate::paths::{DataFolder, Environment};

/// Options of every command.
#[derive(Clone, Debug, Args)]
pub(super) struct Global {
    // The environment is read where paths are made, so that every program of the house agrees.
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        help = "Folder for journal, keys and socket [env: TURNROOM_DATA_DIR] [default: the user's data folder]"
    )]
    pub(super) data_dir: Option<PathBuf>,

    /// Log more to standard error; -vv logs everything
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub(super) verbose: u8,
}

impl Global {
    /// Where the data folder is, or would be.
    pub(super) fn data_folder_path(&self) -> Result<PathBuf, Failure> {
        let path = DataFolder::meant(self.data_dir.as_deref(), &Environment::read());
        Ok(path.map_err(anyhow::Error::from)?)
    }

    /// Whether a data folder was named, here or in the environment: then it is not the usual one.
    pub(super) fn names_data_folder(&self) -> bool {
        self.data_dir.is_some() || Environment::read().data_dir.is_some()
    }

    /// The data folder that is meant.
    pub(super) fn data_folder(&self) -> Result<DataFolder, Failure> {
        Ok(DataFolder::open(self.data_dir.as_deref(), &Environment::read()).map_err(anyhow::Error::from)?)
    }
}

/// Where settings may lie: in the user's folder, and in the current one.
pub(super) fn config_places() -> Places {
    Places::usual(&Environment::read(), std::env::current_dir().ok().as_deref())
}

/// How the answer is printed.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct Output {
    /// Print the hub's answer, or an error, as one line of JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Which room.
#[derive(Clone, Debug, Args)]
pub(super) struct Place {
    /// Which room [default: the one you are in, else the newest open one]
    #[arg(long, env = "TURNROOM_ROOM", hide_env_values = true)]
    pub(super) room: Option<String>,
}

/// Which room, as a word; or as an option, where other words are about something else.
#[derive(Clone, Debug, Args)]
pub(super) struct Where {
    /// Which room [default: the one you are in, else the newest open one]
    #[arg(value_name = "ROOM")]
    word: Option<String>,
    /// The same, as an option
    #[arg(long = "room", value_name = "ROOM", env = "TURNROOM_ROOM", hide_env_values = true)]
    option: Option<String>,
}

impl Where {
    /// The room that is named.
    pub(super) fn room(&self) -> Option<&str> {
        self.word.as_deref().or(self.option.as_deref())
    }
}

/// Who acts.
#[derive(Clone, Debug, Args)]
pub(super) struct Actor {
    /// Who you are
    #[arg(long = "as", value_name = "@HANDLE", env = "TURNROOM_HANDLE", hide_env_values = true)]
    pub(super) handle: String,

    /// Your key, where the room asks for one
    #[arg(long, env = "TURNROOM_KEY", hide_env_values = true)]
    pub(super) key: Option<String>,
}

/// The person at this terminal, unless another is named.
pub(super) const USER: &str = "@user";

/// Which person acts.
#[derive(Clone, Debug, Args)]
pub(super) struct Person {
    /// Who you are
    #[arg(
        long = "as",
        value_name = "@HANDLE",
        env = "TURNROOM_HANDLE",
        hide_env_values = true,
        default_value = USER
    )]
    pub(super) handle: String,

    /// Your key, where the room asks for one
    #[arg(long, env = "TURNROOM_KEY", hide_env_values = true)]
    pub(super) key: Option<String>,
}

/// Who acts, where agents and people do the same: at a terminal a person, unless another is named.
#[derive(Clone, Debug, Args)]
pub(super) struct Anybody {
    /// Who you are [default, at a terminal: @user]
    #[arg(long = "as", value_name = "@HANDLE", env = "TURNROOM_HANDLE", hide_env_values = true)]
    handle: Option<String>,

    /// Your key, where the room asks for one
    #[arg(long, env = "TURNROOM_KEY", hide_env_values = true)]
    pub(super) key: Option<String>,
}

impl Anybody {
    /// Who it is. An agent that forgets to say so must not act as the person.
    pub(super) fn handle(&self) -> Result<&str, Failure> {
        match &self.handle {
            Some(handle) => Ok(handle),
            None if io::stdin().is_terminal() => Ok(USER),
            None => {
                Err(Failure::Usage("say who you are: `--as @HANDLE`; a person is `--as @user`".to_owned()))
            }
        }
    }

    /// Whether it is the person at this terminal.
    pub(super) fn is_user(&self) -> bool {
        self.handle().is_ok_and(|handle| handle == USER)
    }
}

/// When there is colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Also into a pipe.
    Always,
    /// Not at all.
    Never,
}

/// How what goes on is printed.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct Looks {
    /// Colour
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    color: Color,
}

impl Looks {
    /// How standard output is to look.
    pub(super) fn look(self) -> Look {
        match self.color {
            Color::Auto => Look::of_stdout(),
            Color::Always => Look::Terminal,
            Color::Never => Look::Plain,
        }
    }
}

/// What is given: a variable of the environment that is set to nothing says nothing.
pub(super) fn given(word: Option<&String>) -> Option<&str> {
    word.map(String::as_str).filter(|word| !word.is_empty())
}

/// Reads a number of messages, or that of one.
pub(super) fn number<N: FromStr>(text: &str) -> Result<N, String> {
    text.parse().map_err(|_| "give a whole number, such as 12".to_owned())
}

/// Reads a handle; what it may hold, the hub knows.
pub(super) fn handle(text: &str) -> Result<String, String> {
    let is_empty = text.trim().is_empty();
    if is_empty { Err("give a handle, such as @Bob".to_owned()) } else { Ok(text.to_owned()) }
}

/// Reads what is to be said. An option that does not exist is not said by mistake; a list in Markdown is.
pub(super) fn words(text: &str) -> Result<String, String> {
    let is_option = text.len() > 1 && text.starts_with('-') && !text.contains(char::is_whitespace);
    if is_option && text.parse::<f64>().is_err() {
        return Err(
            "there is no such option here; to say just this, pipe it in, with `-` for the text".to_owned()
        );
    }
    Ok(text.to_owned())
}

/// Reads a number of seconds: not negative, fractions allowed.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=MAX_SECONDS).contains(&seconds) => Ok(seconds),
        _ => Err(format!("give seconds from 0 to {MAX_SECONDS}")),
    }
}

/// A year: nobody means more, and clocks cannot overflow.
const MAX_SECONDS: f64 = 31_536_000.0;

/// Seconds as JSON.
pub(super) fn seconds_value(seconds: f64) -> Value {
    Number::from_f64(seconds).map_or(Value::Null, Value::Number)
}
