//! Draws rectangles in a frame, with scales below and on the left.

use super::{Drawing, FAINT, Font, LINE, SHADE, colours::of_palette, text_width};
use crate::picture::Packing;

/// The maximum size.
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 560.0;

pub(crate) fn draw_packing(packing: &Packing) -> Drawing {
    let ((left, low), (right, high)) = packing.extent();
    let (across, up) = ((right - left).max(1) as f64, (high - low).max(1) as f64);
    let scale = (WIDTH / across).min(HEIGHT / up).min(64.0);
    let margin = text_width(&high.to_string(), 13.0).max(text_width(&low.to_string(), 13.0)) + 14.0;
    let x = |at: i64| margin + (at - left) as f64 * scale;
    let y = |at: i64| 8.0 + (high - at) as f64 * scale;
    let mut drawing = Drawing { width: x(right) + 14.0, height: y(low) + 26.0, ..Drawing::default() };
    if let Some((width, height)) = packing.frame {
        drawing.rect(
            (x(0), y(height)),
            (width as f64 * scale, height as f64 * scale),
            0.0,
            &format!("fill=\"{SHADE}\" stroke=\"#64748b\" stroke-width=\"2.4\""),
        );
    }
    let every = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 10_000, 50_000, 100_000]
        .into_iter()
        .find(|every| *every as f64 * scale >= 28.0)
        .unwrap_or(1_000_000);
    let marks = |from: i64, to: i64| (from.div_euclid(every)..=to.div_euclid(every)).map(move |at| at * every);
    for at in marks(left, right).filter(|at| (left..=right).contains(at)) {
        drawing.line((x(at), y(low)), (x(at), y(low) + 5.0), &format!("stroke=\"{LINE}\" stroke-width=\"1.5\""));
        drawing.centred(x(at), y(low) + 15.0, &at.to_string(), Font::middle(13.0, FAINT));
    }
    for at in marks(low, high).filter(|at| (low..=high).contains(at)) {
        drawing.line((margin - 5.0, y(at)), (margin, y(at)), &format!("stroke=\"{LINE}\" stroke-width=\"1.5\""));
        let font = Font { size: 13.0, colour: FAINT, anchor: "end", bold: false };
        drawing.text(margin - 9.0, y(at) + 4.5, &at.to_string(), font);
    }
    for (number, one) in packing.boxes.iter().enumerate() {
        let paint = of_palette(number);
        let (width, height) = (one.size.0 as f64 * scale, one.size.1 as f64 * scale);
        let (corner_x, corner_y) = (x(one.corner.0), y(one.corner.1 + one.size.1));
        // Rectangles may overlap, and both must be visible.
        let style = format!("{} fill-opacity=\"0.85\"", paint.style());
        drawing.rect((corner_x + 1.0, corner_y + 1.0), ((width - 2.0).max(1.0), (height - 2.0).max(1.0)), 3.0, &style);
        let needed = text_width(&one.label, 15.0);
        let size = 15.0 * ((width - 6.0) / needed.max(1.0)).min(1.0);
        // Smaller text could not be read.
        if size >= 8.0 && height >= size + 2.0 {
            drawing.centred(
                corner_x + width / 2.0,
                corner_y + height / 2.0,
                &one.label,
                Font::middle(size, paint.text),
            );
        }
    }
    drawing
}
