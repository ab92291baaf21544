//! Colours for tones. A tone with the name of a colour has that colour; other tones get colours from a palette.

/// A fill colour, a text colour for it, and an edge colour.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    pub fill: &'static str,
    pub text: &'static str,
    pub edge: &'static str,
}

impl Paint {
    pub(crate) fn style(&self) -> String {
        format!("fill=\"{}\" stroke=\"{}\" stroke-width=\"1.5\"", self.fill, self.edge)
    }
}

const fn paint(fill: &'static str, text: &'static str, edge: &'static str) -> Paint {
    Paint { fill, text, edge }
}

/// The colours are light enough for dark text, and differ in lightness for colour-blind readers.
const PALETTE: [Paint; 10] = [
    paint("#dbeafe", "#1e3a8a", "#93b4f5"),
    paint("#fde9c4", "#7c3a06", "#f0b95b"),
    paint("#d5f2df", "#14532d", "#7ccf98"),
    paint("#fbdcea", "#831843", "#ec94bf"),
    paint("#e6e0fb", "#4c1d95", "#b3a0f0"),
    paint("#cdf1f5", "#164e63", "#6cc7d6"),
    paint("#fdd9cf", "#7f1d1d", "#f19a83"),
    paint("#eaf0c2", "#3f4d0a", "#b5c554"),
    paint("#e5e7eb", "#1f2937", "#a3abb8"),
    paint("#f1ddc9", "#5b3414", "#c99d70"),
];

const NAMED: [(&str, Paint); 14] = [
    ("red", paint("#e5605b", "#ffffff", "#b93f3b")),
    ("green", paint("#4caf73", "#ffffff", "#348654")),
    ("blue", paint("#4f86dd", "#ffffff", "#3564b3")),
    ("yellow", paint("#f7d354", "#4a3b04", "#cfa927")),
    ("orange", paint("#f09a45", "#ffffff", "#c57322")),
    ("purple", paint("#9569cf", "#ffffff", "#7148a8")),
    ("violet", paint("#a97be0", "#ffffff", "#7f53b5")),
    ("pink", paint("#f3a3c0", "#5f1233", "#d6739a")),
    ("brown", paint("#a6785a", "#ffffff", "#7d563b")),
    ("black", paint("#2d333b", "#ffffff", "#111418")),
    ("white", paint("#ffffff", "#1f2937", "#aeb6c2")),
    ("grey", paint("#b3bac5", "#1f2937", "#8b94a1")),
    ("gray", paint("#b3bac5", "#1f2937", "#8b94a1")),
    ("cyan", paint("#57c4d3", "#0b3b43", "#3396a4")),
];

/// Strong colours for lines.
const LINES: [&str; 6] = ["#1d4ed8", "#b45309", "#15803d", "#be185d", "#6d28d9", "#0e7490"];

/// The colour of a line: its name if that is a colour, otherwise a colour by number.
pub(crate) fn of_line(name: &str, number: usize) -> &'static str {
    of_name(name).map_or(LINES[number % LINES.len()], |paint| paint.fill)
}

fn of_name(name: &str) -> Option<Paint> {
    NAMED.iter().find(|(known, _)| name.eq_ignore_ascii_case(known)).map(|(_, paint)| *paint)
}

/// The paint of each tone of a legend.
pub(crate) fn paints(legend: &[String]) -> Vec<Paint> {
    legend.iter().enumerate().map(|(number, name)| of_name(name).unwrap_or(of_palette(number))).collect()
}

pub(crate) fn of_palette(number: usize) -> Paint {
    PALETTE[number % PALETTE.len()]
}
