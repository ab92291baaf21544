//! Gantt charts: a bar for each task.

use super::{
    Bar, Directive, Gantt, Lane,
    choose::{Scene, ShownPart, image_of_key},
    roles::PictureRole,
};
use crate::language::{Type, Value};

/// Schedules that end later are shown as values. Chosen.
const LONGEST: i64 = 1000;

impl Scene<'_> {
    /// Draws a bar for each task. Without lengths, each bar has length 1; without lanes, each task has its own lane.
    pub(super) fn gantt(&mut self, seen: &ShownPart, directive: &Directive) -> Option<Gantt> {
        let (task_type, time_type) = seen.ty.as_map()?;
        let lengths = self.named(directive.overlay(PictureRole::Lengths));
        let lanes_of = self.named(directive.overlay(PictureRole::Lanes));
        let mut lanes: Vec<(Value, Lane)> = Vec::new();
        for (tone, (task, start)) in self.arguments(seen)?.into_iter().enumerate() {
            let Some(Value::Int(start)) = start else { continue };
            let length = match &lengths {
                Some((Value::Int(length), _)) => *length,
                Some((lengths, _)) => image_of_key(lengths, &task)?.as_int(),
                None => 1,
            };
            if length < 0 || start.checked_abs()?.checked_add(length)? > LONGEST {
                return None;
            }
            let label = self.show(&task, task_type);
            let (key, name) = match &lanes_of {
                Some((lanes, ty)) if let Some((_, lane_type)) = ty.as_map() => {
                    let lane = image_of_key(lanes, &task)?;
                    (lane.clone(), self.show(lane, lane_type))
                }
                _ => (task.clone(), label.clone()),
            };
            let bar = Bar { label, start, length, tone };
            match lanes.iter_mut().find(|(other, _)| *other == key) {
                Some((_, lane)) => lane.bars.push(bar),
                None => lanes.push((key, Lane { name, bars: vec![bar] })),
            }
        }
        // Lanes are in the order of their values, not in the order of their first tasks.
        lanes.sort_by(|left, right| left.0.cmp(&right.0));
        let mut lanes: Vec<Lane> = lanes.into_iter().map(|(_, lane)| lane).collect();
        lanes.iter_mut().for_each(|lane| lane.bars.sort_by_key(|bar| (bar.start, bar.length)));
        let unit = if let Type::Int(int) = time_type { int.unit } else { None };
        (!lanes.is_empty()).then_some(Gantt { lanes, unit })
    }
}
