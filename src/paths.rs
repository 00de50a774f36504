//! Where things lie: data folder, socket, lock, transcripts.
