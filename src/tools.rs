//! Words from outside: tool arguments, answers and errors, and their conversion.
