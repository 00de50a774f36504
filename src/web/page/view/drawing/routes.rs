//! The way of an arrow as a path of SVG, and its head.

use super::Line;
use super::layout::{Point, Route};

/// How long a head is, and half as wide as that.
const HEAD: f64 = 8.0;

/// An arrow between two boxes: it leaves and reaches everything upright.
pub(super) fn line(route: &Route) -> Line {
    let mut points = route.points.clone();
    let last = points.len() - 1;
    let tip = if route.is_turned { points[0] } else { points[last] };
    // The line ends where the head begins.
    if route.is_turned {
        points[0].y += HEAD;
    } else {
        points[last].y -= HEAD;
    }
    let mut path = format!("M{} {}", points[0].x, points[0].y);
    for (number, pair) in points.windows(2).enumerate() {
        let (from, to) = (pair[0], pair[1]);
        let part = if number % 2 == 1 {
            format!("V{}", to.y)
        } else {
            let half = f64::midpoint(from.y, to.y);
            format!("C{} {half} {} {half} {} {}", from.x, to.x, to.x, to.y)
        };
        path.push_str(&part);
    }
    let back = if route.is_turned { HEAD } else { -HEAD };
    let (left, right) = (tip.x - HEAD / 2.0, tip.x + HEAD / 2.0);
    let head = format!("M{} {}L{left} {}H{right}Z", tip.x, tip.y, tip.y + back);
    Line { path, head }
}

/// An arrow from the right edge of a box to the same edge, as far aside as this.
pub(super) fn own(edge: Point, aside: f64) -> Line {
    let Point { x, y } = edge;
    let (top, bottom, far) = (y - 9.0, y + 9.0, x + aside);
    let path = format!("M{x} {top}C{far} {} {far} {} {} {bottom}", top - 6.0, bottom + 6.0, x + HEAD);
    let head = format!("M{x} {bottom}L{} {}V{}Z", x + HEAD, bottom - HEAD / 2.0, bottom + HEAD / 2.0);
    Line { path, head }
}
