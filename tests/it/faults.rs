//! Faults that users of such systems have met, tried on the binary over its real transports; `docs/faults.md`
//! names them.

mod identity;
mod mentions;
mod network;
mod platforms;
mod storage;
mod turns;
