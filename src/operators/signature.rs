//! The notation of signatures.
