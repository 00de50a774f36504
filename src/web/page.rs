//! The page for people: what it shows and how it looks. Values go in, HTML comes out.

mod assets;
mod started;
mod view;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;
