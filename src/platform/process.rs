//! Processes: their parents, their signals, and what the system allows them.

use std::fs::File;
use std::io;
use std::process::Command;

/// Asks to be told when the process is asked to stop.
#[derive(Debug)]
pub struct StopSignals {
    #[cfg(unix)]
    signals: [tokio::signal::unix::Signal; 3],
}

#[cfg(unix)]
mod imp {
    use std::os::fd::OwnedFd;
    use std::os::unix::process::CommandExt;

    use rustix::process::{
        Pid, Resource, Rlimit, Signal, getppid, getrlimit, kill_process_group, setrlimit, setsid,
    };
    use tokio::signal::unix::{SignalKind, signal};

    use super::{Command, File, StopSignals, io};

    /// More open files than this are of no use, and some systems refuse to hear of more.
    const FILES: u64 = 65_536;

    impl StopSignals {
        /// From now on, SIGINT, SIGTERM and SIGHUP do not kill the process.
        pub fn listen() -> io::Result<Self> {
            let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
            let [interrupt, terminate, hangup] = kinds.map(signal);
            Ok(Self { signals: [interrupt?, terminate?, hangup?] })
        }

        /// Comes back with the next signal.
        pub async fn next(&mut self) {
            let [interrupt, terminate, hangup] = &mut self.signals;
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = hangup.recv() => {}
            }
        }
    }

    /// Lets a command live on when this process ends. Here the started process does that itself, by [`detach`].
    pub fn outlive_us(_command: &mut Command) {}

    /// The same file once more, for all programs that are started as long as this is kept.
    pub fn inheritable(file: &File) -> io::Result<OwnedFd> {
        Ok(rustix::io::dup(file)?)
    }

    /// Makes a command the leader of a group of processes: its children belong to it.
    pub fn lead_group(command: &mut Command) {
        command.process_group(0);
    }

    /// Kills the processes of a group, by the number of its leader. That one must not have been waited for: its number
    /// could be another one's by now.
    pub fn kill_group(leader: u32) {
        let leader = i32::try_from(leader).ok().and_then(Pid::from_raw);
        if let Some(Err(error)) = leader.map(|leader| kill_process_group(leader, Signal::KILL)) {
            tracing::debug!(%error, "a group of processes has ended by itself");
        }
    }

    /// Leaves the terminal, so that neither Ctrl-C in it nor its end reaches this process.
    pub fn detach() {
        if let Err(error) = setsid() {
            tracing::debug!(%error, "this process already leads a session");
        }
    }

    /// Where a file would grow beyond what the system allows this process, writing fails from now on, and does not kill it.
    pub fn outlive_size_limits() -> io::Result<()> {
        // The handler stays when nobody listens to it.
        signal(SignalKind::from_raw(Signal::XFSZ.as_raw())).map(drop)
    }

    /// A thousand clients need more open files than the usual limit.
    pub fn raise_file_limit() {
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        let wanted = maximum.map_or(FILES, |maximum| maximum.min(FILES));
        if current.is_some_and(|current| current < wanted)
            && let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum })
        {
            tracing::debug!(%error, "the limit of open files stays as it is");
        }
    }

    /// Knows which process started this one.
    #[derive(Clone, Copy, Debug)]
    pub struct Parent(Option<Pid>);

    impl Parent {
        /// The present parent.
        #[must_use]
        pub fn remember() -> Self {
            Self(getppid())
        }

        /// Whether the parent has died: the system then gives the process another one.
        #[must_use]
        pub fn is_gone(self) -> bool {
            getppid() != self.0
        }

        /// Its number, for messages.
        #[must_use]
        pub fn pid(self) -> Option<u32> {
            self.0.and_then(|pid| u32::try_from(pid.as_raw_nonzero().get()).ok())
        }
    }
}

#[cfg(not(unix))]
mod imp {
    use super::{Command, File, StopSignals, io};

    impl StopSignals {
        /// From now on, Ctrl-C does not kill the process.
        pub fn listen() -> io::Result<Self> {
            Ok(Self {})
        }

        /// Comes back with the next Ctrl-C.
        pub async fn next(&mut self) {
            if let Err(error) = tokio::signal::ctrl_c().await {
                tracing::warn!(%error, "Ctrl-C cannot be noticed");
                std::future::pending::<()>().await;
            }
        }
    }

    /// Lets a command live on when this process ends.
    pub fn outlive_us(command: &mut Command) {
        #[cfg(windows)]
        {
            use std::os::windows::process::CommandExt;

            const DETACHED_PROCESS: u32 = 0x0000_0008;
            const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;
            command.creation_flags(DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP);
        }
        #[cfg(not(windows))]
        let _ = command;
    }

    /// Programs inherit no other files here than their standard streams.
    pub fn inheritable(_file: &File) -> io::Result<()> {
        Ok(())
    }

    /// There are no groups here.
    pub fn lead_group(_command: &mut Command) {}

    /// There are no groups here: who started the leader kills it.
    pub fn kill_group(_leader: u32) {}

    /// Nothing to leave here.
    pub fn detach() {}

    /// There is no such limit here.
    pub fn raise_file_limit() {}

    /// There is no such signal here.
    pub fn outlive_size_limits() -> io::Result<()> {
        Ok(())
    }

    /// Which process started this one is not known here; the end of stdin tells that it is gone.
    #[derive(Clone, Copy, Debug)]
    pub struct Parent;

    impl Parent {
        /// The present parent.
        #[must_use]
        pub fn remember() -> Self {
            Self
        }

        /// Whether the parent has died.
        #[must_use]
        pub fn is_gone(self) -> bool {
            false
        }

        /// Its number, for messages.
        #[must_use]
        pub fn pid(self) -> Option<u32> {
            None
        }
    }
}

pub use imp::{
    Parent, detach, inheritable, kill_group, lead_group, outlive_size_limits, outlive_us, raise_file_limit,
};
