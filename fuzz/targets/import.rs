#![no_main]

use conjure_like::properties;
use conjure_like_fuzz::mutate;

libfuzzer_sys::fuzz_target!(|text: &str| properties::on_a_large_stack(|| properties::import(text)));
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, most: usize, seed: u32| {
    mutate::mutate(data, size, most, seed)
});
